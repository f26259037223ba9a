//! The lines of one function's listing, for tools that show its instructions in another order.

use trellis_entity::EntityRange;

use super::slots::Locals;
use super::{Listing, ListingTooLong, Slots, Text, limit};
use crate::error::Error;
use crate::module::{FunctionId, Module, ValueId};

/// A function's listing in pieces. See [`function_text`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FunctionText {
    /// Label of each block as a branch refers to it: `%12`.
    pub blocks: Vec<String>,
    /// Each instruction's line without its indentation.
    pub insts: Vec<String>,
    /// The requested values, as operands without their type: `%5`, `true`.
    pub values: Vec<String>,
}

/// Returns the lines of a function as [`disassemble`](super::disassemble) prints them, and the
/// names of `values` in them. A function without body has no lines.
///
/// # Errors
/// The text exceeds a limit that grows with the module ([`ListingTooLong`]).
pub fn function_text(
    module: &Module,
    function: FunctionId,
    values: &[ValueId],
) -> Result<FunctionText, Error> {
    let limit = limit(module);
    let Some(f) = module.functions.get(function) else {
        return Ok(FunctionText::default());
    };
    let mut listing = Listing {
        m: module,
        t: Text::new(limit),
        slots: Slots::new(module),
        locals: Some(Locals::new(module, f)),
    };
    // Metadata and attributes are numbered in the order in which the functions before this one meet
    // them.
    let (first, end) = (
        FunctionId::from_u32(0),
        FunctionId::from_u32(function.as_u32() + 1),
    );
    for before in &module.functions[EntityRange::new(first, end)] {
        listing.slots.add_function(before);
    }
    let blocks = (f.blocks.keys())
        .map(|block| listing.piece(|l| l.block_name(f, block)))
        .collect();
    let insts = (f.insts.keys())
        .map(|inst| listing.piece(|l| l.instruction(f, inst)))
        .collect();
    let values = values
        .iter()
        .map(|&v| listing.piece(|l| l.value(Some(f), v)))
        .collect();
    if listing.t.full {
        Err(ListingTooLong { limit }.into())
    } else {
        Ok(FunctionText {
            blocks,
            insts,
            values,
        })
    }
}

impl Listing<'_> {
    /// Returns the text that `print` appends.
    fn piece(&mut self, print: impl FnOnce(&mut Self)) -> String {
        let start = self.t.out.len();
        print(self);
        self.t
            .out
            .get(start..)
            .unwrap_or_default()
            .trim()
            .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::function_text;
    use crate::disasm::disassemble;
    use crate::module::FunctionId;

    #[test]
    fn the_pieces_are_lines_of_the_listing() {
        let bytes = include_bytes!("../../../corpus/shaders/control_flow/fig_nested_returns.dxil");
        let input = crate::read(bytes).unwrap();
        let whole = disassemble(&input.module, None, None).unwrap();
        let lines: Vec<&str> = whole.lines().map(str::trim).collect();
        let body = input
            .module
            .functions
            .position(|f| !f.is_declaration)
            .unwrap();
        let f = &input.module.functions[body];
        let results: Vec<_> = f.insts.values().filter_map(|i| i.result.expand()).collect();
        let text = function_text(&input.module, body, &results).unwrap();
        assert_eq!(
            (text.insts.len(), text.blocks.len()),
            (f.insts.len(), f.blocks.len())
        );
        let mut next = lines.iter();
        for inst in &text.insts {
            assert!(next.any(|line| line == inst), "{inst}");
        }
        for (value, inst) in text
            .values
            .iter()
            .zip(text.insts.iter().filter(|i| i.contains(" = ")))
        {
            assert!(inst.starts_with(&format!("{value} = ")), "{value}: {inst}");
        }
        assert!(
            text.insts
                .iter()
                .any(|i| i.contains(&format!("label {}", text.blocks[1])))
        );
    }

    #[test]
    fn what_is_no_function_has_no_text() {
        let input = crate::read(include_bytes!(
            "../../../corpus/shaders/control_flow/collatz.dxil"
        ))
        .unwrap();
        assert_eq!(
            function_text(&input.module, FunctionId::from_u32(u32::MAX >> 1), &[]).unwrap(),
            super::FunctionText::default()
        );
    }
}
