//! Turns `data/dx_ops.csv`, a table of facts about the `dx.op` operations, into the Rust table that
//! `src/dxop.rs` includes.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

/// One row of the table.
struct Row {
    code: u32,
    name: String,
    class: String,
    overloads: String,
    returns: String,
    params: Vec<(String, String)>,
    model: (u32, u32),
    stages: Vec<String>,
    effects: Vec<&'static str>,
}

fn main() {
    println!("cargo::rerun-if-changed=data/dx_ops.csv");
    println!("cargo::rerun-if-changed=build.rs");
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let text = fs::read_to_string(root.join("data/dx_ops.csv")).expect("data/dx_ops.csv");
    let rows: Vec<Row> = text
        .lines()
        .skip(1)
        .filter(|l| !l.is_empty())
        .map(row)
        .collect();
    fs::write(out.join("dxop_table.rs"), table(&rows)).expect("write the table");
}

/// Fields of a line; a field in double quotes may hold commas.
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            _ => out.last_mut().expect("never empty").push(c),
        }
    }
    out
}

fn row(line: &str) -> Row {
    let f = fields(line);
    assert_eq!(f.len(), 17, "17 columns in: {line}");
    let flag = |i: usize| f[i] == "1";
    let (name, attr) = (f[2].clone(), f[9].as_str());
    let quad = name.starts_with("Quad");
    let (derivative, gradient, wave, barrier, reserved) =
        (flag(10), flag(11), flag(13), flag(14), flag(16));
    let mut effects = Vec::new();
    let mut add = |on: bool, what: &'static str| {
        if on {
            effects.push(what);
        }
    };
    add(attr == "rn", "READ_NONE");
    add(attr == "ro", "READ_ONLY");
    add(attr == "nr", "NO_RETURN");
    add(derivative, "DERIVATIVE");
    add(gradient && !derivative, "IMPLICIT_LOD");
    add(wave, "WAVE");
    add(quad, "QUAD");
    add(barrier, "BARRIER");
    // The table's own convergence column is incomplete: all of these exchange data or order between
    // lanes.
    add(
        flag(12) || derivative || gradient || wave || quad || barrier,
        "CONVERGENT",
    );
    // Neither readnone nor readonly means a side effect, except where it only says "do not move me
    // across lanes".
    add(
        !matches!(attr, "rn" | "ro") && !wave && !barrier && !reserved,
        "WRITES",
    );
    add(reserved, "RESERVED");
    let params = f[6]
        .split_whitespace()
        .map(|p| {
            let (n, t) = p.split_once(':').expect("name:type");
            (n.to_owned(), ty(t).to_owned())
        })
        .collect();
    let (major, minor) = f[7].split_once('.').expect("a shader model");
    Row {
        code: f[1].parse().expect("an opcode"),
        name,
        class: f[3].clone(),
        overloads: f[4].clone(),
        returns: ty(&f[5]).to_owned(),
        params,
        model: (
            major.parse().expect("a number"),
            minor.parse().expect("a number"),
        ),
        stages: f[8]
            .split_whitespace()
            .map(stage)
            .map(str::to_owned)
            .collect(),
        effects,
    }
}

/// `ParamType` of a type code of the table.
fn ty(code: &str) -> &'static str {
    match code {
        "v" => "Void",
        "i1" => "I1",
        "i8" => "I8",
        "i16" => "I16",
        "i32" => "I32",
        "i64" => "I64",
        "u8" => "U8",
        "u32" => "U32",
        "h" => "Half",
        "f" => "Float",
        "d" => "Double",
        "pf32" => "FloatPtr",
        "res" => "Handle",
        "resbind" => "ResBind",
        "resproperty" => "ResProperties",
        "nodehandle" => "NodeHandle",
        "noderecordhandle" => "NodeRecordHandle",
        "nodeproperty" => "NodeProperties",
        "noderecordproperty" => "NodeRecordProperties",
        "hit_object" => "HitObject",
        "$o" => "Overload",
        "$x0" => "Overload0",
        "$x1" => "Overload1",
        "$x2" => "Overload2",
        "$x3" => "Overload3",
        "$x_gs1" => "GroupsharedOverload1",
        "$elt" => "OverloadElement",
        "$o_i1" => "I1LikeOverload",
        "$o_i32" => "I32LikeOverload",
        "$r" => "ResRet",
        "$cb" => "CBufRet",
        "$vec4" => "OverloadVec4",
        "$vec9" => "OverloadVec9",
        "$udt" => "UserType",
        "$obj" => "Object",
        "twoi32" => "TwoI32",
        "i32c" => "I32Carry",
        "fouri32" => "FourI32",
        "splitdouble" => "SplitDouble",
        "dims" => "Dimensions",
        "SamplePos" => "SamplePos",
        "int2" => "Int2",
        other => panic!("type code {other} of dx_ops.csv has no ParamType"),
    }
}

