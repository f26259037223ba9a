//! The first value that differs, by a log of the values that each thread computes.

use trellis_dxil::Options;
use trellis_dxil::frontend::disasm::function_text;
use trellis_dxil::frontend::module::{FunctionId, InstId, InstKind, Module, ValueKind};
use trellis_dxil_interpreter::log::Log;

use super::compare::{Values, agree};
use super::{Case, Tried, VARIED_MORE};

/// Most parts of the log: a part is the log of a run.
const PARTS: u32 = 64;
/// Instructions of a shader with a log per instruction of the shader.
const GROWTH: u64 = 16;

/// An entry that differs.
struct Difference {
    thread: u32,
    /// Position in the thread's row.
    at: usize,
    /// Number of the instruction, and its value, in both logs.
    expected: [u32; 2],
    found: [u32; 2],
}

impl Tried<'_> {
    /// Returns a description of the first value that differs.
    pub(super) fn first_value(&self, case: &Case<'_, '_>, bytes: &[u8]) -> Result<String, String> {
        let device = self.device.as_ref().ok_or("no device")?;
        let name = &case.entry.name;
        let mut log = Log::new(&case.read.shader, case.entry).ok_or("a stage without a log")?;
        for _ in 0..PARTS {
            let error = |error: &dyn std::fmt::Display| error.to_string();
            let read = trellis_dxil::dxbc::read(bytes);
            let mut read = read.map_err(|e| error(&e))?;
            log.add(&mut read.module, &mut read.shader, name)
                .ok_or("no operation")?;
            let mut entries = read.shader.entry_points.iter();
            let entry = entries.find(|entry| entry.name == *name);
            let entry = entry.ok_or("no entry point")?;
            let words = trellis_dxil::convert_entry(&read, entry, &Options::default());
            let words = words.map_err(|e| error(&e))?.words;
            let logged = Case {
                log: Some(log),
                ..*case
            };
            let steps = self.args.steps.saturating_mul(GROWTH);
            let interpreted = logged.interpret(&read, self.wave(&words), steps, VARIED_MORE)?;
            let found = device.run(&words, &interpreted.inputs)?;
            let found = Values::read(&found, case.is_draw())?;
            let rows = |values: &Values| values.words_at(log.place());
            let (expected, found) = (rows(&interpreted.values), rows(&found));
            let varied: Vec<_> = interpreted.varied.iter().map(rows).collect();
            let first = (0..log.threads)
                .filter_map(|thread| difference(log, thread, &expected, &varied, &found))
                .min_by_key(|difference| difference.at);
            if let Some(first) = first {
                return Ok(describe(case, log, [&expected, &found], &first));
            }
            let last = |thread: u32| ((thread + 1) * log.entries - 1) as usize * 2;
            if (0..log.threads).all(|thread| expected.get(last(thread)).is_none_or(|&id| id == 0)) {
                return Ok("no value before it differs".to_owned());
            }
            log.skipped += log.entries;
        }
        Err("the log is too long".to_owned())
    }
}

/// Returns the first entry of a thread that differs. Where branches depend on rounding the logs have
/// nothing in common from there on.
fn difference(
    log: Log,
    thread: u32,
    expected: &[u32],
    varied: &[Vec<u32>],
    found: &[u32],
) -> Option<Difference> {
    let entry = |words: &[u32], at: usize| {
        let at = (thread * log.entries) as usize + at;
        let words = words.get(at * 2..at * 2 + 2);
        words.map_or([0; 2], |words| [words[0], words[1]])
    };
    for at in 0..log.entries as usize {
        let (expected, found) = (entry(expected, at), entry(found, at));
        let varied = varied.iter().map(|words| entry(words, at));
        if expected[0] == 0 || varied.clone().any(|[id, _]| id != expected[0]) {
            return None;
        }
        let values = varied.map(|[_, value]| value);
        if expected[0] != found[0] || agree(expected[1], values, found[1]) == Some(false) {
            return Some(Difference {
                thread,
                at,
                expected,
                found,
            });
        }
    }
    None
}

