//! Generates Rust from `data/dx_ops.csv`, a table of facts about the `dx.op` operations:
//! `dxop_table.rs` (`enum Op` and its table of [`OpInfo`]) and `dxop_families.rs` (an enum for each
//! value of the column `family`, and `Op::classify`). `src/dxop/` includes both.

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
    family: String,
}

impl Row {
    /// Returns the name of the operation in `enum Op`.
    fn variant(&self) -> String {
        variant(&self.name)
    }
}

/// The family of numbers that DXIL reserves. It has no enum: no module may use them.
const RESERVED: &str = "Reserved";

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
    fs::write(out.join("dxop_families.rs"), families(&rows)).expect("write the families");
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
    assert_eq!(f.len(), 18, "18 columns in: {line}");
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
    // Neither readnone nor readonly means a side effect, except where it only means "do not move me
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
    let family = f[17].clone();
    assert!(
        family.starts_with(|c: char| c.is_ascii_uppercase()),
        "operation {name} of dx_ops.csv has no family"
    );
    assert_eq!(reserved, family == RESERVED, "family of {name}");
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
        family,
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

/// `enum Op`, the list of its variants and the table of facts.
fn table(rows: &[Row]) -> String {
    let core = rows.iter().filter(|r| r.code < 1 << 31).count();
    for (i, r) in rows.iter().enumerate() {
        let expected = if r.code < 1 << 31 {
            i
        } else {
            (r.code - (1 << 31)) as usize + core
        };
        assert_eq!(
            i, expected,
            "the opcodes of each table are dense and in order: {}",
            r.name
        );
    }
    let mut o = String::new();
    o.push_str(
        "/// An operation of the `dx.op` table. The discriminant is an index into the table, not the \
         opcode: see [`OpInfo::code`].\n\
         #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]\n\
         #[repr(u16)]\npub enum Op {\n",
    );
    for r in rows {
        line(&mut o, &format!("/// `{}`, opcode {}.", r.name, r.code));
        line(&mut o, &format!("{},", r.variant()));
    }
    o.push_str("}\n");
    line(
        &mut o,
        &format!(
            "/// Number of core operations; they come first in [`TABLE`].\n\
             pub const CORE_OPS: u32 = {core};\n\
             /// All operations in table order.\n\
             pub static ALL_OPS: [Op; {count}] = [{all}];\n\
             /// Facts about each operation, indexed by `Op as usize`.\n\
             pub static TABLE: [OpInfo; {count}] = [",
            count = rows.len(),
            all = join(rows, ", ", |r| format!("Op::{}", r.variant())),
        ),
    );
    for r in rows {
        line(&mut o, &format!("{},", info(r)));
    }
    o.push_str("];\n");
    o
}

/// Returns the `OpInfo` of a row.
fn info(r: &Row) -> String {
    let or = |values: &[String], none: &str| {
        if values.is_empty() {
            none.to_owned()
        } else {
            values.join(" | ")
        }
    };
    let stages: Vec<String> = r.stages.iter().map(|s| format!("Stages::{s}.0")).collect();
    let effects: Vec<String> = r
        .effects
        .iter()
        .map(|e| format!("Effects::{e}.0"))
        .collect();
    let params = join(&r.params, ", ", |(name, ty)| {
        format!("Param {{ name: \"{name}\", ty: ParamType::{ty} }}")
    });
    format!(
        "OpInfo {{ op: Op::{}, code: {}, name: \"{}\", class: \"{}\", overloads: \"{}\", \
         returns: ParamType::{}, params: &[{params}], \
         min_shader_model: Version {{ major: {}, minor: {} }}, stages: Stages({}), \
         effects: Effects({}) }}",
        r.variant(),
        r.code,
        r.name,
        r.class,
        r.overloads,
        r.returns,
        r.model.0,
        r.model.1,
        or(&stages, "Stages::ALL.0"),
        or(&effects, "0"),
    )
}

/// Returns an enum for each family, `enum FamilyOp` of all families, and `Op::classify`.
fn families(rows: &[Row]) -> String {
    // Families in the order of their first operation.
    let mut names: Vec<&str> = Vec::new();
    for r in rows {
        if r.family != RESERVED && !names.contains(&r.family.as_str()) {
            names.push(&r.family);
        }
    }
    let mut o = String::new();
    for family in &names {
        let members: Vec<&Row> = rows.iter().filter(|r| r.family == *family).collect();
        let variants = join(&members, "\n", |r| {
            format!("/// `{}`.\n{},", r.name, r.variant())
        });
        let arms = join(&members, "\n", |r| {
            format!("{family}Op::{0} => Self::{0},", r.variant())
        });
        line(
            &mut o,
            &format!(
                "/// Operations of the family `{family}`.\n\
                 #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]\n\
                 pub enum {family}Op {{\n{variants}\n}}\n\
                 impl From<{family}Op> for Op {{\n\
                 #[inline]\nfn from(op: {family}Op) -> Self {{\nmatch op {{\n{arms}\n}}\n}}\n}}"
            ),
        );
    }
    let variants = join(&names, "\n", |family| {
        format!("/// See [`{family}Op`].\n{family}({family}Op),")
    });
    let arms = join(rows, "\n", |r| {
        let (name, family) = (r.variant(), &r.family);
        if family == RESERVED {
            format!("Self::{name} => FamilyOp::{RESERVED},")
        } else {
            format!("Self::{name} => FamilyOp::{family}({family}Op::{name}),")
        }
    });
    line(
        &mut o,
        &format!(
            "/// An operation by its family: what [`Op::classify`] returns.\n\
             #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]\n\
             pub enum FamilyOp {{\n{variants}\n\
             /// A number that DXIL reserves; [`DxCall::parse`] rejects it.\n{RESERVED},\n}}\n\
             impl Op {{\n/// Returns the operation by its family.\n\
             #[inline(always)]\npub const fn classify(self) -> FamilyOp {{\nmatch self {{\n{arms}\n}}\n}}\n}}"
        ),
    );
    o
}

/// Appends a line.
fn line(o: &mut String, text: &str) {
    o.push_str(text);
    o.push('\n');
}

fn join<T>(items: &[T], separator: &str, text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(separator)
}
