//! The structurizer's input for each function of a shader, with the names of the listing, for tools
//! that show how a shader is structurized.

use std::borrow::Cow;
use std::collections::BTreeMap;

use trellis_dxil_frontend::disasm::{FunctionText, function_text};
use trellis_dxil_frontend::dxop::DxDeclarations;
use trellis_dxil_frontend::module::{
    Function, FunctionId, InstId, InstKind, Module, ValueId, ValueKind,
};
use trellis_entity::{EntityRef, PackedOption, PrimaryMap};
use trellis_structurizer::ir;
use trellis_structurizer::tree::Names;

use crate::convert::{Worklist, read, roots};
use crate::entry::choose;
use crate::error::Error;
use crate::legalize::legalize;
use crate::lower::{Lowered, SYNTHETIC, Source, SyntheticInst, lower};
use crate::options::Options;

/// Longest computation, in bytes, that is written in an `if` of pseudo-code.
const SHORT: usize = 64;

/// A function of a shader in the structurizer's form. As [`Names`] it has the listing's names of
/// blocks, values and instructions, before structurization and after, since the structurizer keeps
/// their numbers.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    /// The function's name.
    pub name: String,
    /// Input of [`trellis_structurizer::structurize`].
    pub function: ir::Function,
    /// The function's listing.
    text: FunctionText,
    /// Lines of the instructions that are part of their users, such as `extractvalue`: before an
    /// instruction, or at the end of a block.
    folded: BTreeMap<(ir::Block, Option<ir::Inst>), Vec<String>>,
    /// Name of each value, where the listing has one; empty for none.
    values: PrimaryMap<ir::Value, String>,
    /// The DXIL instruction of each value that an instruction computes.
    computed_by: PrimaryMap<ir::Value, PackedOption<InstId>>,
}

impl ControlFlow {
    /// Returns the text of the instruction with this payload, as `trellis dis` prints it. A payload below
    /// the number of the function's DXIL instructions is such a number.
    pub fn line(&self, payload: u32) -> Option<&str> {
        if payload == SyntheticInst::Demote.payload() {
            return Some("demote  ; of a discard");
        }
        match SyntheticInst::end_of_hit(payload) {
            Some(SyntheticInst::IgnoreHit) => return Some("ignore hit"),
            Some(_) => return Some("accept hit and end search"),
            None => {}
        }
        self.text.insts.get(payload as usize).map(String::as_str)
    }
}

impl Names for ControlFlow {
    fn block(&self, block: ir::Block) -> Option<Cow<'_, str>> {
        self.text
            .blocks
            .get(block.as_u32() as usize)
            .map(Into::into)
    }

    fn value(&self, value: ir::Value) -> Option<Cow<'_, str>> {
        self.values
            .get(value)
            .filter(|name| !name.is_empty())
            .map(Into::into)
    }

    fn instruction(&self, inst: ir::Inst) -> Option<Cow<'_, str>> {
        // Instructions that the structurizer made come after the function's.
        let payload = ((inst.as_u32() as usize) < self.function.num_insts())
            .then(|| self.function.payload(inst))??;
        self.line(payload).map(Into::into)
    }

    fn lines(&self, block: ir::Block, next: Option<ir::Inst>) -> &[String] {
        self.folded.get(&(block, next)).map_or(&[], Vec::as_slice)
    }

    fn computation(&self, value: ir::Value) -> Option<Cow<'_, str>> {
        let inst = self.computed_by.get(value)?.expand()?;
        let line = self.text.insts.get(inst.index())?;
        let (_, computation) = line.split_once(" = ")?;
        let computation = computation.split("  ;").next()?.split(", !").next()?.trim();
        (computation.len() <= SHORT).then_some(computation.into())
    }
}

