//! Tests of the dispatch file.

use super::*;

fn one_binding(text: &str) -> Result<Dispatch, DispatchError> {
    Dispatch::from_json(&format!(r#"{{"groups": [1, 1, 1], "bindings": [{text}]}}"#))
}

#[test]
fn a_file_survives_the_way_there_and_back() {
    let text = r#"{"about": "x", "groups": [1, 2, 3], "wave": 32, "bindings": [
        {"class": "uav", "space": 1, "register": 2, "kind": "structured", "stride": 4, "data": {"u32": [7]}, "counter": 3, "expect": {"u32": [8]}, "expect_counter": 4},
        {"class": "srv", "heap": 5, "kind": "texture2darray", "format": "R16_FLOAT", "size": [4, 2, 1], "layers": 3, "mips": 2,
         "tolerance": {"type": "f16", "relative": 0.5}},
        {"class": "sampler", "register": 0, "kind": "sampler", "filter": "linear", "address": "wrap"}]}"#;
    let dispatch = Dispatch::from_json(text).expect("the file is good");
    assert_eq!(
        Dispatch::from_json(&dispatch.to_json()),
        Ok(dispatch.clone())
    );
    assert_eq!(
        dispatch.bindings[1].contents().expect("zeros").len(),
        (8 + 2) * 3 * 2
    );
    assert_eq!(dispatch.bindings[1].place.to_string(), "heap[5]");
    assert_eq!(dispatch.bindings[0].place.to_string(), "u2, space1");
}

