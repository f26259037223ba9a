//! The explorer's answers for the shaders that its page offers, and for inputs that are not
//! shaders.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use trellis_dxil::Options;
use trellis_dxil::structurizer::text::parse;
use trellis_dxil::structurizer::trace;
use trellis_explorer::{Answer, Request, TextView, answer_bytes, explore};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn shader(name: &str) -> Vec<u8> {
    fs::read(root().join("corpus/shaders").join(name)).unwrap()
}

fn with_options(bytes: &[u8], options: Value) -> Answer {
    let request = Request {
        options,
        ..Request::default()
    };
    explore(bytes, &request)
}

/// Returns the blocks that a text has lines of.
fn blocks(view: &TextView) -> BTreeSet<String> {
    let marks = view.marks.iter().flat_map(|mark| &mark.blocks);
    marks.cloned().collect()
}

/// Returns the line at which a block begins.
fn line_of<'a>(view: &'a TextView, block: &str) -> &'a str {
    let mut marks = view.marks.iter();
    let mark = marks
        .find(|mark| mark.blocks.iter().any(|name| name == block))
        .unwrap();
    view.text.lines().nth(mark.line).unwrap()
}

#[test]
fn a_block_is_found_in_all_texts() {
    let answer = explore(&shader("control_flow/collatz.dxil"), &Request::default());
    assert_eq!(answer.error, None);
    assert_eq!(answer.entries[0].stage, "compute");
    let pseudo_code = &answer.functions[0].pseudo_code;
    assert_eq!(line_of(pseudo_code, "b2"), "        // b2 (%9)");
    assert!(line_of(&answer.input, "b2").starts_with("; <label>:9 "));
    assert_eq!(line_of(&answer.output, "b2").trim(), "%b2 = OpLabel");
    assert_eq!(line_of(&answer.input, "b0"), "define void @main() {");
    // The SPIR-V has all blocks, those that the structurizer inserts too.
    assert!(blocks(&answer.output).is_superset(&blocks(pseudo_code)));
    assert!(answer.output_bytes > 100);
}

#[test]
fn all_samples_are_shown() {
    let list = fs::read_to_string(root().join("explorer/samples.txt")).unwrap();
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for line in lines {
        let read = |extension| fs::read(root().join(format!("{line}.{extension}"))).ok();
        let bytes = ["dxil", "dxbc", "cfg"].into_iter().find_map(read).unwrap();
        let answer = explore(&bytes, &Request::default());
        assert_eq!(answer.error, None, "{line}");
        for function in &answer.functions {
            assert!(function.steps.len() >= 2, "{line}");
            assert!(!function.pseudo_code.marks.is_empty(), "{line}");
        }
        assert!(!answer.output.marks.is_empty(), "{line}");
        count += 1;
    }
    assert!(count > 10);
}

#[test]
fn steps_have_the_remarks_of_their_stages() {
    let text = "a: b\nb: c d\nc: b e\nd: e f\ne: b g\nf: g\ng: ret";
    let mut options = Options::default().structurizer_options();
    options.verify = true;
    let trace = trace(parse(text).unwrap(), &options).unwrap();
    let answer = explore(text.as_bytes(), &Request::default());
    let steps = &answer.functions[0].steps;
    let found: Vec<(&str, &str)> = { steps.iter() }
        .flat_map(|step| &step.remarks)
        .map(|remark| (remark.block.as_str(), remark.text.as_str()))
        .collect();
    let remarks = trace.structured.report.remarks.iter();
    let expected: Vec<(String, String)> = remarks
        .map(|remark| (remark.block.to_string(), remark.sentence()))
        .collect();
    assert!(expected.len() > 2);
    assert!(found.iter().zip(&expected).all(|(a, b)| *a == (&b.0, &b.1)));
    assert_eq!(
        (found.len(), steps.len()),
        (expected.len(), trace.snapshots.len())
    );
}

#[test]
fn what_is_long_is_cut() {
    let mut answer = explore(&shader("control_flow/collatz.dxil"), &Request::default());
    let (whole, pseudo_code) = (answer.output.text.clone(), &answer.functions[0].pseudo_code);
    assert!(pseudo_code.text.len() > 100 && pseudo_code.cut == 0);
    answer.shorten(100);
    assert_eq!(
        (&answer.output.text, answer.output.cut),
        (&whole[..100].to_owned(), whole.len() - 100)
    );
    assert_eq!(answer.functions[0].pseudo_code.text.len(), 100);
    let request = Request {
        largest_graph: 3,
        ..Request::default()
    };
    let answer = explore(&shader("control_flow/collatz.dxil"), &request);
    let why = answer.functions[0].steps[0].not_drawn.as_deref().unwrap();
    assert!(why.ends_with("at most 3 are drawn"), "{why}");
}

