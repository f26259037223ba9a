//! The files of `tests/data/outputs`: conversions, and how many of their instructions fit patterns.
//!
//! ```text
//! textures/multisample.dxil
//! + sample_count=4
//!   1 0 | OpSpecConstant *
//! ```
//!
//! `SHADER[@ENTRY] [OPTION=JSON]…` converts a shader of the corpus, and `+ [OPTION=JSON]…` the one of the
//! line before with other options. `$NAME OPTION=JSON…` names options. Lines that begin with `:` are a body
//! for `main`, all of it or as [`main_of`] takes it, and `:fn NAME TYPE %PARAMETER : TYPE, …` begins another function. The table after a group of conversions has a row per pattern,
//! with the number of instructions for each conversion, or `!` where the conversion fails and the pattern is
//! in the error. `TRELLIS_BLESS=1` writes the numbers. `validate=false` is for modules that SPIRV-Tools reject
//! although they are valid.
//!
//! A pattern consists of words; `*` is any text. Types and constants are written where they are used, and
//! other results with their opcode: `OpIAdd u32 %12:Load 1`, `OpVariable Function:v4f32[16] Function`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use trellis_spirv_backend::options::list;
use trellis_spirv_backend::{Error, Options, convert_entry};

use crate::assembler::{self, Text, main_of};
use crate::common;

#[derive(Default)]
struct Conversion<'t> {
    shader: &'t str,
    options: String,
    body: String,
}

/// Returns options from `NAME=JSON` words.
fn options(words: &str) -> Options {
    let all = list().unwrap();
    let mut object = Map::new();
    for word in words.split_whitespace() {
        let (name, value) = word.split_once('=').expect("OPTION=JSON");
        let value: Value = serde_json::from_str(value).unwrap_or_else(|e| panic!("{word}: {e}"));
        match all
            .iter()
            .find(|option| option.name == name && !option.group.is_empty())
        {
            Some(option) => object.entry(option.group).or_insert(Map::new().into())[name] = value,
            None => drop(object.insert(name.to_owned(), value)),
        }
    }
    serde_json::from_value(object.into()).unwrap_or_else(|error| panic!("{words}: {error}"))
}

/// Returns the name, the type, the parameters and the body of a function.
fn function(text: &str) -> (&str, &str, Vec<&str>, &str) {
    let (head, body) = text.split_once('\n').unwrap();
    let (name, head) = head.split_once(' ').unwrap();
    let (ty, parameters) = head.split_once(' ').unwrap();
    (name, ty, parameters.split(", ").collect(), body)
}

impl Conversion<'_> {
    fn run(&self) -> Result<Vec<String>, Error> {
        let (shader, name) = self.shader.split_once('@').unwrap_or((self.shader, ""));
        let mut input = assembler::shader(shader);
        if !self.body.is_empty() {
            let mut parts = self.body.split("\nfn ");
            let main = match parts.next().unwrap() {
                main if main.starts_with("entry:") => main.to_owned(),
                main => main_of(main),
            };
            let others: Vec<_> = parts.map(function).collect();
            let others = others.iter();
            let others = others.map(|(name, ty, list, body)| Text(name, ty, list, body));
            let main = [Text("main", "void", &[], &main)];
            let functions: Vec<_> = main.into_iter().chain(others).collect();
            assembler::replace(&mut input.module, &functions);
        }
        let is_named = |entry: &str| trellis_dxil_frontend::shader::source_name(entry) == name;
        let mut entries = input.shader.shaders();
        let entry = entries
            .find(|entry| name.is_empty() || is_named(&entry.name))
            .unwrap();
        let mut options = options(&self.options);
        options.debug.validate = cfg!(feature = "validate") && !self.options.contains("validate");
        let output = match convert_entry(&input, entry, &options) {
            // Features that SPIRV-Tools do not know.
            Err(Error::Unsupported { .. }) if options.debug.validate => {
                options.debug.validate = false;
                convert_entry(&input, entry, &options)?
            }
            converted => converted?,
        };
        if !self.body.is_empty() {
            common::check_with_spirv_val("outputs", &output);
        }
        Ok(readable(&common::lines_of(&output.words)))
    }
}

