//! Work graphs: rules of nodes with results by hand (`shaders/node_rules.hlsl`), and the graphs of
//! the corpus, whose files have the results of a device.

use std::path::{Path, PathBuf};

use serde_json::Value;
use shader_testkit::{corpus, files};
use trellis_dxil_interpreter::dispatch::{Binding, Class, Kind};
use trellis_dxil_interpreter::{
    Error, GraphEntry, GraphInputs, NodeRule, Options, Outputs, Quantity, Resource, generate,
    run_graph, run_graph_module,
};

/// Words of the buffer that the nodes write.
const WORDS: usize = 64;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn library() -> Vec<u8> {
    std::fs::read(file("tests/shaders/node_rules.dxil")).expect("a library")
}

/// Inputs of a graph that begins with records of one word for a node.
fn inputs(node: &str, records: &[u32]) -> GraphInputs {
    let buffer = vec![0; WORDS * 4];
    let mut out = Resource::buffer(Class::Uav, 0, 0, Kind::Structured, buffer);
    out.stride = 4;
    let entry = GraphEntry {
        node: node.to_owned(),
        index: 0,
        count: records.len() as u32,
        records: records.iter().flat_map(|word| word.to_le_bytes()).collect(),
    };
    GraphInputs {
        entries: vec![entry],
        resources: vec![out],
        scenes: Vec::new(),
    }
}

/// Waves of four lanes: groups of eight threads have two.
fn options() -> Options {
    Options {
        wave: Some(4),
        ..Options::default()
    }
}

fn words(outputs: &Outputs) -> Vec<u32> {
    let words = outputs.uav(0, 0).unwrap().bytes.as_chunks::<4>().0;
    words.iter().map(|&word| u32::from_le_bytes(word)).collect()
}

/// Runs a node of the library for records, and returns the records of the sink.
fn sink(node: &str, records: &[u32]) -> Result<Vec<u32>, Error> {
    let outputs = run_graph(&library(), &inputs(node, records), &options())?;
    let words = words(&outputs);
    Ok(words[1..=words[0] as usize].to_vec())
}

fn broken(node: &str, rule: NodeRule) -> Result<Vec<u32>, Error> {
    Err(Error::Node {
        node: node.to_owned(),
        rule,
    })
}

#[test]
fn a_group_outputs_once_for_all_its_waves() {
    assert_eq!(sink("Group", &[0]), Ok(vec![]));
    assert_eq!(sink("Group", &[3]), Ok(vec![0, 1, 2, 10, 11, 12]));
    // Each record has its own grid.
    assert_eq!(sink("Group", &[1, 2]), Ok(vec![0, 10, 0, 1, 10, 11]));
    // Three records for groups of two: groups of two and of one.
    assert_eq!(sink("Differs", &[0, 0, 0]), Ok(vec![2, 1]));
    assert_eq!(sink("Differs", &[1]), broken("Differs", NodeRule::Uniform));
}

#[test]
fn outputs_have_limits() {
    let over = |output, limit| NodeRule::MaxRecords { output, limit };
    assert_eq!(sink("Group", &[4]), broken("Group", over(0, 3)));
    assert_eq!(sink("Limits", &[1]), Ok(vec![1, 2]));
    assert_eq!(sink("Limits", &[2]), broken("Limits", over(0, 2)));
}

#[test]
fn records_are_completed() {
    assert_eq!(sink("Forgets", &[0]), Ok(vec![5]));
    assert_eq!(sink("Forgets", &[1]), broken("Forgets", NodeRule::Complete));
}

#[test]
fn records_are_for_nodes_that_exist() {
    let target = |name: &str, index| NodeRule::Target {
        name: name.to_owned(),
        index,
    };
    assert_eq!(sink("Misses", &[0]), Ok(vec![7]));
    assert_eq!(sink("Misses", &[2]), broken("Misses", target("Sink", 2)));
    // 200 continues where the output is no longer valid.
    let last = target("Recurses", 0);
    assert_eq!(sink("Recurses", &[200]), broken("Recurses", last));
}

/// A node that may follow itself twice runs three times: by the recursions left 10, 11, 12.
#[test]
fn a_recursion_counts_down() {
    let outputs = run_graph(&library(), &inputs("Recurses", &[10]), &options()).expect("it ends");
    assert_eq!(words(&outputs)[50..53], [12, 11, 10]);
}

#[test]
fn entries_fit_their_nodes() {
    assert_eq!(sink("Nothing", &[1]), broken("Nothing", NodeRule::Exists));
    let fails = |count, bytes| {
        let mut inputs = inputs("Sink", &[]);
        inputs.entries[0].count = count;
        inputs.entries[0].records = vec![0; bytes];
        let rule = NodeRule::EntryRecords {
            bytes,
            count,
            size: 4,
        };
        let node = "Sink".to_owned();
        let result = run_graph(&library(), &inputs, &options());
        assert_eq!(result, Err(Error::Node { node, rule }));
    };
    fails(0, 0);
    fails(0, 4);
    fails(2, 6);
    fails(3, 4);
}