/// Returns the functions of the entry point that [`Options::entry`] names, else of the only one:
/// its own function and all called ones, callers first.
///
/// [`convert`](crate::convert()) structurizes these functions. In the few shaders that it has to
/// rewrite before (see `legalize` in `ARCHITECTURE.md`) the listing shows the rewritten module.
///
/// ```
/// let dxil = include_bytes!("../tests/data/collatz.dxil");
/// let functions = trellis_spirv_backend::control_flow(dxil, &trellis_spirv_backend::Options::default())?;
/// assert_eq!(functions[0].name, "main");
/// let structured = trellis_structurizer::structurize(functions[0].function.clone(), &trellis_structurizer::Options::default()).unwrap();
/// let tree = trellis_structurizer::Tree::of(&structured);
/// let text = trellis_structurizer::tree::Pretty::of(&tree).names(&functions[0]).to_string();
/// assert!(text.contains("loop") && text.contains("icmp"));
/// # Ok::<(), trellis_spirv_backend::Error>(())
/// ```
///
/// # Errors
/// The input cannot be read, does not have the entry point, or has something that is not supported
/// before its control flow is known.
pub fn control_flow(bytes: &[u8], options: &Options) -> Result<Vec<ControlFlow>, Error> {
    let input = read(bytes, options)?;
    let entry = choose(&input.shader, options.entry.as_deref())?;
    let roots = roots(entry)?;
    let ops = DxDeclarations::new(&input.module);
    let legal = legalize(&input.module, &ops, &input.shader, &roots, options)?;
    let module = legal.as_ref().unwrap_or(&input.module);
    let source = Source {
        each_instruction: true,
        ..Source::new((module, legal.is_some()), &ops, options, entry)
    };
    let (mut functions, mut worklist) = (Vec::new(), Worklist::new(module, &roots));
    while let Some((id, function)) = worklist.next()? {
        let mut func = ir::Function::new();
        let lowered = lower(&source, function, &mut func)?;
        worklist.add(&lowered.callees);
        functions.push(named(module, (id, function), func, &lowered)?);
    }
    Ok(functions)
}

/// Adds names to a lowered function.
fn named(
    module: &Module,
    (id, function): (FunctionId, &Function),
    func: ir::Function,
    lowered: &Lowered,
) -> Result<ControlFlow, Error> {
    // The first value that maps to one of the structurizer's values names it; others are aliases
    // (`extractvalue`).
    let mut of = PrimaryMap::from(vec![None; func.num_values()]);
    for value in func.values() {
        if let ir::ValueKind::Constant { payload } = func.value_kind(value)
            && payload & SYNTHETIC == 0
        {
            of[value] = Some(ValueId::from_u32(payload));
        }
    }
    let mut computed_by = PrimaryMap::from(vec![PackedOption::default(); func.num_values()]);
    for (index, data) in function.values.iter().enumerate() {
        let local = lowered.values.get(index).and_then(|v| v.expand());
        let Some(value) = local.and_then(|local| lowered.structured[local].expand()) else {
            continue;
        };
        let slot = &mut of[value];
        if slot.is_none() {
            *slot = Some(ValueId::from_u32(lowered.module_values + index as u32));
            if let (ValueKind::Inst(inst), ir::ValueKind::Result { .. }) =
                (data.kind, func.value_kind(value))
            {
                computed_by[value] = inst.into();
            }
        }
    }
    let wanted: Vec<ValueId> = of.values().copied().flatten().collect();
    let mut text = function_text(module, id, &wanted)?;
    let mut names = std::mem::take(&mut text.values).into_iter();
    let values = of
        .values()
        .map(|v| v.and_then(|_| names.next()).unwrap_or_default())
        .collect();
    let folded = folded(function, &func, &text);
    Ok(ControlFlow {
        name: function.name.to_string(),
        function: func,
        folded,
        text,
        values,
        computed_by,
    })
}

