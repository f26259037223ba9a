//! Queries to models of stage inputs and outputs, and the effects of their answers on the output.

use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use trellis_dxil_frontend::shader::SemanticKind;
use trellis_spirv_backend::stage_io::{
    ElementPart, ElementPlace, ElementQuery, StageIoError, StageIoFile, StageIoModel, StreamOutput,
    StreamOutputQuery,
};
use trellis_spirv_backend::{
    Error, MeshOutputs, Options, Target, convert, convert_entry, disassemble,
};

use crate::assembler;
use crate::common::{decorations, lines_of, shader};

fn options(model: Arc<dyn StageIoModel>) -> Options {
    let options = Options::default().with_stage_io(model);
    options.with_validate(cfg!(feature = "validate"))
}

/// Returns the instructions of the output, with single spaces.
fn converted(name: &str, options: &Options) -> Result<Vec<String>, Error> {
    Ok(lines_of(&convert(&shader(name), options)?.words))
}

fn has(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.contains(text))
}

/// A model that answers by the default, and records its queries.
#[derive(Default)]
struct Witness {
    asked: Mutex<Vec<(String, ThreadId)>>,
    places: Mutex<Vec<(String, u32, ElementPlace)>>,
}

impl Witness {
    fn note(&self, method: &str, query: &ElementQuery<'_>) {
        let ElementQuery {
            stage,
            kind,
            semantic,
            index,
            start_row,
            rows,
            columns,
            stream,
            default,
            ..
        } = query;
        let (stage, kind) = (stage.name(), kind.name());
        let text = format!(
            "{method}: {stage} {kind} {semantic}{index} row {start_row} size {rows}x{columns} stream {stream} at {}.{}",
            default.location, default.component
        );
        let mut asked = self.asked.lock().unwrap();
        asked.push((text, thread::current().id()));
        let place = (semantic.to_string(), *index, *default);
        self.places.lock().unwrap().push(place);
    }

    fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        let me = thread::current().id();
        assert!(asked.iter().all(|(_, thread)| *thread == me));
        asked.iter().map(|(text, _)| text.clone()).collect()
    }
}

impl StageIoModel for Witness {
    fn vertex_input(&self, query: &ElementQuery<'_>) -> Result<u32, StageIoError> {
        self.note("vertex", query);
        Ok(query.default.location)
    }

    fn input(&self, query: &ElementQuery<'_>) -> Result<ElementPlace, StageIoError> {
        self.note("input", query);
        Ok(query.default)
    }

    fn output(&self, query: &ElementQuery<'_>) -> Result<ElementPlace, StageIoError> {
        self.note("output", query);
        Ok(query.default)
    }

    fn stream_output(
        &self,
        query: &StreamOutputQuery<'_>,
    ) -> Result<Vec<StreamOutput>, StageIoError> {
        let text = format!("stream {}: {}{}", query.stream, query.semantic, query.index);
        let mut asked = self.asked.lock().unwrap();
        asked.push((text, thread::current().id()));
        Ok(Vec::new())
    }
}

#[test]
fn each_element_is_asked_about_once_in_the_order_of_the_metadata() {
    for (name, expected) in [
        (
            "vertex_io/matrix_and_array_inputs.dxil",
            &[
                "vertex: vertex input POSITION0 row 0 size 1x4 stream 0 at 0.0",
                "vertex: vertex input WORLD0 row 1 size 4x4 stream 0 at 1.0",
                "vertex: vertex input TEXCOORD0 row 5 size 3x2 stream 0 at 5.0",
                "stream 0: SV_Position0",
                "output: vertex output TEXCOORD0 row 1 size 3x2 stream 0 at 1.0",
                "stream 0: TEXCOORD0",
            ][..],
        ),
        (
            "geometry/streams.dxil",
            &[
                "input: geometry input POSITION0 row 0 size 1x4 stream 0 at 0.0",
                "input: geometry input KIND0 row 1 size 1x1 stream 0 at 1.0",
                "stream 0: SV_Position0",
                "output: geometry output TEXCOORD0 row 1 size 1x2 stream 0 at 1.0",
                "stream 0: TEXCOORD0",
                "output: geometry output KIND0 row 0 size 1x1 stream 1 at 2.0",
                "stream 1: KIND0",
                "output: geometry output DIRECTION0 row 1 size 1x3 stream 1 at 3.0",
                "stream 1: DIRECTION0",
            ],
        ),
        (
            "tessellation/patch_constants.dxil",
            &[
                "input: hull input POSITION0 row 0 size 1x4 stream 0 at 0.0",
                "output: hull output POSITION0 row 0 size 1x4 stream 0 at 0.0",
            ],
        ),
        ("pixel_io/no_inputs.dxil", &[]),
    ] {
        let witness = Arc::new(Witness::default());
        let lines = converted(name, &options(witness.clone())).unwrap();
        let asked = witness.asked();
        let asked: Vec<&String> = asked.iter().filter(|a| !a.contains("constant")).collect();
        assert_eq!(asked, expected, "{name}");
        let default = convert(&shader(name), &Options::default()).unwrap();
        let model = convert(&shader(name), &options(witness)).unwrap();
        assert!(default.words == model.words, "{name}");
        assert!(!has(&lines, "Xfb"), "{name}");
    }
}