#[test]
fn every_graph_ends() {
    let (bytes, inputs) = (library(), inputs("Recurses", &[10]));
    let mut input = trellis_dxil_frontend::read(&bytes).unwrap();
    for entry in &mut input.shader.entry_points {
        if let Some(node) = &mut entry.properties.node {
            node.max_recursion_depth = u32::MAX;
        }
    }
    let run = |options| run_graph_module(&input.module, &input.shader, &inputs, &options);
    let quantity = Quantity::Levels;
    let limit = 32;
    assert!(
        matches!(run(options()), Err(Error::Limit { quantity: q, limit: l }) if (q, l) == (quantity, limit))
    );
    let few = Options {
        steps: 100,
        ..options()
    };
    assert_eq!(run(few), Err(Error::Steps { limit: 100 }));
}

#[test]
fn a_damaged_library_is_an_error_or_ends() {
    let whole = library();
    let few = Options {
        steps: 100_000,
        ..options()
    };
    for at in (0..whole.len()).step_by(11) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        for node in ["Group", "Differs", "Recurses"] {
            // Whatever comes of it, it must come back.
            let _ = run_graph(&damaged, &inputs(node, &[1, 0]), &few);
        }
    }
}

/// Returns the inputs of a case of a test file of `gpu-test`.
fn inputs_of(graph: &Value) -> (GraphInputs, Vec<Binding>) {
    let number = |value: &Value, default: u32| value.as_u64().map_or(default, |n| n as u32);
    let entry = |entry: &Value| GraphEntry {
        node: entry["node"].as_str().unwrap().to_owned(),
        index: number(&entry["index"], 0),
        count: number(&entry["count"], 1),
        records: entry["records"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|word| number(word, 0).to_le_bytes())
            .collect(),
    };
    let bindings: Vec<Binding> = serde_json::from_value(graph["bindings"].clone()).unwrap();
    let inputs = GraphInputs {
        entries: graph["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(entry)
            .collect(),
        resources: bindings
            .iter()
            .map(|b| Resource::try_from(b).unwrap())
            .collect(),
        scenes: Vec::new(),
    };
    (inputs, bindings)
}

#[test]
fn graphs_of_the_corpus_give_the_results_of_a_device() {
    let folder = file("../corpus/shaders/work_graphs");
    let (mut agreed, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("the corpus") {
        let path = entry.unwrap().path();
        let Some(library) = path.to_str().unwrap().strip_suffix(".run.json") else {
            continue;
        };
        let library = std::fs::read(format!("{library}.dxil")).expect("a library");
        let test: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for case in test["cases"].as_array().unwrap() {
            let name = format!("{}: {}", path.display(), case["name"]);
            if !case["without"]["interpreter"].is_null() {
                continue;
            }
            let (inputs, bindings) = inputs_of(&case["graph"]);
            let outputs = run_graph(&library, &inputs, &Options::default());
            let outputs = outputs.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(outputs.out_of_bounds, 0, "{name}");
            for (resource, binding) in outputs.resources.iter().zip(&bindings) {
                assert_eq!(resource.place, binding.place, "{name}");
                let mismatch = binding.mismatch(&resource.bytes, resource.counter).unwrap();
                wrong.extend(mismatch.map(|mismatch| format!("{name}: {mismatch:?}")));
            }
            agreed += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(agreed >= 12, "only {agreed} cases");
}

/// Every node of the corpus's libraries runs with generated resources and records of small numbers.
#[test]
fn nodes_of_the_corpus_run() {
    let (mut ran, mut wrong) = (0, Vec::new());
    for path in files(&corpus(), "dxil") {
        let bytes = std::fs::read(&path).unwrap();
        let input = trellis_dxil_frontend::read(&bytes).expect("the corpus is valid");
        let dispatch = generate::dispatch(&input.module, &input.shader, [1; 3], 4);
        for entry in &input.shader.entry_points {
            let Some(node) = &entry.properties.node else {
                continue;
            };
            let id = node.id.clone().unwrap_or_default();
            let size = node.input_record().map_or(0, |record| record.size as usize);
            let one = (0..size)
                .map(|at| u8::from(at % 4 == 0))
                .collect::<Vec<_>>();
            let name = match &*id.name {
                "" => entry.name.to_string(),
                name => name.to_owned(),
            };
            let inputs = GraphInputs {
                entries: vec![GraphEntry {
                    node: name.clone(),
                    index: id.index,
                    count: 3,
                    records: one.repeat(3),
                }],
                resources: dispatch
                    .bindings
                    .iter()
                    .map(|b| Resource::try_from(b).unwrap())
                    .collect(),
                scenes: Vec::new(),
            };
            match run_graph_module(&input.module, &input.shader, &inputs, &Options::default()) {
                Ok(_) => ran += 1,
                Err(error) => wrong.push(format!("{}, {name}: {error}", path.display())),
            }
        }
    }
    println!("{ran} ran");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ran >= 50, "only {ran} ran");
}
