//! Nodes of work graphs: the interface of their shaders, and refused inputs.

use shader_testkit::{corpus, files};
use trellis_spirv_backend::nodes::{push, spec};
use trellis_spirv_backend::{Options, convert, entry_points, reflect};

use crate::common::{self, count};

fn library(name: &str) -> Vec<u8> {
    common::shader(&format!("work_graphs/{name}.dxil"))
}

#[test]
fn push_constants_have_the_documented_offsets() {
    let options = Options::default().with_entry("Walk".to_owned());
    let lines = common::lines("work_graphs/recursion.dxil", &options);
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