fn stage(s: &str) -> &'static str {
    match s {
        "pixel" => "PIXEL",
        "vertex" => "VERTEX",
        "geometry" => "GEOMETRY",
        "hull" => "HULL",
        "domain" => "DOMAIN",
        "compute" => "COMPUTE",
        "library" => "LIBRARY",
        "raygeneration" => "RAY_GENERATION",
        "intersection" => "INTERSECTION",
        "anyhit" => "ANY_HIT",
        "closesthit" => "CLOSEST_HIT",
        "miss" => "MISS",
        "callable" => "CALLABLE",
        "mesh" => "MESH",
        "amplification" => "AMPLIFICATION",
        "node" => "NODE",
        other => panic!("stage {other} of dx_ops.csv is unknown"),
    }
}

/// `Round_ne` → `RoundNe`.
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

fn table(rows: &[Row]) -> String {
    let mut o = String::new();
    let experimental: Vec<&Row> = rows.iter().filter(|r| r.code >= 1 << 31).collect();
    for (i, r) in rows.iter().enumerate() {
        let expected = if r.code < 1 << 31 {
            i
        } else {
            (r.code - (1 << 31)) as usize + rows.len() - experimental.len()
        };
        assert_eq!(
            i, expected,
            "the opcodes of each table are dense and in order: {}",
            r.name
        );
    }
    o.push_str("/// An operation of the `dx.op` table. The discriminant is an index into the table, not the opcode: see [`OpInfo::code`].\n");
    o.push_str("#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]\n#[repr(u16)]\npub enum Op {\n");
    for r in rows {
        writeln!(
            o,
            "    /// `{}`, opcode {}.\n    {},",
            r.name,
            r.code,
            variant(&r.name)
        )
        .expect("a String");
    }
    o.push_str("}\n");
    writeln!(o, "/// Number of core operations; they come first in [`TABLE`].\npub const CORE_OPS: u32 = {};", rows.len() - experimental.len())
        .expect("a String");
    writeln!(
        o,
        "/// All operations in table order.\npub static ALL_OPS: [Op; {}] = [",
        rows.len()
    )
    .expect("a String");
    for r in rows {
        writeln!(o, "    Op::{},", variant(&r.name)).expect("a String");
    }
    o.push_str("];\n");
    writeln!(o, "/// Facts about each operation, indexed by `Op as usize`.\npub static TABLE: [OpInfo; {}] = [", rows.len()).expect("a String");
    for r in rows {
        let params = r
            .params
            .iter()
            .map(|(n, t)| format!("Param {{ name: \"{n}\", ty: ParamType::{t} }}"))
            .collect::<Vec<_>>()
            .join(", ");
        let stages = r
            .stages
            .iter()
            .map(|s| format!("Stages::{s}.0"))
            .collect::<Vec<_>>()
            .join(" | ");
        let stages = if stages.is_empty() {
            "Stages::ALL.0".to_owned()
        } else {
            stages
        };
        let effects = r
            .effects
            .iter()
            .map(|e| format!("Effects::{e}.0"))
            .collect::<Vec<_>>()
            .join(" | ");
        let effects = if effects.is_empty() {
            "0".to_owned()
        } else {
            effects
        };
        writeln!(
            o,
            "    OpInfo {{ op: Op::{}, code: {}, name: \"{}\", class: \"{}\", overloads: \"{}\", returns: ParamType::{}, params: &[{params}], \
             min_shader_model: Version {{ major: {}, minor: {} }}, stages: Stages({stages}), effects: Effects({effects}) }},",
            variant(&r.name),
            r.code,
            r.name,
            r.class,
            r.overloads,
            r.returns,
            r.model.0,
            r.model.1
        )
        .expect("a String");
    }
    o.push_str("];\n");
    o
}
