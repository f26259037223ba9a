//! The structurizer: on blocks that Python describes, on the text form, and on the functions of a shader.

use std::borrow::Cow;

use pyo3::prelude::*;
use serde::Deserialize;
use trellis_dxil::Error;
use trellis_structurizer::ir::{
    Block, Effects, Function, Inst, InstKind, SelectionHint, Terminator, Type, Value, ValueKind,
};
use trellis_structurizer::tree::Names;
use trellis_structurizer::{Options, Stage, Stages, Structured, Target, text, trace};

use crate::fault::{Fault, GRAPH, OPTIONS};
use crate::run::run;
use crate::settings::{Settings, without_place};
use crate::trace::Trace;

/// The type of conditions.
const BOOL: Type = Type(1);
/// The type of a switch's selector.
const INT: Type = Type(2);

/// Options of the structurizer as JSON has them.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct GraphOptions {
    target: String,
    single_return: bool,
    stages: Stages,
    max_break_path: u32,
    max_continue_switches: u32,
}

impl Default for GraphOptions {
    fn default() -> Self {
        let options = Options::default();
        Self {
            target: "spirv".to_owned(),
            single_return: false,
            stages: options.stages,
            max_break_path: options.max_break_path,
            max_continue_switches: options.max_continue_switches,
        }
    }
}

fn options_of(json: &str) -> Result<Options, Fault> {
    let read: GraphOptions =
        serde_json::from_str(json).map_err(|error| Fault::new(OPTIONS, without_place(&error)))?;
    let target = Target::from_name(&read.target).ok_or_else(|| {
        let names = Target::PROFILES.map(|(name, _)| name).join(", ");
        let text = format!("unknown target `{}`, expected one of {names}", read.target);
        Fault::new(OPTIONS, text)
    })?;
    Ok(Options::default()
        .with_target(target.with_single_return(target.single_return || read.single_return))
        .with_stages(read.stages)
        .with_max_break_path(read.max_break_path)
        .with_max_continue_switches(read.max_continue_switches))
}

/// A block as Python describes it. Targets are indices of blocks; of a branch on a condition the one if
/// it is true, then the other; of a switch the default, then one for each literal.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct BlockSpec {
    name: String,
    condition: Option<String>,
    code: Vec<String>,
    /// `convergent`, `pure`, `empty` or `uniform`.
    flags: Vec<String>,
    end: String,
    targets: Vec<u32>,
    literals: Vec<u64>,
}

impl BlockSpec {
    fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|has| has == flag)
    }
}

/// Names of a graph that is not a shader's.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    blocks: Vec<String>,
    /// For each payload its line, and the condition that it computes for the branch at the end of
    /// its block.
    lines: Vec<(String, Option<String>)>,
    /// For each instruction of the result its payload.
    insts: Vec<Option<u32>>,
    /// For each value of the result the payload that computes it.
    values: Vec<Option<u32>>,
}

impl Labels {
    /// Finds the instructions of the result; some may be copies.
    fn find(&mut self, structured: &Structured) {
        let func = &structured.func;
        let payload = |inst: Inst| match func.inst_kind(inst) {
            InstKind::Client(payload) => Some(payload),
            InstKind::SelectorTest { .. } | InstKind::Select => None,
        };
        let insts = (0..func.num_insts()).map(|index| payload(Inst::from_u32(index as u32)));
        self.insts = insts.collect();
        let of_value = |value: Value| match func.value_kind(value) {
            ValueKind::Result { inst, .. } => payload(inst),
            _ => None,
        };
        self.values = func.values().map(of_value).collect();
    }

    fn line(&self, payload: Option<u32>) -> Option<&(String, Option<String>)> {
        self.lines.get(payload? as usize)
    }
}

