//! Nodes of work graphs: the interface of their shaders, and what is refused.

use std::path::Path;
use std::sync::Arc;

use trellis_spirv_backend::bindings::{
    Binding, BindingError, BindingModel, HeapPlace, HeapQuery, Place, ResourceQuery,
};
use trellis_spirv_backend::nodes::{push, spec};
use trellis_spirv_backend::{Options, Target, convert, disassemble, entry_points, reflect};

use crate::common::{self, count};

fn library(name: &str) -> Vec<u8> {
    common::shader(&format!("work_graphs/{name}.dxil"))
}

/// Returns the lines of a node's shader, without indents.
fn lines(name: &str, entry: &str, options: Options) -> Vec<String> {
    // SPIRV-Tools reject `OpIsNodePayloadValidAMDX`, which these have.
    let rejected = options.extensions.shader_enqueue && ["Walk", "Spread"].contains(&entry);
    let options = options
        .with_entry(entry.to_owned())
        .with_validate(cfg!(feature = "validate") && !rejected);
    common::lines(&format!("work_graphs/{name}.dxil"), &options)
}

/// Returns the name and the default of the specialization constant with a number.
fn constant(lines: &[String], number: u32) -> Option<(String, String)> {
    let id = lines.iter().find_map(|line| {
        let id = line.strip_prefix("OpDecorate ")?;
        Some(id.strip_suffix(&format!(" SpecId {number}"))?.to_owned())
    })?;
    let value = lines
        .iter()
        .find_map(|line| line.strip_prefix(&format!("{id} = OpSpecConstant")))?;
    let last = value.split(' ').next_back()?;
    let value = match value.split(' ').next()? {
        "True" => "true",
        "False" => "false",
        _ => last,
    };
    Some((id, value.to_owned()))
}

fn has_constant(lines: &[String], number: u32, name: &str, value: &str) {
    let expected = Some((format!("%{name}"), value.to_owned()));
    assert_eq!(constant(lines, number), expected, "{lines:#?}");
}

#[test]
fn push_constants_have_the_documented_offsets() {
    let lines = lines("recursion", "Walk", Options::default());
    let members = [
        ("records", push::RECORDS),
        ("first", push::FIRST),
        ("end", push::END),
        ("stride_or_offsets", push::STRIDE_OR_OFFSETS),
        ("output_records", push::OUTPUT_RECORDS),
        ("counters", push::COUNTERS),
        ("local_root_arguments", push::LOCAL_ROOT_ARGUMENTS),
        ("allocations", push::ALLOCATIONS),
        ("recursion_levels", push::RECURSION_LEVELS),
    ];
    for (index, (name, offset)) in members.into_iter().enumerate() {
        let named = format!(" {index} \"{name}\"");
        let line = lines.iter().find(|line| line.ends_with(&named)).unwrap();
        let block = line.split(' ').nth(1).unwrap();
        let decorated = format!("OpMemberDecorate {block} {index} Offset {offset}");
        assert_eq!(count(&lines, &decorated), 1, "{name}");
    }
    assert_eq!(push::SIZE, push::RECURSION_LEVELS + 4);
    assert_eq!(count(&lines, "OpMemoryModel PhysicalStorageBuffer64"), 1);
}

#[test]
fn specialization_constants_have_the_documented_numbers() {
    let lines = |name, entry| lines(name, entry, Options::default());
    let walk = lines("recursion", "Walk");
    has_constant(&walk, spec::GROUP_SIZE, "threads_of_group", "1");
    has_constant(&walk, spec::IS_ENTRY, "is_entry", "false");
    has_constant(&walk, spec::IS_INDIRECT, "is_indirect", "false");
    has_constant(&walk, spec::OUTPUTS, "output_Walk", "0");
    assert_eq!(count(&walk, "BuiltIn WorkgroupSize"), 1);
    assert_eq!(constant(&walk, spec::ONE_RECORD), None);

    let fixed = lines("broadcasting", "FixedGrid");
    assert_eq!(constant(&fixed, spec::GRID_IN_RECORD), None);
    for (number, (name, groups)) in
        spec::GRID
            .into_iter()
            .zip([("grid_x", "3"), ("grid_y", "2"), ("grid_z", "1")])
    {
        has_constant(&fixed, number, name, groups);
    }
    let line = lines("broadcasting", "LineGrid");
    has_constant(&line, spec::GRID_IN_RECORD, "grid_in_record", "true");
    has_constant(&line, spec::ONE_RECORD, "one_record", "false");

    let spread = lines("output_array", "Spread");
    for (number, name) in (spec::OUTPUTS..).zip(["Sink", "Bell", "Gap"]) {
        has_constant(&spread, number, &format!("output_{name}"), "0");
    }
    has_constant(&spread, spec::OUTPUT_SIZES + 2, "nodes_Gap", "4");
    assert_eq!(constant(&spread, spec::OUTPUT_SIZES), None);
    let begin = lines("shared_input", "Begin");
    assert_eq!(constant(&begin, spec::IS_ENTRY), None, "it has no records");
}

