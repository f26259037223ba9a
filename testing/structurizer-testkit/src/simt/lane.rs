//! The state of the lanes, and the effects of one block on it.

use rustc_hash::FxHashMap;
use trellis_entity::EntityRef;
use trellis_structurizer::ir::{
    Block, Effects, Function, Inst, InstKind, SelectorOp, Terminator, Value, ValueKind,
};

use super::{Config, Decisions, Event, EventKind, SimError, Trace};

/// Run-time form of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Runtime {
    Unwritten,
    Undefined,
    Opaque(u64),
    Selector(u32),
    Bool(bool),
}

/// Mixes two numbers (the finalizer of splitmix64).
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mut x = a
        .rotate_left(25)
        .wrapping_add(b)
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Runtime {
    fn hash(self) -> u64 {
        match self {
            Runtime::Unwritten => 0,
            Runtime::Undefined => 0xdead,
            Runtime::Opaque(hash) => hash,
            Runtime::Selector(number) => mix(2, u64::from(number)),
            Runtime::Bool(value) => mix(3, u64::from(value)),
        }
    }
}

/// Salt of decisions at uniform terminators.
const UNIFORM: u64 = 3 << 40;

struct Lane {
    values: Vec<Runtime>,
    /// Number of times that the lane ran an instruction, by its payload.
    counts: FxHashMap<u32, u32>,
    /// Number of instructions of the client's that the lane ran: the time.
    time: u32,
    /// Blocks since the last of them.
    idle: usize,
    from: Option<Block>,
}

/// Next block of a lane.
pub(super) type Target = Option<Block>;

/// All lanes of a run.
pub(super) struct Wave<'a> {
    pub(super) func: &'a Function,
    config: Config,
    lanes: Vec<Lane>,
    pub(super) trace: Trace,
    /// The decisions at uniform terminators of another run, to be repeated.
    repeated: Option<&'a Decisions>,
    idle_limit: usize,
}

/// Returns the lanes of a set, lowest first.
pub(super) fn lanes_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let lane = set.trailing_zeros() as usize;
            set &= set - 1;
            lane
        })
    })
}

impl<'a> Wave<'a> {
    /// Returns the lanes before a run, in which uniform terminators of the function make uniform
    /// decisions, or repeat the decisions of another run.
    pub(super) fn new(func: &'a Function, config: Config, repeated: Option<&'a Trace>) -> Self {
        let count = config.lanes.clamp(1, 64) as usize;
        let values: Vec<Runtime> = func
            .values()
            .map(|value| match func.value_kind(value) {
                ValueKind::Constant { payload } => Runtime::Opaque(mix(1, u64::from(payload))),
                ValueKind::SelectorConstant(number) => Runtime::Selector(number),
                ValueKind::BoolConstant(is_true) => Runtime::Bool(is_true),
                ValueKind::Undef => Runtime::Undefined,
                ValueKind::Phi(_) | ValueKind::Result { .. } => Runtime::Unwritten,
            })
            .collect();
        let lane = |_| Lane {
            values: values.clone(),
            counts: FxHashMap::default(),
            time: 0,
            idle: 0,
            from: None,
        };
        Wave {
            func,
            config,
            lanes: (0..count).map(lane).collect(),
            trace: Trace {
                lanes: vec![Vec::new(); count],
                uniform: Decisions::default(),
            },
            repeated: repeated.map(|trace| &trace.uniform),
            idle_limit: 8 * func.num_blocks() + 64,
        }
    }

    /// Returns all lanes.
    pub(super) fn all(&self) -> u64 {
        u64::MAX >> (64 - self.lanes.len())
    }

    /// Runs a block for a set of lanes; `leave` gets each lane and its next block.
    pub(super) fn run_block(
        &mut self,
        block: Block,
        set: u64,
        mut leave: impl FnMut(usize, Target),
    ) -> Result<(), SimError> {
        for lane in lanes_of(set) {
            self.run_phis(block, lane)?;
        }
        let func = self.func;
        for inst in func.insts(block) {
            // A lane that halts in the middle of a block is there until its end.
            let runs = |&lane: &usize| self.lanes[lane].time < self.config.fuel;
            let together = lanes_of(set)
                .filter(runs)
                .fold(0, |all, lane| all | 1 << lane);
            for lane in lanes_of(set) {
                self.run_inst(block, inst, lane, together)?;
            }
        }
        let uniform = self.uniform_draw(block, set)?;
        for lane in lanes_of(set) {
            let target = self.run_terminator(block, lane, uniform)?;
            self.lanes[lane].from = Some(block);
            leave(lane, target);
        }
        Ok(())
    }