/// Gives inputs the places that an output of another stage has, as a layer does that links a pixel
/// shader to a mesh shader.
struct Linked(Vec<(String, u32, ElementPlace)>);

impl StageIoModel for Linked {
    fn input(&self, query: &ElementQuery<'_>) -> Result<ElementPlace, StageIoError> {
        let is = |(semantic, index, _): &&(String, u32, ElementPlace)| {
            semantic.eq_ignore_ascii_case(query.semantic) && *index == query.index
        };
        let place = self.0.iter().find(is);
        let place =
            place.ok_or_else(|| StageIoError::model("the mesh shader does not write it"))?;
        Ok(place.2)
    }
}

#[test]
fn places_of_one_stage_link_another() {
    let mesh = shader("mesh/primitive_attributes.dxil");
    let witness = Arc::new(Witness::default());
    convert(&mesh, &options(witness.clone())).unwrap();
    let places = witness.places.lock().unwrap().clone();
    let semantics: Vec<&str> = places.iter().map(|place| &*place.0).collect();
    assert_eq!(semantics, ["TEXCOORD", "CORNER", "COLOR", "PLACE"]);
    assert!(places[2].2.per_primitive && !places[0].2.per_primitive);

    let pixel = "mesh/primitive_attributes.ps.dxil";
    // SPIRV-Tools (v2025.3) rejects the number of a primitive after a mesh shader.
    let model = Options::default().with_stage_io(Arc::new(Linked(places.clone())));
    let linked = converted(pixel, &model).unwrap();
    let outputs = Arc::new(MeshOutputs::read(&mesh, None).unwrap());
    let by_mesh = converted(pixel, &Options::default().with_mesh(outputs)).unwrap();
    for name in [
        "in.TEXCOORD0",
        "in.CORNER0",
        "in.COLOR0",
        "in.PLACE0",
        "in.SV_PrimitiveID",
    ] {
        assert_eq!(decorations(&linked, name), decorations(&by_mesh, name));
    }
    let color = decorations(&linked, "in.COLOR0");
    assert!(color.contains(&"PerPrimitiveEXT".to_owned()), "{color:?}");

    let old = model.with_target(Target::Vulkan1_1);
    let error = converted(pixel, &old).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no place for pixel shader input `COLOR0`: a value for each primitive needs SPIR-V 1.4: vulkan1.2 or later"
    );

    let none = options(Arc::new(Linked(places[..1].to_vec())));
    let error = converted(pixel, &none).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no place for pixel shader input `COLOR0`: the mesh shader does not write it"
    );
    assert_eq!(error.kind().name(), "stage-io");
}

fn file(text: &str) -> Arc<dyn StageIoModel> {
    Arc::new(serde_json::from_str::<StageIoFile>(text).unwrap())
}

#[test]
fn the_output_says_where_patch_constants_begin() {
    for (name, expected) in [
        ("tessellation/patch_constants.dxil", Some(1)),
        ("tessellation/patch_constants.ds.dxil", Some(1)),
        ("vertex_io/packed.dxil", None),
    ] {
        let output = convert(&shader(name), &Options::default()).unwrap();
        assert_eq!(output.patch_location, expected, "{name}");
    }
    let moved = Options::default().with_patch_location(Some(7));
    let output = convert(&shader("tessellation/patch_constants.dxil"), &moved).unwrap();
    assert_eq!(output.patch_location, Some(7));
}

#[test]
fn other_fields_of_a_file_are_errors() {
    for text in [
        r#"{ "vertex_input": [] }"#,
        r#"{ "outputs": [ { "semantic": "A" } ] }"#,
    ] {
        assert!(serde_json::from_str::<StageIoFile>(text).is_err());
    }
}