#[test]
fn allocations_are_for_a_wave_a_thread_or_a_group() {
    let lines = |name, entry| lines(name, entry, Options::default());
    let spread = lines("output_array", "Spread");
    assert!(count(&spread, "%allocate_by_group = OpFunction") == 1);
    // Threads choose different nodes.
    assert!(count(&spread, "%allocate_by_thread = OpFunction") == 1);
    assert_eq!(count(&spread, "OpGroupNonUniform"), 0);
    let walk = lines("recursion", "Walk");
    assert_eq!(count(&walk, "%allocate_by_wave = OpFunction"), 1);
    assert_eq!(count(&walk, "OpControlBarrier"), 0);
    // The count is kept within `[MaxRecords(2)]`: it is not a constant.
    assert!(count(&walk, "UMin") >= 1);
}

#[test]
fn records_are_coherent_where_groups_share_them() {
    let lines = |name, entry| lines(name, entry, Options::default());
    let work = lines("cross_group_sharing", "Work");
    assert!(count(&work, " 0 Coherent") >= 1);
    assert_eq!(count(&work, "NonWritable"), 0);
    assert_eq!(count(&work, "%finished_sharing = OpFunction"), 1);
    let line = lines("broadcasting", "LineGrid");
    assert_eq!(count(&line, " 0 Coherent"), 0);
    assert!(count(&line, " 0 NonWritable") >= 1);
    // In Vulkan's memory model accesses say so.
    let options = Options::default().with_vulkan_memory_model(true);
    let work = self::lines("cross_group_sharing", "Work", options);
    assert!(count(&work, "MakePointerVisible") >= 1, "{work:#?}");
}

#[test]
fn nodes_convert_for_every_target() {
    let names = [
        "broadcasting",
        "coalescing",
        "cross_group_sharing",
        "output_array",
        "recursion",
        "shared_input",
        "thread",
    ];
    for target in Target::ALL {
        for name in names {
            for entry in entry_points(&library(name)).unwrap() {
                let options = Options::default().with_target(target);
                let lines = lines(name, &entry.name, options);
                assert_eq!(count(&lines, "OpEntryPoint GLCompute"), 1);
            }
        }
    }
}

#[test]
fn reflection_describes_nodes() {
    let reflection = reflect(&library("cross_group_sharing"), &Options::default()).unwrap();
    let entry = |name: &str| {
        let mut entries = reflection.entry_points.iter();
        entries.find(|entry| entry.name == name).unwrap()
    };
    let work = entry("Work").node.as_ref().unwrap();
    let input = work.input.as_ref().unwrap();
    assert_eq!((input.record_size, input.stride), (16, 20));
    assert!(input.tracks_sharing);
    let begin = entry("Begin").node.as_ref().unwrap();
    assert_eq!(begin.launch, "thread");
    let outputs = begin.outputs.iter();
    let outputs: Vec<_> = outputs
        .map(|o| (o.id.name.as_str(), o.stride, o.max_records, o.spec_id))
        .collect();
    assert_eq!(
        outputs,
        [
            ("Work", 20, Some(3), spec::OUTPUTS),
            ("FixedWork", 20, Some(1), spec::OUTPUTS + 1)
        ]
    );
}

fn enqueue() -> Options {
    Options::default().with_shader_enqueue(true)
}

