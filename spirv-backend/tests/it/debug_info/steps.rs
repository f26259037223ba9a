//! The steps of a debugger: each change of the line, in the order of the words.

use std::fmt::Write as _;

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Op};

use super::module::Module;

/// The scope and line that are in effect.
#[derive(Clone, Copy, PartialEq, Default)]
struct Place<'w> {
    /// Scope, and `DebugInlinedAt`.
    scope: Option<&'w [u32]>,
    line: Option<&'w [u32]>,
}

/// Lists the steps: the place with the calls that are inlined, and the line of the source.
pub(crate) fn list(module: &Module<'_>) -> String {
    let sources = module.sources();
    let line_of = |name: &str, line: u32| {
        let source = sources.iter().find(|(source, _)| source == name);
        let text = source.and_then(|(_, text)| text.lines().nth(line as usize - 1));
        text.unwrap_or("?").trim().to_owned()
    };
    let mut text = String::new();
    let (mut place, mut shown) = (Place::default(), Place::default());
    for &inst in &module.insts {
        match module.debug_inst(inst) {
            Some((DebugOp::DebugScope, scope)) => place.scope = Some(scope),
            Some((DebugOp::DebugNoScope, _)) => place.scope = None,
            Some((DebugOp::DebugLine, line)) => place.line = Some(line),
            Some((DebugOp::DebugNoLine, _)) => place.line = None,
            Some((DebugOp::DebugFunctionDefinition, &[function, _])) => {
                let _ = writeln!(text, "function {}", module.function_of(function));
            }
            Some(_) => {}
            None => match inst.0 {
                // The line and scope in effect end with the block.
                Op::Label => {
                    place = Place::default();
                    shown = Place::default();
                    let _ = writeln!(text, "block");
                }
                Op::Phi | Op::Variable => {}
                _ if place == shown || place.line.is_none() => shown = place,
                _ => {
                    let line = step(module, &place);
                    let (name, number) = line_number(module, &place);
                    let _ = writeln!(text, "  {line:<62} | {}", line_of(name, number));
                    shown = place;
                }
            },
        }
    }
    text
}

fn line_number<'m>(module: &'m Module<'_>, place: &Place<'_>) -> (&'m str, u32) {
    let &[source, start, end, column, last] = place.line.unwrap() else {
        panic!("a line of other operands");
    };
    assert_eq!((start, column), (end, last));
    (module.source_name(source), module.number(start))
}

/// Returns a place as text.
fn step(module: &Module<'_>, place: &Place<'_>) -> String {
    let (name, line) = line_number(module, place);
    let column = module.number(place.line.unwrap()[3]);
    let scope = place.scope.expect("a line in a scope");
    let mut text = format!("{name}:{line}:{column} {}", module.function_of(scope[0]));
    let mut inlined = scope.get(1);
    while let Some(&id) = inlined {
        let (op, operands) = module.debug(id);
        assert_eq!(op, DebugOp::DebugInlinedAt);
        let function = module.function_of(operands[1]);
        let _ = write!(text, " < {} {function}", module.number(operands[0]));
        inlined = operands.get(2);
    }
    text
}