/// Describes a difference, with the operands that the log has.
fn describe(case: &Case<'_, '_>, log: Log, rows: [&[u32]; 2], first: &Difference) -> String {
    let module = &case.read.module;
    let Some(function) = case.entry.function else {
        return String::new();
    };
    let lines = lines(module, function);
    let line = |id: u32| lines.get(id as usize - 1).map_or("", |line| line);
    let function = &module.functions[function];
    let number = |word: u32| format!("{word:#x} ({})", f32::from_bits(word));
    let [id, value] = first.expected;
    let mut text = format!("thread {}: ", first.thread);
    if first.found[0] != id {
        let other = first.found[0]
            .checked_sub(1)
            .map_or("the end", |id| line(id + 1));
        return text + &format!("expected `{}`, found `{other}`", line(id));
    }
    text += &format!(
        "`{}`: expected {}, found {}",
        line(id),
        number(value),
        number(first.found[1])
    );
    // Up to here both rows have the same instructions.
    let row = (first.thread * log.entries) as usize;
    let [expected, found] = rows.map(|words| &words[row * 2..(row + first.at) * 2]);
    let pairs = expected.chunks_exact(2).zip(found.chunks_exact(2)).rev();
    let mut inst = &function.insts[InstId::from_u32(id - 1)];
    // Operations with several results are not in the log.
    if let InstKind::ExtractValue { aggregate, .. } = inst.kind
        && let Some(ValueKind::Inst(operation)) = module
            .value(Some(function), aggregate)
            .map(|value| value.kind)
    {
        text += &format!(" of `{}`", line(operation.as_u32() + 1));
        inst = &function.insts[operation];
    }
    for operand in function.operands(&inst.kind) {
        let value = module.value(Some(function), operand);
        if let Some(ValueKind::Inst(operand)) = value.map(|value| value.kind)
            && let id = operand.as_u32() + 1
            && let Some((expected, found)) = pairs.clone().find(|(entry, _)| entry[0] == id)
        {
            let name = line(id).split(' ').next().unwrap_or_default();
            text += &format!(", {name} {}", number(expected[1]));
            if expected[1] != found[1] {
                text += &format!(" and {}", number(found[1]));
            }
        }
    }
    text
}

/// Returns the line of each instruction of a function.
fn lines(module: &Module, function: FunctionId) -> Vec<String> {
    let text = function_text(module, function, &[]).unwrap_or_default();
    let code = |line: String| line.split("  ;").next().unwrap_or_default().to_owned();
    text.insts.into_iter().map(code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_dxil::frontend::shader::{Resource, ResourceClass, ResourceKind};
    use trellis_dxil_interpreter::{Inputs, generate, run_module};

    #[test]
    fn the_log_of_a_shader_leads_to_the_instruction() {
        let bytes = include_bytes!(
            "../../../../corpus/shaders/control_flow/continue_in_switch_in_loop.dxil"
        );
        let original = trellis_dxil::dxbc::read(bytes).unwrap();
        let entry = &original.shader.entry_points[0];
        let log = Log::new(&original.shader, entry).unwrap();
        let mut other = trellis_dxil::dxbc::read(bytes).unwrap().shader;
        let own = Resource::new(
            ResourceClass::Uav,
            ResourceKind::RawBuffer,
            9,
            log.place().register,
        );
        other.resources.push(own);
        assert_ne!(Log::new(&other, entry).unwrap().place(), log.place());
        let mut read = trellis_dxil::dxbc::read(bytes).unwrap();
        log.add(&mut read.module, &mut read.shader, &entry.name);
        let logged = &read.shader.entry_points[0];
        trellis_dxil::convert_entry(&read, logged, &Options::default()).unwrap();

        let mut dispatch = generate::dispatch(&original.module, &original.shader, [1; 3], 8);
        dispatch.bindings.push(log.binding());
        let inputs = Inputs::try_from(&dispatch).unwrap();
        let options = trellis_dxil_interpreter::Options::default();
        let outputs = run_module(&read.module, &read.shader, &inputs, &options).unwrap();
        let values = Values::of_dispatch(&outputs.to_dispatch(&dispatch)).unwrap();
        let expected = values.words_at(log.place());
        let difference = |found: &[u32]| difference(log, 1, &expected, &[], found);
        assert!(difference(&expected).is_none());

        let lines = lines(&original.module, entry.function.unwrap());
        let mut found = expected.clone();
        let at = log.entries as usize * 2 + 20;
        found[at + 1] ^= 1;
        let first = difference(&found).unwrap();
        assert_eq!((first.thread, first.at), (1, 10));
        let line = &lines[first.expected[0] as usize - 1];
        assert!(line.starts_with('%'), "{line}");
        found[at] += 1; // Another branch.
        assert_eq!(difference(&found).unwrap().found[0], first.expected[0] + 1);
    }
}
