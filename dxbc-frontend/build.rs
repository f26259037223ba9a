//! Generates `dxbc_ops.rs` from `data/dxbc_ops.csv`, a table of facts about the opcodes of token
//! streams: `enum Op` and its table of `OpInfo`. `src/tokens/op.rs` includes it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=data/dxbc_ops.csv");
    println!("cargo::rerun-if-changed=build.rs");
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let text = fs::read_to_string(root.join("data/dxbc_ops.csv")).expect("data/dxbc_ops.csv");
    let (mut variants, mut infos, mut count) = (String::new(), String::new(), 0);
    for (number, row) in text.lines().skip(1).enumerate() {
        // The last column may have commas.
        let fields: Vec<&str> = row.splitn(5, ',').collect();
        let &[code, name, operands, model, becomes] = fields.as_slice() else {
            panic!("5 columns in: {row}");
        };
        assert_eq!(code, number.to_string(), "the numbers are dense: {row}");
        let (major, minor) = model.split_once('.').expect("a shader model");
        let (kind, operands) = match operands {
            "dcl" => ("Declaration", ""),
            "reserved" => ("Reserved", ""),
            operands => ("Instruction", operands),
        };
        let operands: Vec<String> = operands.split_whitespace().map(operand).collect();
        let (variant, operands) = (variant(name), operands.join(", "));
        let becomes = becomes.trim_matches('"');
        let line = format!("/// `{name}`, number {number}. Becomes: {becomes}.\n{variant},\n");
        variants.push_str(&line);
        let line = format!(
            "OpInfo {{ op: Op::{variant}, name: \"{name}\", kind: OpKind::{kind}, \
             operands: &[{operands}], min_shader_model: ({major}, {minor}) }},\n"
        );
        infos.push_str(&line);
        count += 1;
    }
    let mut o = String::new();
    let _ = write!(
        o,
        "/// An opcode of token streams. The discriminant is its number.\n\
         #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]\n\
         #[repr(u8)]\npub enum Op {{\n{variants}}}\n\
         /// Facts about each opcode, indexed by `Op as usize`.\n\
         pub static TABLE: [OpInfo; {count}] = [\n{infos}];\n"
    );
    fs::write(out.join("dxbc_ops.rs"), o).expect("write the table");
}

/// `OperandRole` of a code of the table.
fn operand(code: &str) -> String {
    let (role, ty) = code.split_once(':').unwrap_or((code, ""));
    let ty = match ty {
        "" => "",
        "f" => "Float",
        "i" => "Int",
        "u" => "Uint",
        "d" => "Double",
        "x" => "Any",
        other => panic!("type {other} of dxbc_ops.csv is unknown"),
    };
    match role {
        "d" => format!("OperandRole::Dest(OperandType::{ty})"),
        "s" => format!("OperandRole::Source(OperandType::{ty})"),
        "t" => "OperandRole::Resource".to_owned(),
        "p" => "OperandRole::Sampler".to_owned(),
        "m" => "OperandRole::Memory".to_owned(),
        "l" => "OperandRole::Label".to_owned(),
        "o" => "OperandRole::Stream".to_owned(),
        "c" => "OperandRole::Interface".to_owned(),
        other => panic!("operand {other} of dxbc_ops.csv is unknown"),
    }
}

/// `dcl_indexableTemp` → `DclIndexableTemp`.
fn variant(name: &str) -> String {
    name.split('_')
        .map(|part| {
            let mut c = part.chars();
            c.next().map_or(String::new(), |first| {
                first.to_uppercase().chain(c).collect()
            })
        })
        .collect()
}
