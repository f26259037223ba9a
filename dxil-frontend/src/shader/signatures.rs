//! Signatures of an entry point in metadata.

use smallvec::SmallVec;

use super::cursor::Tuple;
use super::fields::{element, element_tag, signatures};
use super::{
    ComponentType, InterpolationMode, SemanticKind, ShaderError, ShaderErrorKind, SignatureElement,
    Signatures,
};

type Result<T> = std::result::Result<T, ShaderError>;

/// Most rows of one element: D3D has 32 registers; hull and mesh elements need no more.
const MAX_ROWS: u32 = 32;

/// Reads the three signatures.
pub(super) fn read(t: Tuple<'_>) -> Result<Signatures> {
    let list = |index, what| list(t, index, what);
    Ok(Signatures {
        input: list(signatures::INPUT, "input signature")?,
        output: list(signatures::OUTPUT, "output signature")?,
        patch_constant: list(signatures::PATCH_CONSTANT, "patch-constant signature")?,
    })
}

fn list(t: Tuple<'_>, index: usize, what: &'static str) -> Result<Vec<SignatureElement>> {
    let Some(list) = t.tuple(index, what)?.filter(|list| list.len() != 0) else {
        return Ok(Vec::new());
    };
    let mut out = Vec::with_capacity(list.len());
    for i in 0..list.len() {
        let Some(node) = list.tuple(i, "signature element")? else {
            return Err(list.fail("element", ShaderErrorKind::Missing));
        };
        out.push(read_element(node)?);
    }
    Ok(out)
}

fn read_element(t: Tuple<'_>) -> Result<SignatureElement> {
    let t = t.at_least(element::COUNT, "at least 10")?;
    let rows = t.u32(element::ROWS, "rows")?;
    if rows == 0 || rows > MAX_ROWS {
        return Err(t.fail(
            "rows",
            ShaderErrorKind::Value {
                found: rows.into(),
                expected: "1 to 32",
            },
        ));
    }
    let cols = t.int(element::COLUMNS, "columns")?;
    if cols == 0 || cols > 4 {
        return Err(t.fail(
            "columns",
            ShaderErrorKind::Value {
                found: cols,
                expected: "1 to 4",
            },
        ));
    }
    let start_row = t.u32(element::START_ROW, "start row")? as i32;
    let start_col = t.int(element::START_COLUMN, "start column")? as i8;
    if !(-1..32).contains(&start_row) {
        return Err(t.fail(
            "start row",
            ShaderErrorKind::Value {
                found: start_row as u64,
                expected: "-1 to 31",
            },
        ));
    }
    if !(-1..4).contains(&start_col) {
        return Err(t.fail(
            "start column",
            ShaderErrorKind::Value {
                found: start_col as u64,
                expected: "-1 to 3",
            },
        ));
    }
    if i64::from(start_col) + cols as i64 > 4 {
        return Err(t.fail(
            "columns",
            ShaderErrorKind::Value {
                found: cols,
                expected: "columns that end in the row",
            },
        ));
    }
    let mut e = SignatureElement {
        id: t.u32(element::ID, "number")?,
        name: t.text(element::NAME, "name")?.into(),
        ty: t.code(
            element::COMPONENT_TYPE,
            "component type",
            ComponentType::from_code,
            "a component type, 0 to 18",
        )?,
        semantic: t.code(
            element::SEMANTIC,
            "semantic",
            SemanticKind::from_code,
            "a semantic kind, 0 to 33",
        )?,
        indices: SmallVec::new(),
        interpolation: t.code(
            element::INTERPOLATION,
            "interpolation",
            InterpolationMode::from_code,
            "an interpolation mode, 0 to 8",
        )?,
        rows,
        cols: cols as u8,
        start_row,
        start_col,
        stream: 0,
        dynamic_mask: 0,
        usage_mask: 0xF,
    };
    if let Some(indices) = t.tuple(element::SEMANTIC_INDICES, "semantic indices")? {
        e.indices = (0..indices.len())
            .map(|i| indices.u32(i, "semantic index"))
            .collect::<Result<_>>()?;
    }
    if let Some(list) = t.tuple(element::TAGS, "signature element tags")? {
        for tag in list.tags() {
            let (tag, at) = tag?;
            match tag {
                element_tag::OUTPUT_STREAM => {
                    e.stream = list.code(at, "stream", |s| (s < 4).then_some(s as u8), "0 to 3")?;
                }
                element_tag::DYNAMIC_INDEX_MASK => {
                    e.dynamic_mask = list.int(at, "dynamic index mask")? as u8;
                }
                element_tag::USAGE_MASK => e.usage_mask = list.int(at, "usage mask")? as u8,
                _ => {}
            }
        }
    }
    Ok(e)
}
