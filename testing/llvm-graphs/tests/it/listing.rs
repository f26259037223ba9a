//! LLVM 14 reads our listing of each program of the corpus as the module that it reads from the
//! bitcode: the text that it prints of both is the same.
//!
//! DXIL is LLVM 3.7 bitcode, which LLVM 14 brings up to date while it reads. It does so with the
//! text, too, except for the changes of [`upgrade`].

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use shader_testkit::{containers, programs};
use trellis_dxil_frontend::bitcode::read_module;
use trellis_dxil_frontend::disasm::disassemble;

/// Returns the text after a marker up to one of some ends.
fn between<'a>(text: &'a str, start: &str, ends: &[char]) -> Option<&'a str> {
    let rest = &text[text.find(start)? + start.len()..];
    rest.split(ends).next()
}

/// Upgrades text of LLVM 3.7 to LLVM 14's, as LLVM does with bitcode: `sret` has the type; a
/// function names its subprogram, not the other way around; the same for subprograms and their
/// compile unit; the compile unit lists global variables with an expression of each.
fn upgrade(listing: &str) -> String {
    let unit = listing
        .lines()
        .find(|line| line.contains(" !DICompileUnit("));
    let unit_id = unit.and_then(|line| line.split(' ').next()).unwrap_or("");
    let field = |name| {
        unit.and_then(|line| between(line, name, &[',', ')']))
            .unwrap_or("-")
    };
    let globals = format!("{} = !{{", field("globals: "));
    let subprograms = format!(", subprograms: {}", field("subprograms: "));
    let mut subprogram_of = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for line in listing.lines() {
        let mut line = line.replace("DW_OP_bit_piece", "DW_OP_LLVM_fragment");
        let mut parameters = line.split(" sret");
        let mut with_types = parameters.next().unwrap_or("").to_owned();
        for rest in parameters {
            let start = with_types.rfind(['(', ',']).map_or(0, |at| at + 1);
            let ty = with_types[start..].split('*').next().unwrap_or("").trim();
            with_types = format!("{with_types} sret({ty}){rest}");
        }
        line = with_types;
        line = line.replace(&subprograms, "");
        if let Some(count) = between(&line, "!DISubrange(count: ", &[')']) {
            line = line.replace(
                &format!("count: {count}"),
                &format!("count: {count}, lowerBound: 0"),
            );
        } else if let Some(tag) = between(&line, "!DILocalVariable(tag: ", &[',']) {
            line = line.replace(&format!("tag: {tag}, "), "");
        } else if line.contains("!DISubprogram(") && line.contains("isDefinition: true") {
            if let Some((before, rest)) = line.split_once(", function: ") {
                let fields = [", templateParams: ", ", declaration: ", ", variables: "];
                let ends = fields.iter().filter_map(|name| rest.find(name));
                let (function, after) = rest.split_at(ends.min().unwrap_or(rest.len() - 1));
                let name = function.rsplit('@').next().unwrap_or("");
                let id = line.split(' ').next().unwrap_or("");
                subprogram_of.push((format!("@{name}("), id.to_owned()));
                line = format!("{before}{after}");
            }
            line = line.replace(", variables: ", ", retainedNodes: ");
            line = line.replace(" = !DISub", " = distinct !DISub");
            line = format!("{}, unit: {unit_id})", &line[..line.len() - 1]);
        } else if let Some(list) = line.strip_prefix(&globals) {
            let with_expression =
                |id: &str| format!("!DIGlobalVariableExpression(var: {id}, expr: !DIExpression())");
            let ids = list
                .trim_end_matches('}')
                .split(", ")
                .filter(|id| !id.is_empty());
            let all: Vec<String> = ids.map(with_expression).collect();
            line = format!("{globals}{}}}", all.join(", "));
        }
        lines.push(line);
    }
    for line in lines.iter_mut().filter(|line| line.starts_with("define ")) {
        let found = subprogram_of
            .iter()
            .find(|(name, _)| line.contains(name.as_str()));
        if let (Some((_, id)), Some(before)) = (found, line.strip_suffix(" {")) {
            *line = format!("{before} !dbg {id} {{");
        }
    }
    lines.join("\n")
}

/// Returns LLVM's text of a module, which it reads from bitcode or text.
fn printed(is_text: bool, bytes: &[u8]) -> Result<String, String> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, "program");
    let module = if is_text {
        context.create_module_from_ir(buffer)
    } else {
        Module::parse_bitcode_from_buffer(&buffer, &context)
    };
    let text = module.map_err(|error| error.to_string())?.print_to_string();
    // These are written in place in a text, where they cannot be distinct.
    let expression = "!DIGlobalVariableExpression(";
    Ok(text
        .to_string()
        .replace(&format!("distinct {expression}"), expression))
}

#[test]
fn llvm_reads_the_same() {
    let (mut differences, mut compared, mut lines) = (Vec::new(), 0, 0);
    for (name, file) in containers() {
        for program in programs(&name, &file) {
            let name = program.name;
            let ours = read_module(&program.bytes, program.offset)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let listing = disassemble(&ours, None, None).unwrap();
            let theirs = printed(false, &program.bytes)
                .unwrap_or_else(|error| panic!("{name}: LLVM: {error}"));
            let found = printed(true, upgrade(&listing).as_bytes())
                .unwrap_or_else(|error| format!("LLVM does not read the listing: {error}"));
            compared += 1;
            lines += theirs.lines().count();
            if theirs != found {
                let (a, b) = theirs
                    .lines()
                    .zip(found.lines())
                    .find(|(a, b)| a != b)
                    .unwrap_or(("", "the length"));
                differences.push(format!("{name}:\nexpected {a}\nfound    {b}"));
            }
        }
    }
    println!("{compared} programs, {lines} lines");
    assert!(lines > 20 * compared, "hardly anything was compared");
    assert!(
        differences.is_empty(),
        "{}:\n{}",
        differences.len(),
        differences.join("\n")
    );
}