#[test]
fn what_is_not_read_needs_no_place() {
    let name = "vertex_io/unused_inputs.dxil";
    let witness = Arc::new(Witness::default());
    convert(&shader(name), &options(witness.clone())).unwrap();
    let asked = witness.asked();
    let inputs = asked.iter().filter(|a| a.starts_with("vertex")).count();
    let lines = converted(name, &Options::default()).unwrap();
    let declared = lines.iter().filter(|line| line.contains("\"in.")).count();
    assert!(declared < inputs, "{declared} of {inputs}");
    // Every vertex input is at one location: an error if two are read.
    struct Same;
    impl StageIoModel for Same {
        fn vertex_input(&self, query: &ElementQuery<'_>) -> Result<u32, StageIoError> {
            if query.system_value == SemanticKind::Arbitrary {
                Ok(0)
            } else {
                Err(StageIoError::NoEntry)
            }
        }
    }
    let clash = converted(name, &options(Arc::new(Same)));
    assert_eq!(clash.is_err(), declared > 1);
}

#[test]
fn a_row_is_captured_that_the_shader_computes() {
    let mut input = assembler::shader("vertex_io/matrix_and_array_inputs.dxil");
    let body = "
        entry:
        %h : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:2 i32:0 i32:0 i1:0
        %c : %dx.types.CBufRet.i32 = call @dx.op.cbufferLoadLegacy.i32 i32:59 %h i32:0
        %row : i32 = extract %c 0
        %x : float = call @dx.op.loadInput.f32 i32:4 i32:0 i32:0 i8:0 i32:undef
        call @dx.op.storeOutput.f32 i32:5 i32:1 %row i8:1 %x
        ret";
    assembler::replace(
        &mut input.module,
        &[assembler::Text("main", "void", &[], body)],
    );
    let model = file(
        r#"{ "stream_output": [
            { "semantic": "TEXCOORD", "index": 1, "buffer": 0, "stride": 16, "offset": 0 },
            { "semantic": "TEXCOORD", "index": 2, "component": 0, "components": 1, "buffer": 0, "stride": 16, "offset": 8 } ] }"#,
    );
    let entry = input.shader.shaders().next().unwrap();
    let output = convert_entry(&input, entry, &options(model)).unwrap();
    let text = disassemble(&output.words).unwrap();
    // Row 1 is a copy of two components, the second of which is written; row 2 has only the first.
    assert_eq!(text.matches("OpSelect ").count(), 1, "{text}");
    assert_eq!(text.matches("OpIEqual").count(), 1, "{text}");
}

/// Captures positions, and rows of an array.
struct Rows(StreamOutput);

impl StageIoModel for Rows {
    fn stream_output(
        &self,
        query: &StreamOutputQuery<'_>,
    ) -> Result<Vec<StreamOutput>, StageIoError> {
        Ok(match query.system_value {
            SemanticKind::Position => vec![StreamOutput::new(0, 64, 0)],
            _ => vec![self.0],
        })
    }
}

#[test]
fn captures_that_cannot_be_are_errors() {
    let name = "vertex_io/matrix_and_array_inputs.dxil";
    let reason = |capture| match converted(name, &options(Arc::new(Rows(capture)))) {
        Ok(_) => "captured".to_owned(),
        Err(Error::StageIo { element, reason }) => {
            assert_eq!((&*element.semantic, element.index), ("TEXCOORD", 0));
            reason.to_string()
        }
        Err(error) => panic!("{error}"),
    };
    let capture = StreamOutput::new;
    assert_eq!(reason(capture(0, 64, 40)), "captured");
    for (capture, expected) in [
        (
            capture(4, 64, 16),
            "stream output buffer 4, of which there are 4",
        ),
        (
            capture(0, 64, 17),
            "offset 17 and stride 64 of stream output: multiples of 4 are required",
        ),
        (
            capture(0, 64, 44),
            "24 bytes at offset 44 exceed the stride of 64 bytes of stream output",
        ),
        (
            capture(0, 32, 0),
            "stride 32 in stream output buffer 0, which has stride 64",
        ),
        (
            capture(0, 64, 12),
            "offset 12 of stream output buffer 0 is inside the capture of vertex shader output `SV_Position0`",
        ),
        (
            capture(1, 64, 0).with_part(ElementPart::new(1, 1, 2)),
            "components 1 to 2 of row 1: the element has 3 rows of 2 components",
        ),
    ] {
        assert_eq!(reason(capture), expected);
    }
}