/// Writes types and constants where they are used, and other results with their opcode.
fn readable(lines: &[String]) -> Vec<String> {
    let mut known: HashMap<&str, String> = HashMap::new();
    let mut made = Vec::new();
    for line in lines {
        let words = line
            .split(' ')
            .map(|word| known.get(word).map_or(word, String::as_str));
        let words: Vec<&str> = words.collect();
        made.push(words.join(" "));
        let [id, "=", ref words @ ..] = words[..] else {
            continue;
        };
        let short = match *words {
            ["OpTypeInt", width, "0"] => format!("u{width}"),
            ["OpTypeInt", width, _] => format!("i{width}"),
            ["OpTypeFloat", width] => format!("f{width}"),
            ["OpTypeBool"] => "bool".to_owned(),
            ["OpTypeRayQueryKHR"] => "query".to_owned(),
            ["OpTypeVector", element, count] => format!("v{count}{element}"),
            ["OpTypeArray", element, count] => format!("{element}[{count}]"),
            ["OpTypeRuntimeArray", element] => format!("{element}[]"),
            ["OpTypePointer", class, pointee] => format!("{class}:{pointee}"),
            ["OpConstant", _, number] => number.to_owned(),
            ["OpConstantNull", _] => "null".to_owned(),
            ["OpExtInst", _, _, name, ..] => format!("{id}:{name}"),
            ["OpVariable", ty, ..] if id[1..].parse::<u32>().is_ok() => format!("{id}:{ty}"),
            ["OpVariable" | "OpFunction" | "OpLabel", ..] => continue,
            [op, ..] if op.starts_with("OpType") => continue,
            [op, ..] => format!("{id}:{}", op.trim_start_matches("Op")),
            [] => continue,
        };
        known.insert(line.split(' ').next().unwrap_or_default(), short);
    }
    made
}

/// Returns whether a text has words that fit a pattern.
fn fits(text: &str, pattern: &str) -> bool {
    let text = format!(" {text} ");
    let pattern = format!(" {pattern} ");
    let mut rest = &*text;
    pattern.split('*').all(|part| {
        let found = rest.find(part);
        rest = found.map_or("", |at| &rest[at + part.len()..]);
        found.is_some()
    })
}

/// Returns a file with the numbers of this build.
fn counted<'t>(text: &'t str) -> String {
    let mut made = String::new();
    let mut group: Vec<Conversion<'_>> = Vec::new();
    let mut results = None;
    let mut named = HashMap::new();
    for line in text.lines() {
        if let Some((_, pattern)) = line.strip_prefix("  ").and_then(|l| l.split_once("| ")) {
            let run = || group.iter().map(Conversion::run).collect::<Vec<_>>();
            let numbers = results
                .get_or_insert_with(run)
                .iter()
                .map(|result| match result {
                    Ok(lines) => lines
                        .iter()
                        .filter(|line| fits(line, pattern))
                        .count()
                        .to_string(),
                    Err(error) if fits(&error.to_string(), pattern) => "!".to_owned(),
                    Err(error) => format!("({error})"),
                });
            let numbers: Vec<String> = numbers.collect();
            writeln!(made, "  {} | {pattern}", numbers.join(" ")).unwrap();
            continue;
        }
        if let Some(line) = line.strip_prefix(':') {
            let body = &mut group.last_mut().expect("a conversion before a body").body;
            writeln!(body, "{line}").unwrap();
        } else if let Some((name, options)) = line.strip_prefix('$').and_then(|l| l.split_once(' '))
        {
            named.insert(name, options);
        } else if !line.is_empty() && !line.starts_with('#') {
            if results.take().is_some() {
                group.clear();
            }
            let (shader, options) = line.split_once(' ').unwrap_or((line, ""));
            let word = |word: &'t str| word.strip_prefix('$').map_or(word, |name| named[name]);
            let options = options
                .split(' ')
                .map(word)
                .collect::<Vec<&str>>()
                .join(" ");
            let before = group.last().map(|conversion| conversion.shader);
            let shader = if shader == "+" {
                before.unwrap()
            } else {
                shader
            };
            group.push(Conversion {
                shader,
                options,
                ..Conversion::default()
            });
        }
        writeln!(made, "{line}").unwrap();
    }
    made
}

#[test]
fn outputs_have_the_instructions_of_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/outputs");
    let mut wrong = String::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let made = counted(&text);
        if std::env::var_os("TRELLIS_BLESS").is_some() {
            fs::write(&path, made).unwrap();
            continue;
        }
        for (number, (line, found)) in (1..).zip(text.lines().zip(made.lines())) {
            if line != found {
                writeln!(wrong, "{}:{number}:{line}\nfound:{found}", path.display()).unwrap();
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{wrong}TRELLIS_BLESS=1 writes the numbers"
    );
}