impl Names for Labels {
    fn block(&self, block: Block) -> Option<Cow<'_, str>> {
        let name = self.blocks.get(block.as_u32() as usize);
        name.filter(|name| !name.is_empty()).map(Into::into)
    }

    fn value(&self, value: Value) -> Option<Cow<'_, str>> {
        let payload = *self.values.get(value.as_u32() as usize)?;
        self.line(payload)?.1.as_ref().map(Into::into)
    }

    fn instruction(&self, inst: Inst) -> Option<Cow<'_, str>> {
        let payload = *self.insts.get(inst.as_u32() as usize)?;
        self.line(payload).map(|line| (&line.0).into())
    }
}

/// Returns text without line breaks and other control characters, as pictures and listings need it.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Builds a function of blocks; the first one is the entry.
fn build(specs: &[BlockSpec]) -> Result<(Function, Labels), Fault> {
    let mut func = Function::new();
    let mut labels = Labels::default();
    for spec in specs {
        func.add_block();
        labels.blocks.push(one_line(&spec.name));
    }
    for (index, spec) in specs.iter().enumerate() {
        let block = Block::from_u32(index as u32);
        let value = add_code(&mut func, &mut labels, block, spec);
        let terminator = terminator(&mut func, spec, value)
            .map_err(|what| Fault::new(GRAPH, format!("block `{}`: {what}", spec.name)))?;
        func.set_terminator(block, terminator);
        func.set_uniform(block, spec.has("uniform"));
    }
    Ok((func, labels))
}

/// Adds the instructions of a block: one for each line of its code, one for a block without code. Returns
/// the value that the branch at the end tests, if there is one: the result of the last instruction, or of
/// an empty block a constant.
fn add_code(
    func: &mut Function,
    labels: &mut Labels,
    block: Block,
    spec: &BlockSpec,
) -> Option<Value> {
    let ty = match &*spec.end {
        "if" => Some(BOOL),
        "switch" => Some(INT),
        _ => None,
    };
    let mut effects = match spec.has("pure") {
        true => Effects::NONE,
        false => Effects::SIDE_EFFECT,
    };
    if spec.has("convergent") {
        effects |= Effects::CONVERGENT;
    }
    let shown = ty.map(|_| match &spec.condition {
        Some(condition) => format!("({})", one_line(condition)),
        None => format!("test({})", one_line(&spec.name)),
    });
    let mut code: Vec<&str> = spec.code.iter().map(String::as_str).collect();
    if code.is_empty() && !spec.has("empty") {
        code.push(&spec.name);
    }
    let mut value = None;
    for (number, line) in code.iter().enumerate() {
        let is_last = number + 1 == code.len();
        let results: Vec<Type> = ty.into_iter().filter(|_| is_last).collect();
        let payload = labels.lines.len() as u32;
        let condition = shown.clone().filter(|_| is_last);
        labels.lines.push((one_line(line), condition));
        let inst = func.append_inst(block, payload, effects, &[], &results);
        value = func.results(inst).next();
    }
    // An empty block branches on a value that is defined before.
    if let (None, Some(ty)) = (value, ty) {
        let payload = labels.lines.len() as u32;
        labels.lines.push((String::new(), shown));
        value = Some(func.add_constant(payload, ty));
    }
    value
}

/// Returns the terminator of a block, or the error in its description.
fn terminator(
    func: &mut Function,
    spec: &BlockSpec,
    value: Option<Value>,
) -> Result<Terminator, &'static str> {
    let blocks = func.num_blocks();
    let target = |number: usize| {
        let target = spec.targets.get(number).ok_or("too few successors")?;
        match (*target as usize) < blocks {
            true => Ok(Block::from_u32(*target)),
            false => Err("a successor that does not exist"),
        }
    };
    let hint = SelectionHint::None;
    Ok(match (&*spec.end, value) {
        ("branch", _) => Terminator::Branch(target(0)?),
        ("if", Some(cond)) => Terminator::CondBranch {
            cond,
            then: target(0)?,
            else_: target(1)?,
            hint,
        },
        ("switch", Some(value)) => {
            let default = target(0)?;
            let mut cases = Vec::with_capacity(spec.literals.len());
            for (number, &literal) in spec.literals.iter().enumerate() {
                cases.push((literal, target(number + 1)?));
            }
            let mut literals = spec.literals.clone();
            literals.sort_unstable();
            literals.dedup();
            if literals.len() < cases.len() {
                return Err("two cases of one value");
            }
            let cases = func.add_cases(&cases);
            Terminator::Switch {
                value,
                default,
                cases,
                hint,
            }
        }
        ("return", _) => Terminator::Return(None),
        ("kill", _) => Terminator::Kill,
        ("unreachable", _) => Terminator::Unreachable,
        _ => return Err("an unknown kind of end"),
    })
}

