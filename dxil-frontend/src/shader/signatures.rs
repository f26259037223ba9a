//! Signatures of an entry point in metadata.

use smallvec::SmallVec;

use super::cursor::Tuple;
use super::{
    ComponentType, InterpolationMode, SemanticKind, ShaderError, SignatureElement, Signatures,
};

type Result<T> = std::result::Result<T, ShaderError>;

/// Most rows of one element: D3D has 32 registers; hull and mesh elements need no more.
const MAX_ROWS: u32 = 32;

/// Reads the three signatures.
pub(super) fn read(t: Tuple<'_>) -> Result<Signatures> {
    let list = |index, what| list(t, index, what);
    Ok(Signatures {
        input: list(0, "input signature")?,
        output: list(1, "output signature")?,
        patch_constant: list(2, "patch-constant signature")?,
    })
}

fn list(t: Tuple<'_>, index: usize, what: &'static str) -> Result<Vec<SignatureElement>> {
    let Some(list) = t.tuple(index, what)?.filter(|list| list.len() != 0) else {
        return Ok(Vec::new());
    };
    let mut out = Vec::with_capacity(list.len());
    for i in 0..list.len() {
        let node = list.tuple(i, "signature element")?;
        out.push(read_element(node.ok_or_else(|| list.missing("element"))?)?);
    }
    Ok(out)
}

/// Returns operand `index` as an interpolation mode.
pub(super) fn interpolation(t: &Tuple<'_>, index: usize) -> Result<InterpolationMode> {
    let expected = "an interpolation mode, 0 to 8";
    t.code(
        index,
        "interpolation",
        InterpolationMode::from_code,
        expected,
    )
}

/// Returns operand `index` as a component type.
pub(super) fn component_type(
    t: &Tuple<'_>,
    index: usize,
    field: &'static str,
) -> Result<ComponentType> {
    let expected = "a component type, 0 to 18";
    t.code(index, field, ComponentType::from_code, expected)
}

fn read_element(t: Tuple<'_>) -> Result<SignatureElement> {
    let t = t.at_least(10, "at least 10")?;
    let rows = t.u32(6, "rows")?;
    if rows == 0 || rows > MAX_ROWS {
        return Err(t.bad_value("rows", rows.into(), "1 to 32"));
    }
    let cols = t.int(7, "columns")?;
    if cols == 0 || cols > 4 {
        return Err(t.bad_value("columns", cols, "1 to 4"));
    }
    let start_row = t.u32(8, "start row")? as i32;
    let start_col = t.int(9, "start column")? as i8;
    if !(-1..32).contains(&start_row) {
        return Err(t.bad_value("start row", start_row as u64, "-1 to 31"));
    }
    if !(-1..4).contains(&start_col) {
        return Err(t.bad_value("start column", start_col as u64, "-1 to 3"));
    }
    if i64::from(start_col) + cols as i64 > 4 {
        return Err(t.bad_value("columns", cols, "columns that end in the row"));
    }
    let mut e = SignatureElement {
        id: t.u32(0, "number")?,
        name: t.text(1, "name")?.into(),
        ty: component_type(&t, 2, "component type")?,
        semantic: t.code(
            3,
            "semantic",
            SemanticKind::from_code,
            "a semantic kind, 0 to 33",
        )?,
        indices: SmallVec::new(),
        interpolation: interpolation(&t, 5)?,
        rows,
        cols: cols as u8,
        start_row,
        start_col,
        stream: 0,
        dynamic_mask: 0,
        usage_mask: 0xF,
    };
    if let Some(indices) = t.tuple(4, "semantic indices")? {
        let index = |i| indices.u32(i, "semantic index");
        e.indices = (0..indices.len()).map(index).collect::<Result<_>>()?;
    }
    if let Some(list) = t.tuple(10, "signature element tags")? {
        for tag in list.tags() {
            let (tag, at) = tag?;
            match tag {
                0 => {
                    e.stream = list.code(at, "stream", |s| (s < 4).then_some(s as u8), "0 to 3")?;
                }
                2 => {
                    e.dynamic_mask = list.int(at, "dynamic index mask")? as u8;
                }
                3 => e.usage_mask = list.int(at, "usage mask")? as u8,
                _ => {}
            }
        }
    }
    Ok(e)
}