    fn read(&self, block: Block, lane: usize, value: Value) -> Result<Runtime, SimError> {
        match self.lanes[lane].values[value.index()] {
            Runtime::Unwritten => Err(SimError::Unwritten { block, value }),
            runtime => Ok(runtime),
        }
    }

    fn run_phis(&mut self, block: Block, lane: usize) -> Result<(), SimError> {
        let func = self.func;
        let Some(pred) = self.lanes[lane].from else {
            return Ok(());
        };
        // All phis read before any is written.
        let mut new = Vec::new();
        for phi in func.phis(block) {
            let operand = func.phi_operands(phi).find(|operand| operand.pred == pred);
            let operand = operand.ok_or(SimError::MissingOperand { block, phi, pred })?;
            new.push(self.read(block, lane, operand.value)?);
        }
        for (phi, runtime) in func.phis(block).zip(new) {
            self.lanes[lane].values[phi.index()] = runtime;
        }
        Ok(())
    }

    fn run_inst(
        &mut self,
        block: Block,
        inst: Inst,
        lane: usize,
        set: u64,
    ) -> Result<(), SimError> {
        let func = self.func;
        let payload = match func.inst_kind(inst) {
            InstKind::Client(payload) => payload,
            InstKind::SelectorTest { op, constant } => {
                return self.run_test(block, inst, lane, op, constant);
            }
            InstKind::Select => return self.run_select(block, inst, lane),
        };
        self.lanes[lane].time += 1;
        self.lanes[lane].idle = 0;
        let mut operands = 0;
        for &value in func.uses(inst) {
            operands = mix(operands, self.read(block, lane, value)?.hash());
        }
        let effects = func.effects(inst);
        let mut hash = mix(mix(self.config.seed, u64::from(payload)), operands);
        if !self.config.is_uniform(payload) {
            hash = mix(hash, lane as u64);
        }
        if effects.contains(Effects::SIDE_EFFECT) || effects.contains(Effects::READS_MEMORY) {
            let count = self.lanes[lane].counts.entry(payload).or_default();
            *count += 1;
            hash = mix(hash, u64::from(*count));
        }
        let convergent = effects.contains(Effects::CONVERGENT);
        if convergent && self.config.convergent_results {
            hash = mix(hash, set);
        }
        let is_seen = convergent || effects.contains(Effects::SIDE_EFFECT);
        if is_seen && self.lanes[lane].time <= self.config.fuel {
            self.event(
                lane,
                Event {
                    kind: EventKind::Inst(payload),
                    operands,
                    lanes: if convergent { set } else { 0 },
                },
            );
        }
        for (index, result) in func.results(inst).enumerate() {
            self.lanes[lane].values[result.index()] = Runtime::Opaque(mix(hash, index as u64));
        }
        Ok(())
    }

    fn run_select(&mut self, block: Block, inst: Inst, lane: usize) -> Result<(), SimError> {
        let func = self.func;
        let &[cond, then, otherwise] = func.uses(inst) else {
            return Err(SimError::NoTerminator { block });
        };
        let taken = self.is_true(block, lane, cond, None)?;
        let value = self.read(block, lane, if taken { then } else { otherwise })?;
        for result in func.results(inst) {
            self.lanes[lane].values[result.index()] = value;
        }
        Ok(())
    }

    fn run_test(
        &mut self,
        block: Block,
        inst: Inst,
        lane: usize,
        op: SelectorOp,
        constant: u32,
    ) -> Result<(), SimError> {
        for &value in self.func.uses(inst) {
            let Runtime::Selector(selector) = self.read(block, lane, value)? else {
                return Err(SimError::UndefinedCondition { block, value });
            };
            let result = match op {
                SelectorOp::LessEqual => selector <= constant,
                SelectorOp::Equal => selector == constant,
            };
            for value in self.func.results(inst) {
                self.lanes[lane].values[value.index()] = Runtime::Bool(result);
            }
        }
        Ok(())
    }

    fn event(&mut self, lane: usize, event: Event) {
        self.trace.lanes[lane].push(event);
    }