fn traced(
    name: String,
    func: Function,
    mut labels: Labels,
    options: &Options,
) -> Result<Trace, Fault> {
    let trace = trace(func, options).map_err(|error| Fault::new(GRAPH, error.to_string()))?;
    labels.find(&trace.structured);
    Ok(Trace::new(name, trace, Box::new(labels)))
}

/// Structurizes blocks.
#[pyfunction]
pub(crate) fn structurize(
    py: Python<'_>,
    name: String,
    blocks: Vec<BlockSpec>,
    options: &str,
) -> PyResult<Trace> {
    run(py, || {
        let options = options_of(options)?;
        let (func, labels) = build(&blocks)?;
        traced(name, func, labels, &options)
    })
}

/// Structurizes a graph in text form.
#[pyfunction]
pub(crate) fn structurize_text(
    py: Python<'_>,
    name: String,
    text: &str,
    options: &str,
) -> PyResult<Trace> {
    run(py, || {
        let options = options_of(options)?;
        let func = text::parse(text).map_err(|error| Fault::new(GRAPH, error.to_string()))?;
        let labels = Labels {
            blocks: block_names(text, func.num_blocks()),
            ..Labels::default()
        };
        traced(name, func, labels, &options)
    })
}

/// Returns the labels of a text with `blocks` blocks; empty if they cannot be identified.
fn block_names(text: &str, blocks: usize) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.split('#').next());
    let labels = lines.filter_map(|line| Some(line.split_once(':')?.0.trim()));
    let is_label = |label: &&str| !label.is_empty() && !label.contains(['%', '=', ' ', '\t']);
    let names: Vec<String> = labels.filter(is_label).map(str::to_owned).collect();
    match names.len() == blocks {
        true => names,
        false => Vec::new(),
    }
}

/// Structurizes the functions of an entry point as a conversion does.
#[pyfunction]
#[pyo3(signature = (data, settings, entry_point=None))]
pub(crate) fn control_flow(
    py: Python<'_>,
    data: &[u8],
    settings: &Bound<'_, Settings>,
    entry_point: Option<String>,
) -> PyResult<Vec<Trace>> {
    let options = settings.get().options(entry_point);
    run(py, || {
        let functions = trellis_dxil::control_flow(data, &options)?;
        let options = options.structurizer_options();
        let traces = functions.into_iter().map(|function| {
            let name = function.name.clone();
            let trace = trace(function.function.clone(), &options).map_err(|source| {
                Fault::from(Error::Structurize {
                    function: name.clone(),
                    source,
                })
            })?;
            Ok(Trace::new(name, trace, Box::new(function)))
        });
        traces.collect()
    })
}

/// Returns the optional stages with their descriptions.
#[pyfunction]
pub(crate) fn stages() -> Vec<(&'static str, &'static str)> {
    let stages = Stage::OPTIONAL.into_iter();
    stages
        .map(|stage| (stage.name(), stage.summary()))
        .collect()
}

/// Returns the names of the languages for which graphs can be structurized.
#[pyfunction]
pub(crate) fn targets() -> Vec<&'static str> {
    Target::PROFILES.map(|(name, _)| name).to_vec()
}