#[test]
fn a_wrong_binding_is_an_error_that_names_it() {
    for (wrong, expected) in [
        (
            r#"{"class": "srv", "register": 3, "kind": "constants"}"#,
            BindingRule::ConstantsClass,
        ),
        (
            r#"{"class": "cbv", "register": 3, "kind": "raw"}"#,
            BindingRule::ResourceClass,
        ),
        (
            r#"{"class": "srv", "register": 3, "kind": "structured", "bytes": 4}"#,
            BindingRule::Stride,
        ),
        (
            r#"{"class": "srv", "register": 3, "kind": "structured", "stride": 0, "bytes": 4}"#,
            BindingRule::Stride,
        ),
        (
            r#"{"class": "srv", "register": 3, "kind": "typed", "bytes": 4}"#,
            BindingRule::Format,
        ),
        (
            r#"{"class": "srv", "register": 3, "kind": "texture1d", "format": "R32_UINT"}"#,
            BindingRule::Size,
        ),
        (
            r#"{"class": "srv", "register": 3, "kind": "texture1d", "format": "R32_UINT", "size": [4, 0, 1]}"#,
            BindingRule::Size,
        ),
        (
            r#"{"class": "srv", "register": 3, "kind": "texture1d", "format": "R32_UINT", "size": [4, 2, 1]}"#,
            BindingRule::Shape,
        ),
        (
            r#"{"class": "srv", "register": 3, "kind": "texturecube", "format": "R32_UINT", "size": [4, 4, 1], "layers": 5}"#,
            BindingRule::Shape,
        ),
        (
            r#"{"class": "srv", "register": 3, "kind": "raw", "mips": 2}"#,
            BindingRule::LayersAndMips,
        ),
        (
            r#"{"class": "uav", "register": 3, "kind": "raw", "counter": 0}"#,
            BindingRule::Counter,
        ),
        (
            r#"{"class": "sampler", "register": 3, "kind": "sampler", "bytes": 4}"#,
            BindingRule::SamplerContents,
        ),
    ] {
        let Err(DispatchError::Binding { place, rule }) = one_binding(wrong) else {
            panic!("{wrong} is taken")
        };
        assert_eq!((place.register, rule), (3, expected), "{wrong}");
    }
    let huge = r#"{"class": "srv", "kind": "texture3d", "format": "R32_UINT", "size": [4294967295, 4294967295, 4294967295]}"#;
    assert!(matches!(
        one_binding(huge),
        Err(DispatchError::TooLarge { .. } | DispatchError::TooMuch { .. })
    ));
    assert!(matches!(
        one_binding(r#"{"class": "uav", "kind": "raw", "bytes": 268435457}"#),
        Err(DispatchError::TooLarge { .. })
    ));
    let many: Vec<String> = (0..5)
        .map(|register| {
            format!(
                r#"{{"class": "uav", "register": {register}, "kind": "raw", "bytes": 268435456}}"#
            )
        })
        .collect();
    assert!(matches!(
        one_binding(&many.join(",")),
        Err(DispatchError::TooMuch { .. })
    ));
    let twice = r#"{"class": "uav", "register": 1, "kind": "raw"}, {"class": "uav", "register": 1, "kind": "raw"}"#;
    assert!(matches!(
        one_binding(twice),
        Err(DispatchError::Twice { .. })
    ));
    assert!(matches!(
        Dispatch::from_json("{\"group\": 1}"),
        Err(DispatchError::Json { .. })
    ));
}

#[test]
fn samples_are_a_power_of_two_of_a_2d_texture() {
    let texture = |kind: &str, rest: &str| {
        let text = format!(
            r#"{{"class": "srv", "kind": "{kind}", "format": "R16_UINT", "size": [3, 2, 1], {rest}}}"#
        );
        one_binding(&text).map(|dispatch| dispatch.bindings[0].contents().map(|bytes| bytes.len()))
    };
    assert_eq!(texture("texture2d", r#""samples": 4"#), Ok(Ok(48)));
    assert_eq!(
        texture("texture2darray", r#""samples": 2, "layers": 5"#),
        Ok(Ok(120))
    );
    for (kind, rest) in [
        ("texture2d", r#""samples": 0"#),
        ("texture2d", r#""samples": 3"#),
        ("texture2d", r#""samples": 64"#),
        ("texture2d", r#""samples": 4, "mips": 2"#),
        ("texture3d", r#""samples": 4"#),
        ("texturecube", r#""samples": 4, "layers": 6"#),
    ] {
        assert!(
            matches!(texture(kind, rest), Err(DispatchError::Binding { .. })),
            "{kind} {rest}"
        );
    }
    assert!(matches!(
        one_binding(r#"{"class": "srv", "kind": "raw", "bytes": 8, "samples": 4}"#),
        Err(DispatchError::Binding { .. })
    ));
}

#[test]
fn infinity_is_near_to_nothing_else() {
    let tolerance = Some(Tolerance {
        number: Number::F32,
        relative: 0.5,
        absolute: 1.0,
    });
    let (infinity, one) = (f32::INFINITY.to_le_bytes(), 1f32.to_le_bytes());
    assert_eq!(first_difference(&infinity, &infinity, tolerance), None);
    assert!(first_difference(&infinity, &one, tolerance).is_some());
    assert!(first_difference(&one, &infinity, tolerance).is_some());
}

#[test]
fn a_misspelt_field_is_an_error() {
    assert_eq!(
        one_binding(r#"{"class": "uav", "kind": "raw", "byte": 8}"#).err(),
        Some(DispatchError::UnknownField {
            field: "byte".to_owned()
        })
    );
    // Every field that is written can be read.
    let mut binding = Binding::new(Class::Srv, 1, 2, Kind::Texture2DArray);
    binding.place.heap = Some(1);
    binding.stride = Some(4);
    binding.bytes = Some(4);
    (
        binding.format,
        binding.size,
        binding.layers,
        binding.mips,
        binding.samples,
    ) = (Some(Format::R8_UINT), Some([2; 3]), 2, 2, 2);
    (binding.counter, binding.expect_counter) = (Some(1), Some(2));
    (binding.filter, binding.address, binding.compare) = (
        Some(Filter::Linear),
        Some(Address::Wrap),
        Some(Compare::Less),
    );
    (binding.data, binding.expect) = (Some(Data::U8(vec![1])), Some(Data::U8(vec![1])));
    binding.tolerance = Some(Tolerance {
        number: Number::F32,
        relative: 0.5,
        absolute: 1.0,
    });
    let value = serde_json::to_value(&binding).expect("it can be written");
    let unknown: Vec<&String> = value
        .as_object()
        .expect("an object")
        .keys()
        .filter(|field| !FIELDS.contains(&field.as_str()))
        .collect();
    assert!(
        unknown.is_empty() && value.as_object().map(serde_json::Map::len) == Some(FIELDS.len()),
        "{unknown:?}"
    );
}

#[test]
fn results_are_compared_to_the_bit_or_with_a_tolerance() {
    let exact = one_binding(r#"{"class": "uav", "kind": "raw", "bytes": 8, "expect": {"f32": [1.0]}, "expect_counter": 1}"#).expect("the file is good");
    let binding = &exact.bindings[0];
    let bytes = |values: [f32; 2]| values.map(f32::to_le_bytes).concat();
    assert_eq!(binding.mismatch(&bytes([1.0, 0.0]), Some(1)), Ok(None));
    assert!(matches!(
        binding.mismatch(&bytes([1.0, 0.0]), Some(2)),
        Ok(Some(Mismatch { offset: None, .. }))
    ));
    assert!(matches!(
        binding.mismatch(&bytes([1.0, 1.0]), Some(1)),
        Ok(Some(Mismatch {
            offset: Some(4),
            ..
        }))
    ));
    assert!(matches!(
        binding.mismatch(&[], Some(1)),
        Ok(Some(Mismatch {
            offset: Some(0),
            ..
        }))
    ));
    let near = Some(Tolerance {
        number: Number::F32,
        relative: 0.1,
        absolute: 0.0,
    });
    assert_eq!(
        first_difference(&bytes([1.0, f32::NAN]), &bytes([1.05, -f32::NAN]), near),
        None
    );
    assert!(first_difference(&bytes([1.0, 0.0]), &bytes([1.2, 0.0]), near).is_some());
    assert!(first_difference(&bytes([1.0, 0.0]), &bytes([f32::NAN, 0.0]), near).is_some());
}