    /// Draws a number for the decision of all lanes at a uniform terminator.
    fn uniform_draw(&self, block: Block, set: u64) -> Result<Option<u64>, SimError> {
        let terminator = self.func.terminator(block);
        let value = terminator.and_then(Terminator::value);
        let (Some(value), Some(first)) = (value, lanes_of(set).next()) else {
            return Ok(None);
        };
        if self.repeated.is_some() || !self.func.is_uniform(block) {
            return Ok(None);
        }
        let hash = self.read(block, first, value)?.hash();
        let salt = mix(self.config.seed, UNIFORM);
        let time = u64::from(self.lanes[first].time);
        Ok(Some(mix(mix(salt, hash), time) >> 8))
    }

    /// `uniform` is the number that all lanes that are here drew, if they decide alike.
    fn run_terminator(
        &mut self,
        block: Block,
        lane: usize,
        uniform: Option<u64>,
    ) -> Result<Target, SimError> {
        let ends = |kind: EventKind, operands: u64| Event {
            kind,
            operands,
            lanes: 0,
        };
        self.lanes[lane].idle += 1;
        let is_spent = self.lanes[lane].time >= self.config.fuel;
        if is_spent || self.lanes[lane].idle > self.idle_limit {
            self.event(lane, ends(EventKind::Halt, 0));
            return Ok(None);
        }
        let target = match self
            .func
            .terminator(block)
            .ok_or(SimError::NoTerminator { block })?
        {
            Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. } => Some(to),
            // A branch with one target decides nothing; the structurizer makes it a plain one.
            Terminator::CondBranch { then, else_, .. } if then == else_ => Some(then),
            Terminator::CondBranch {
                cond, then, else_, ..
            } => {
                let taken = self.is_true(block, lane, cond, uniform)?;
                Some(if taken { then } else { else_ })
            }
            Terminator::Switch { default, cases, .. }
                if self.func.cases(cases).iter().all(|c| c.target == default) =>
            {
                Some(default)
            }
            Terminator::Switch {
                value,
                default,
                cases,
                ..
            } => {
                let literal = match self.read(block, lane, value)? {
                    Runtime::Selector(selector) => u64::from(selector),
                    Runtime::Opaque(hash) => {
                        let range = self.config.switch_range.saturating_add(1);
                        self.decide(lane, hash, uniform) % range.max(1)
                    }
                    _ => return Err(SimError::UndefinedCondition { block, value }),
                };
                let mut cases = self.func.cases(cases).iter();
                let case = cases.find(|case| case.literal == literal);
                Some(case.map_or(default, |case| case.target))
            }
            Terminator::Return(value) => {
                let hash = value
                    .map(|value| self.read(block, lane, value))
                    .transpose()?
                    .map_or(0, Runtime::hash);
                self.event(lane, ends(EventKind::Return, hash));
                return Ok(None);
            }
            Terminator::Kill => {
                self.event(lane, ends(EventKind::Kill, 0));
                return Ok(None);
            }
            Terminator::Exit(payload) => {
                self.event(lane, ends(EventKind::Exit(payload), 0));
                return Ok(None);
            }
            Terminator::Unreachable => {
                self.event(lane, ends(EventKind::Unreachable, 0));
                return Ok(None);
            }
        };
        Ok(target)
    }

    /// Decides on a condition.
    fn is_true(
        &mut self,
        block: Block,
        lane: usize,
        cond: Value,
        uniform: Option<u64>,
    ) -> Result<bool, SimError> {
        match self.read(block, lane, cond)? {
            Runtime::Bool(is_true) => Ok(is_true),
            Runtime::Opaque(hash) => {
                let draw = self.decide(lane, hash, uniform);
                Ok(draw % 8 < 2 + self.config.seed % 3 * 2)
            }
            _ => Err(SimError::UndefinedCondition { block, value: cond }),
        }
    }

    /// Draws a number for a decision on a value: the same one until the lane has run another
    /// instruction.
    fn decide(&mut self, lane: usize, hash: u64, uniform: Option<u64>) -> u64 {
        let time = self.lanes[lane].time;
        let key = (lane, hash, time);
        if let Some(draw) = uniform {
            self.trace.uniform.0.insert(key, draw);
            return draw;
        }
        let own = self.trace.uniform.0.get(&key);
        let repeated = self.repeated.and_then(|decisions| decisions.0.get(&key));
        if let Some(&draw) = own.or(repeated) {
            return draw;
        }
        let draw = mix(mix(self.config.seed, hash), u64::from(time));
        // Some decisions on a uniform value are uniform.
        if mix(self.config.seed, hash) & 1 == 0 {
            draw >> 8
        } else {
            mix(draw, lane as u64) >> 8
        }
    }
}
