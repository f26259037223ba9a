//! The variables with their types, and the parts of them that get a value.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rspirv::spirv::NonsemanticShaderDebuginfo100Op as DebugOp;

use super::module::Module;

/// Lists structures, global and local variables.
pub(crate) fn list(module: &Module<'_>) -> String {
    let mut text = String::new();
    for &inst in &module.insts {
        match module.debug_inst(inst) {
            Some((DebugOp::DebugTypeComposite, operands)) => structure(module, &mut text, operands),
            Some((DebugOp::DebugFunction, operands)) => {
                let ty = type_name(module, operands[1]);
                let _ = writeln!(text, "function {} {ty}", module.string(operands[0]));
            }
            Some((DebugOp::DebugGlobalVariable, operands)) => {
                let (name, ty) = (module.string(operands[0]), type_name(module, operands[1]));
                let _ = writeln!(text, "global {ty} {name}");
            }
            Some((DebugOp::DebugEntryPoint, &[function, _, compiler, arguments])) => {
                let name = module.function_of(function);
                let (compiler, arguments) = (module.string(compiler), module.string(arguments));
                let _ = writeln!(text, "entry point {name}: {compiler} {arguments}");
            }
            _ => {}
        }
    }
    let mut values: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for &inst in &module.insts {
        if let Some((op @ (DebugOp::DebugValue | DebugOp::DebugDeclare), operands)) =
            module.debug_inst(inst)
        {
            let &[variable, value, expression, ref indices @ ..] = operands else {
                panic!("a value of fewer operands");
            };
            let path: String = (indices.iter())
                .map(|&index| format!("[{}]", module.number(index)))
                .collect();
            let constant = module.constant(value);
            let what = match (op, constant) {
                (DebugOp::DebugDeclare, _) => "memory".to_owned(),
                (_, Some(bits)) => format!("{bits:#x}"),
                _ => "value".to_owned(),
            };
            let fragment = fragment(module, expression);
            let list = values.entry(variable).or_default();
            list.push(format!("{path}{fragment}={what}"));
        }
    }
    for &inst in &module.insts {
        if let Some((DebugOp::DebugLocalVariable, operands)) = module.debug_inst(inst) {
            // The result follows the type.
            let (id, name) = (inst.1[1], module.string(operands[0]));
            let ty = type_name(module, operands[1]);
            let line = module.number(operands[3]);
            let scope = module.function_of(operands[5]);
            let argument = operands
                .get(7)
                .map(|&n| format!(" (argument {})", module.number(n)));
            let argument = argument.unwrap_or_default();
            let values = values.remove(&id).unwrap_or_default().join(" ");
            let _ = writeln!(text, "{scope} {line}: {ty} {name}{argument}: {values}");
        }
    }
    text
}

/// Returns the part that an expression describes, for values that no indices describe.
fn fragment(module: &Module<'_>, expression: u32) -> String {
    let (_, operations) = module.debug(expression);
    let operation = |&id: &u32| {
        let (_, operands) = module.debug(id);
        format!(
            "{:?}",
            operands
                .iter()
                .map(|&n| module.number(n))
                .collect::<Vec<_>>()
        )
    };
    operations.iter().map(operation).collect()
}

fn structure(module: &Module<'_>, text: &mut String, operands: &[u32]) {
    let scope = match module.debug(operands[5]).0 {
        DebugOp::DebugLexicalBlock => module.namespace(operands[5]) + "::",
        _ => String::new(),
    };
    let _ = write!(text, "{scope}{} {{", module.string(operands[0]));
    for &member in &operands[9..] {
        let (_, member) = module.debug(member);
        let (name, ty) = (module.string(member[0]), type_name(module, member[1]));
        let (offset, size) = (module.number(member[5]), module.number(member[6]));
        let _ = write!(text, " {ty} {name} @{offset}+{size};");
    }
    let _ = writeln!(text, " }}");
}

fn type_name(module: &Module<'_>, id: u32) -> String {
    let Some((op, operands)) = module.find(id) else {
        return "void".to_owned();
    };
    match op {
        DebugOp::DebugTypeBasic | DebugOp::DebugTypeComposite | DebugOp::DebugTypedef => {
            module.string(operands[0]).to_owned()
        }
        DebugOp::DebugTypeVector => {
            format!(
                "{}x{}",
                type_name(module, operands[0]),
                module.number(operands[1])
            )
        }
        DebugOp::DebugTypeMatrix => {
            format!(
                "{}x{}",
                module.number(operands[1]),
                type_name(module, operands[0])
            )
        }
        DebugOp::DebugTypeArray => {
            let dimensions = operands[1..].iter();
            let dimensions: String = dimensions
                .map(|&n| format!("[{}]", module.number(n)))
                .collect();
            type_name(module, operands[0]) + &dimensions
        }
        DebugOp::DebugTypeFunction => {
            let result = type_name(module, operands[1]);
            let parameters = operands[2..].iter().map(|&ty| type_name(module, ty));
            format!(
                "({}) -> {result}",
                parameters.collect::<Vec<_>>().join(", ")
            )
        }
        other => panic!("{other:?} as a type"),
    }
}
