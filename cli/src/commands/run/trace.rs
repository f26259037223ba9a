//! `trellis run --trace`: the values that one invocation computed, as text.

use std::fmt::Write as _;

use trellis_corpus::failure::Failure;
use trellis_dxil::Error;
use trellis_dxil::frontend::debug_info::{DebugNode, Source, VariableUse, VariableUses, sources};
use trellis_dxil::frontend::disasm::{FunctionText, function_text};
use trellis_dxil::frontend::module::{Function, FunctionId, InstId, Module};
use trellis_dxil_interpreter::{Step, Value};

/// Returns the instructions of a trace with the values of their results, below the lines of HLSL where the module
/// has debug information.
pub(super) fn text(module: &Module, trace: &[Step]) -> Result<String, Failure> {
    let sources: Vec<Source<'_>> = sources(&module.metadata).collect();
    let mut listings: Vec<Option<FunctionText>> = vec![None; module.functions.len()];
    let variables = VariableUses::new(module);
    let (mut text, mut before) = (String::new(), None);
    for step in trace {
        let function = &module.functions[step.function];
        let values: Vec<String> = { step.values.iter() }
            .filter(|value| !value.is_pointer())
            .map(Value::to_string)
            .collect();
        let values = values.join(", ");
        if let Some(described) = variables.parse(module, function, step.inst) {
            if let Some(name) = name(module, &described).filter(|_| !values.is_empty()) {
                let _ = writeln!(text, "    {name} = {values}");
            }
            continue;
        }
        let listing = &mut listings[step.function.as_u32() as usize];
        let listing = match listing {
            Some(listing) => listing,
            None => listing.insert(listing_of(module, step.function)?),
        };
        let at = line(module, function, step.inst);
        if let Some((name, number)) = at.as_ref().filter(|_| at != before) {
            let source = { sources.iter() }.find(|source| source.name == *name);
            let code = source.and_then(|s| s.text.lines().nth(*number as usize - 1));
            let code = code.unwrap_or_default().trim();
            let _ = writeln!(text, "{name}:{number}: {code}");
        }
        before = at.or(before);
        let inst = listing.insts.get(step.inst.as_u32() as usize);
        let _ = write!(text, "        {}", inst.map_or("", String::as_str));
        if !values.is_empty() {
            let _ = write!(text, "  ; {values}");
        }
        text.push('\n');
    }
    Ok(text)
}

/// Returns the name of a variable, with the first byte of the part that has a value.
fn name(module: &Module, described: &VariableUse) -> Option<String> {
    let metadata = &module.metadata;
    let Some(DebugNode::LocalVariable(variable)) = metadata.debug_node(described.variable) else {
        return None;
    };
    let name = variable.name?.into_owned();
    let piece = match metadata.debug_node(described.expression) {
        Some(DebugNode::Expression(expression)) => expression.piece(),
        _ => None,
    };
    Some(match piece {
        Some(Some((offset, _))) => format!("{name}+{}", offset / 8),
        _ => name,
    })
}

/// Returns the listing of a function without the references to debug information.
fn listing_of(module: &Module, function: FunctionId) -> Result<FunctionText, Failure> {
    let mut listing =
        function_text(module, function, &[]).map_err(|e| Failure::from(&Error::from(e)))?;
    for inst in &mut listing.insts {
        if let Some((end, _)) = inst.rsplit_once(", !dbg ") {
            inst.truncate(end.len());
        }
    }
    Ok(listing)
}

/// Returns the file and line of the source that an instruction is of.
fn line<'m>(
    module: &'m Module,
    function: &Function,
    inst: InstId,
) -> Option<(std::borrow::Cow<'m, str>, u32)> {
    let location = function.insts[inst].debug_loc.checked_sub(1)?;
    let location = function.debug_locs.get(location as usize)?;
    let file = match module.metadata.debug_node(location.scope)? {
        DebugNode::Subprogram(function) => function.file,
        DebugNode::LexicalBlock(block) => block.file,
        _ => None,
    };
    match module.metadata.debug_node(file?)? {
        DebugNode::File(file) if location.line > 0 => Some((file.name?, location.line)),
        _ => None,
    }
}
