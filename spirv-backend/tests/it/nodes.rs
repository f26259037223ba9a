//! Nodes of work graphs: the interface of their shaders, and what is refused.

use shader_testkit::{corpus, files};
use trellis_spirv_backend::nodes::{push, spec};
use trellis_spirv_backend::{Options, Target, convert, entry_points, reflect};

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

#[test]
fn nodes_of_the_corpus_are_enqueued_or_atomic() {
    let (mut converted, mut refused) = (0, 0);
    for file in files(&corpus().join("work_graphs"), "dxil") {
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