/// Returns the error of a node with `SPV_AMDX_shader_enqueue`.
fn refused(bytes: &[u8], entry: &str, options: Options) -> String {
    let options = options.with_entry(entry.to_owned());
    convert(bytes, &options).unwrap_err().to_string()
}

/// Checks that a node with `SPV_AMDX_shader_enqueue` has these parts of lines, so many times each.
fn expect(name: &str, entry: &str, expected: &[(&str, usize)]) {
    let lines = lines(name, entry, enqueue());
    assert_eq!(count(&lines, "OpExtension \"SPV_AMDX_shader_enqueue\""), 1);
    assert_eq!(count(&lines, "OpMemoryModel Logical"), 1);
    assert_eq!(count(&lines, "PushConstant"), 0);
    for &(part, times) in expected {
        assert_eq!(
            count(&lines, part),
            times,
            "{name} {entry}: {part}\n{lines:#?}"
        );
    }
}

#[test]
fn enqueued_grids() {
    let fixed = [
        ("StaticNumWorkgroupsAMDX", 1),
        ("MaxNumWorkgroupsAMDX", 0),
        ("BuiltIn GlobalInvocationId", 1),
        ("PayloadDispatchIndirectAMDX", 0),
        ("%input = OpVariable", 1),
        ("NodeMaxPayloadsAMDX", 1),
        ("ShaderIndexAMDX", 1),
        ("NonWritable", 1),
        ("IsApiEntryAMDX", 0),
    ];
    expect("broadcasting", "FixedGrid", &fixed);
    let grids = [("LineGrid", 1), ("PlaneGrid", 0), ("SpaceGrid", 1)];
    for (entry, number) in grids {
        let grid = format!("OpMemberDecorate %Record {number} PayloadDispatchIndirectAMDX");
        let expected = [("MaxNumWorkgroupsAMDX", 1), ("Coalescing", 0), (&*grid, 1)];
        expect("broadcasting", entry, &expected);
    }
}

#[test]
fn enqueued_coalescing_and_thread_nodes() {
    let collect = [
        ("OpExecutionMode %Collect CoalescingAMDX", 1),
        ("OpNodePayloadArrayLengthAMDX", 3),
        ("Coherent", 1),
        ("NonWritable", 0),
    ];
    expect("coalescing", "Collect", &collect);
    expect(
        "coalescing",
        "Count",
        &[("OpNodePayloadArrayLengthAMDX", 1)],
    );
    let begin = [
        ("CoalescingAMDX", 1),
        ("OpExecutionMode %Begin LocalSize 1 1 1", 1),
        ("OpAllocateNodePayloadsAMDX", 1),
        ("OpEnqueueNodePayloadsAMDX", 1),
        ("= OpConstantStringAMDX \"Next\"", 1),
        ("PayloadNodeNameAMDX", 1),
        ("PayloadNodeArraySizeAMDX", 1),
        // The record has 16-bit numbers.
        ("ArrayStride 2", 2),
    ];
    expect("thread", "Begin", &begin);
    expect(
        "thread",
        "Next",
        &[("OpAllocateNodePayloadsAMDX", 0), ("ArrayStride 2", 1)],
    );
}

#[test]
fn enqueued_arrays_of_outputs() {
    let spread = [
        // Two of records; six of empty ones, four of them in an unrolled loop.
        ("OpAllocateNodePayloadsAMDX", 8),
        ("OpEnqueueNodePayloadsAMDX", 8),
        ("OpIsNodePayloadValidAMDX", 4),
        ("PayloadNodeSparseArrayAMDX", 1),
        ("PayloadNodeArraySizeAMDX", 3),
        ("OpTypeNodePayloadArrayAMDX", 4),
        ("PayloadNodeBaseIndexAMDX", 0),
    ];
    expect("output_array", "Spread", &spread);
    for (entry, inputs) in [("Sink2", 1), ("Bell0", 0), ("Bell1", 1), ("Gap3", 0)] {
        let expected = [("%input = OpVariable", inputs), ("ShaderIndexAMDX", 1)];
        expect("output_array", entry, &expected);
    }
}