/// Returns the lines of the instructions that are not in the structurizer's function.
fn folded(
    function: &Function,
    func: &ir::Function,
    text: &FunctionText,
) -> BTreeMap<(ir::Block, Option<ir::Inst>), Vec<String>> {
    let mut places = vec![None; function.insts.len()];
    for block in func.blocks() {
        for inst in func.insts(block) {
            let payload = func.payload(inst).map(|payload| payload as usize);
            if let Some(place) = payload.and_then(|payload| places.get_mut(payload)) {
                *place = Some((block, inst));
            }
        }
    }
    let mut all = BTreeMap::new();
    for (block, data) in function.blocks.iter() {
        let (mut at, mut lines) = (ir::Block::from_u32(block.as_u32()), Vec::new());
        for id in data.insts {
            let kind = &function.insts[id].kind;
            match places[id.index()] {
                Some((block, inst)) => {
                    all.insert((block, Some(inst)), std::mem::take(&mut lines));
                    at = block;
                }
                None if kind.is_terminator() || matches!(kind, InstKind::Phi { .. }) => {}
                None => lines.extend(text.insts.get(id.index()).cloned()),
            }
        }
        all.insert((at, None), lines);
    }
    all
}

#[cfg(test)]
mod tests {
    use trellis_structurizer::Tree;
    use trellis_structurizer::tree::{Names, Pretty};

    use super::control_flow;
    use crate::options::Options;

    fn pseudo_code(shader: &[u8], instructions: bool) -> String {
        let functions = control_flow(shader, &Options::default()).unwrap();
        let structured = trellis_structurizer::structurize(
            functions[0].function.clone(),
            &trellis_structurizer::Options::default(),
        )
        .unwrap();
        let tree = Tree::of(&structured);
        Pretty::of(&tree)
            .names(&functions[0])
            .instructions(instructions)
            .to_string()
    }

    #[test]
    fn instructions_are_those_of_the_listing() {
        let shader = include_bytes!("../tests/data/collatz.dxil");
        let input = trellis_dxil_frontend::read(shader).unwrap();
        let listing =
            trellis_dxil_frontend::disasm::disassemble(&input.module, None, None).unwrap();
        let functions = control_flow(shader, &Options::default()).unwrap();
        let func = &functions[0].function;
        let mut seen = 0;
        for inst in func.blocks().flat_map(|b| func.insts(b)) {
            let line = functions[0].instruction(inst).unwrap();
            assert!(listing.contains(&*line), "{line}");
            seen += 1;
        }
        assert!(seen > 5);
        let shown = pseudo_code(shader, true);
        assert!(
            shown.contains("\n        %19 = icmp ne i32 %17, 1\n")
                && shown.contains("if !%21 { break }"),
            "{shown}"
        );
    }

    #[test]
    fn each_instruction_is_a_line() {
        let shader = include_bytes!("../../corpus/shaders/buffers/byte_address.dxil");
        let shown = pseudo_code(shader, true);
        let listing = trellis_dxil_frontend::read(shader).unwrap();
        let listing =
            trellis_dxil_frontend::disasm::disassemble(&listing.module, None, None).unwrap();
        let lines = listing.lines().filter(|line| line.starts_with("  %"));
        for line in lines {
            assert!(shown.contains(line.trim()), "{line}");
        }
        assert!(shown.contains("extractvalue"));
    }

    #[test]
    fn a_discard_is_a_line_of_its_own() {
        let shown = pseudo_code(
            include_bytes!("../../corpus/shaders/control_flow/discard_early.dxil"),
            true,
        );
        assert!(shown.contains("demote  ; of a discard"), "{shown}");
    }

    #[test]
    fn an_entry_point_that_is_not_there_is_an_error() {
        let shader = include_bytes!("../tests/data/collatz.dxil");
        let options = Options::default().with_entry(Some("nowhere".to_owned()));
        assert!(
            control_flow(shader, &options)
                .unwrap_err()
                .to_string()
                .contains("`nowhere`")
        );
    }
}