#[test]
fn functions_have_their_blocks_in_the_output() {
    let manifest = fs::read_to_string(root().join("corpus/shaders/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let mut with_many = 0;
    for entry in manifest["shaders"].as_array().unwrap() {
        let path = entry["path"].as_str().unwrap();
        let request = Request {
            largest_graph: 0,
            ..Request::default()
        };
        let answer = explore(&shader(path), &request);
        for (number, function) in answer.functions.iter().enumerate() {
            let of_function = |view: &TextView| -> BTreeSet<String> {
                let marks = view.marks.iter().filter(|mark| mark.function == number);
                marks.flat_map(|mark| mark.blocks.clone()).collect()
            };
            let (shown, output) = (
                of_function(&function.pseudo_code),
                of_function(&answer.output),
            );
            assert!(
                answer.output.text.is_empty() || output.is_superset(&shown),
                "{path}, function {number} ({}): {:?} are missing",
                function.name,
                shown.difference(&output)
            );
        }
        with_many += usize::from(answer.functions.len() > 1 && answer.error.is_none());
    }
    assert!(with_many > 10, "{with_many} shaders have several functions");
}

#[test]
fn a_stage_that_is_off_changes_the_result() {
    let bytes = shader("control_flow/fig_spaghetti.dxil");
    let all = with_options(&bytes, Value::Null);
    let off = json!({ "structurizer": { "stages": { "conditions": false, "loop-ends": false, "switch-order": false } } });
    let less = with_options(&bytes, off);
    assert_eq!((&all.error, &less.error), (&None, &None));
    assert_ne!(
        all.functions[0].pseudo_code.text,
        less.functions[0].pseudo_code.text
    );
    assert_ne!(all.output.text, less.output.text);
    assert!(all.functions[0].steps[0].svg.starts_with("<svg"));
    assert_eq!(all.input.text, less.input.text);
}

#[test]
fn what_is_not_a_shader_is_an_error_with_what_could_be_shown() {
    let collatz = shader("control_flow/collatz.dxil");
    let kind = |answer: Answer| answer.error.map(|error| error.kind);
    assert_eq!(
        kind(explore(b"", &Request::default())).as_deref(),
        Some("read")
    );
    assert_eq!(
        kind(explore(b"\0\xff", &Request::default())).as_deref(),
        Some("read")
    );
    for end in 0..collatz.len() {
        let answer = explore(&collatz[..end], &Request::default());
        assert!(answer.error.is_some(), "{end}");
    }
    // Not a graph without blocks.
    let empty = explore(b"", &Request::default()).error.unwrap();
    assert_eq!(empty.message, "the file is empty");
    let unknown = with_options(&collatz, json!({ "no": 1 }));
    assert!(
        unknown
            .error
            .unwrap()
            .message
            .contains("unknown field `no`")
    );
    // The listing is there, and the options can be corrected.
    assert!(unknown.input.text.contains("define void @main()"));
    let elsewhere = Request {
        entry: Some("elsewhere".to_owned()),
        ..Request::default()
    };
    let answer = explore(&collatz, &elsewhere);
    assert_eq!(kind(answer).as_deref(), Some("entry_point"));
}

#[test]
fn long_vectors_are_shown() {
    let answer = explore(&shader("vectors/longest.dxil"), &Request::default());
    assert_eq!((answer.error, answer.no_functions), (None, None));
    assert!(answer.input.text.contains("define void @main()"));
    assert!(answer.output_bytes > 0 && answer.output.text.contains("OpFunctionEnd"));
}

#[test]
fn words_alone_are_the_conversion() {
    let collatz = shader("control_flow/collatz.dxil");
    let request = Request {
        words: true,
        ..Request::default()
    };
    let answer = explore(&collatz, &request);
    let expected = trellis_dxil::convert(&collatz, &Options::default()).unwrap();
    let words = BASE64_STANDARD.decode(answer.words.unwrap()).unwrap();
    assert_eq!(words, expected.bytes());
    assert!(answer.functions.is_empty() && answer.input.text.is_empty());
    let answer = explore(&collatz[..100], &request);
    assert_eq!((answer.words, answer.error.is_some()), (None, true));
}

#[test]
fn requests_and_answers_are_json() {
    let answer =
        |request: &[u8]| -> Value { serde_json::from_slice(&answer_bytes(request)).unwrap() };
    let graph = answer(b"{}\na: b c\nb: d\nc: d\nd: ret\n");
    assert_eq!(graph["error"], Value::Null);
    assert_eq!(graph["functions"][0]["steps"][0]["stage"], "input");
    assert_eq!(graph["output"]["marks"][0]["blocks"], json!(["b0"]));
    assert_eq!(answer(b"")["error"]["kind"], "request");
    assert_eq!(answer(b"{\"entry\": 1}\n")["error"]["kind"], "request");
}

#[test]
fn sources_come_from_all_parts() {
    let names = |bytes: &[u8]| -> Vec<(String, bool)> {
        let sources = explore(bytes, &Request::default()).sources;
        let view = |source: trellis_explorer::SourceView| {
            let is_whole = source.text.text.contains("return") && source.text.text.ends_with("}\n");
            (source.name, is_whole)
        };
        sources.into_iter().map(view).collect()
    };
    let pdb = include_bytes!("data/source_info.pdb");
    let expected = ["source_info.hlsl", "./source_info.hlsli"].map(|name| (name.to_owned(), true));
    assert_eq!(names(pdb), expected);
    let embedded = shader("options/debug_information.zi.dxil");
    assert_eq!(names(&embedded).len(), 1);
    // A part that ends early has the files before.
    for end in 0..pdb.len() {
        explore(&pdb[..end], &Request::default());
    }
}

#[test]
fn lines_of_hlsl_have_blocks_and_locations() {
    let answer = explore(
        &shader("options/debug_information.zi.dxil"),
        &Request::default(),
    );
    let hlsl = answer.hlsl.unwrap();
    let line = |text: &str| {
        hlsl.text
            .lines()
            .position(|line| line.contains(text))
            .unwrap()
    };
    assert_eq!(
        blocks(&hlsl),
        BTreeSet::from(["b0", "b2", "b4"].map(str::to_owned))
    );
    let dot = line("float falloff = saturate(");
    let nodes = { hlsl.locations.iter() }.filter(|(line, _)| *line == dot);
    let lines = nodes.map(|(_, node)| {
        let node = format!("\n!{node} = !DILocation(line: ");
        answer
            .input
            .text
            .split_once(&node)
            .unwrap()
            .1
            .split(',')
            .next()
            .unwrap()
    });
    assert_eq!(lines.collect::<BTreeSet<_>>(), BTreeSet::from(["14"]));
}

#[test]
fn lines_of_assembly_have_blocks() {
    let path = root().join("corpus/dxbc/control_flow/bubble_sort.dxbc");
    let answer = explore(&fs::read(path).unwrap(), &Request::default());
    let (assembly, pseudo_code) = (answer.assembly.unwrap(), &answer.functions[0].pseudo_code);
    assert!(
        line_of(&assembly, "b1")
            .trim_start()
            .starts_with("uge r0.z, r0.y, l(16)"),
        "{}",
        line_of(&assembly, "b1")
    );
    assert!(blocks(&assembly).len() > 3 && blocks(&answer.input).is_superset(&blocks(&assembly)));
    assert!(pseudo_code.text.contains("b1"));
}

#[test]
fn spirv_is_shown_as_assembly() {
    let output =
        trellis_dxil::convert(&shader("control_flow/collatz.dxil"), &Options::default()).unwrap();
    let answer = explore(&output.bytes(), &Request::default());
    assert_eq!(
        (answer.error, answer.output_bytes),
        (None, output.words.len() * 4)
    );
    assert!(answer.output.text.contains("OpEntryPoint") && answer.functions.is_empty());
    let swapped: Vec<u8> = output
        .words
        .iter()
        .flat_map(|word| word.to_be_bytes())
        .collect();
    assert_eq!(
        explore(&swapped, &Request::default()).output.text,
        answer.output.text
    );
    // Changed words may be an error, and no more.
    for at in 5..output.words.len() {
        for word in [0, 0x0001_0000, 0xFFFF_0005, output.words[at] ^ 0x0002_0001] {
            let mut words = output.words.clone();
            words[at] = word;
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            explore(&bytes, &Request::default());
        }
        explore(&output.bytes()[..4 * at], &Request::default());
    }
}

#[test]
fn sources_and_lines_of_dxbc_come_from_its_database() {
    let shader = include_bytes!("data/fxc_zi.dxbc");
    let answer = explore(shader, &Request::default());
    let assembly = answer.assembly.unwrap();
    let lines: Vec<&str> = assembly.text.lines().collect();
    let (mut shown, mut last) = (String::new(), None);
    for &(line, file, number) in &assembly.source_lines {
        let source = &answer.sources[file];
        let text = source.text.text.lines().nth(number as usize - 1).unwrap();
        if last.replace((file, number)) != Some((file, number)) {
            shown.push_str(&format!(
                "{} {}\n",
                source.name.rsplit('\\').next().unwrap(),
                text.trim()
            ));
        }
        shown.push_str(&format!("    {}\n", lines[line].trim()));
    }
    let expected = "\
fxc_zi.hlsl for (uint i = 0; i < x; i++)
    mov r0.xy, l(0,0,0,0)
    loop
    uge r0.z, r0.y, vThreadID.x
    breakc_nz r0.z
fxc_zi.hlsl sum += twice(i);
    bfi r0.z, l(31), l(1), r0.y, l(1)
    iadd r0.x, r0.z, r0.x
fxc_zi.hlsl }
    iadd r0.y, r0.y, l(1)
fxc_zi.hlsl for (uint i = 0; i < x; i++)
    iadd r0.y, r0.y, l(1)
fxc_zi.hlsl }
    endloop
fxc_zi.hlsl Out[x] = sum;
    store_structured u0.x, vThreadID.x, l(0), r0.x
fxc_zi.hlsl }
    ret
";
    assert_eq!(shown, expected, "{shown}");
    for at in (0..shader.len()).step_by(11) {
        let mut changed = shader.to_vec();
        changed[at] ^= 0x41;
        explore(
            &changed,
            &Request {
                largest_graph: 0,
                ..Request::default()
            },
        );
    }
}