#[test]
fn enqueued_recursion_and_shared_input() {
    let walk = [
        ("MaxNodeRecursionAMDX", 1),
        ("BuiltIn RemainingRecursionLevelsAMDX", 1),
        ("OpIsNodePayloadValidAMDX", 1),
    ];
    expect("recursion", "Walk", &walk);
    expect("recursion", "Begin", &[("MaxNodeRecursionAMDX", 0)]);
    let tap = [
        ("SharesInputWithAMDX", 1),
        ("IsApiEntryAMDX", 1),
        ("= OpConstantFalse", 1),
        ("= OpConstantStringAMDX \"Main\"", 1),
    ];
    expect("shared_input", "Tap", &tap);
    expect(
        "shared_input",
        "Begin",
        &[("IsApiEntryAMDX", 1), ("= OpConstantTrue", 1)],
    );
    expect("shared_input", "Main", &[("IsApiEntryAMDX", 0)]);
}

#[test]
fn enqueued_sharing() {
    expect(
        "cross_group_sharing",
        "Begin",
        &[("TrackFinishWritingAMDX", 1)],
    );
    for entry in ["Work", "FixedWork"] {
        let error = refused(&library("cross_group_sharing"), entry, enqueue());
        assert!(error.contains("an atomic operation on a record"), "{error}");
    }
    let shader: &[u8] = include_bytes!("../data/finish_sharing.dxil");
    let text = |entry: &str| {
        let options = enqueue()
            .with_entry(entry.to_owned())
            .with_validate(cfg!(feature = "validate"));
        disassemble(&convert(shader, &options).unwrap().words).unwrap()
    };
    let fill = text("Fill");
    for part in [
        "OpFinishWritingNodePayloadAMDX",
        "TrackFinishWritingAMDX",
        " 0 Offset 0",
        " 1 Offset 4",
        " 2 Offset 8",
        " 2 Coherent",
    ] {
        assert!(fill.contains(part), "{part}: {fill}");
    }
    let begin = text("Begin");
    assert!(begin.contains("NodeSharesPayloadLimitsWithAMDX"), "{begin}");
    assert!(begin.contains("PayloadNodeBaseIndexAMDX"), "{begin}");
    // In Vulkan's memory model accesses say that others see them.
    let options = enqueue()
        .with_vulkan_memory_model(true)
        .with_entry("Fill".to_owned())
        .with_validate(cfg!(feature = "validate"));
    let fill = disassemble(&convert(shader, &options).unwrap().words).unwrap();
    assert!(fill.contains("MakePointerAvailable"), "{fill}");
    assert!(fill.contains("MakePointerVisible"), "{fill}");
    let error = refused(shader, "Side", enqueue());
    assert!(error.contains("SV_DispatchGrid"), "{error}");
}

/// Puts everything into the shader record, which nodes get as local root arguments.
struct InRecord;

impl BindingModel for InRecord {
    fn bind(&self, _: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        Ok(Binding::new(Place::RecordAddress { offset: 0 }))
    }
    fn heap(&self, _: &HeapQuery) -> Result<HeapPlace, BindingError> {
        Err(BindingError::NoEntry)
    }
}

#[test]
fn what_enqueued_nodes_need() {
    let options = enqueue().with_bindings(Arc::new(InRecord));
    let error = refused(&library("broadcasting"), "LineGrid", options);
    assert!(error.contains("local root arguments of a node"), "{error}");
    let options = enqueue().with_target(Target::Vulkan1_1);
    let error = refused(&library("thread"), "Next", options);
    assert!(error.contains("1.4"), "{error}");
}

#[test]
fn nodes_of_the_corpus_are_enqueued_or_atomic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders/work_graphs");
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let (mut converted, mut refused) = (0, 0);
    for file in files.filter(|file| file.extension().is_some_and(|ext| ext == "dxil")) {
        let bytes = std::fs::read(&file).unwrap();
        for entry in entry_points(&bytes).unwrap() {
            match convert(&bytes, &enqueue().with_entry(entry.name.clone())) {
                Ok(_) => converted += 1,
                Err(error) => {
                    let text = error.to_string();
                    let is_atomic = text.contains("an atomic operation on a record");
                    assert!(is_atomic, "{}: {text}", file.display());
                    refused += 1;
                }
            }
        }
    }
    assert!(converted >= 22, "{converted}");
    assert!(refused >= 2, "{refused}");
}
