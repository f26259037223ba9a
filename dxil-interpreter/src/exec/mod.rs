//! Runs a [`Program`]: groups one after the other, in a group the waves one after the other up to
//! each barrier, in a wave the lanes of the lowest rank first.

mod buffer;
mod draw;
mod dx;
mod feedback;
mod nodes;
mod noise;
mod pure;
mod rays;
mod sample;
mod stage;
mod step;
mod texture;
mod trace;
mod waves;

use std::cell::Cell;
use std::collections::HashMap;

use trellis_entity::EntityRef;

use crate::dispatch::{Class, DispatchError, Place, Scene};
use crate::error::{Error, Quantity, WaveWidthRule, bounded};
use crate::program::{Label, Object, Operand, Program, Slot, Target, Terminator};
use crate::resource::{Inputs, Outputs, Resource};
use crate::{Invocation, Options, Step};
use nodes::Graph;
use noise::Noise;
use rays::{Query, Structure};
use stage::Stage;

pub(crate) use buffer::{is_multisampled, kind_of};
pub(crate) use draw::run_draw;
pub(crate) use feedback::is_implicit_feedback;
pub(crate) use nodes::{INPUT, run_graph};
pub(crate) use sample::is_implicit;
pub(crate) use stage::is_generated;

/// Results of an operation; nine are the most that one has.
type Results = [u64; 9];

/// Widest wave.
const MAX_WIDTH: u32 = 128;
/// Most bytes of the slots and local memory of a group.
const MAX_GROUP_MEMORY: u64 = 1 << 29;
/// Bytes of memory that are cleared in the time of an instruction, or less.
const CLEARED: u64 = 64;
/// The block that lanes start at.
const ENTRY: Label = Label::from_u32(0);
/// Rank of a lane that has ended.
const ENDED: u32 = u32::MAX;

/// Runs a program.
pub(crate) fn run(program: &Program, inputs: &Inputs, options: &Options) -> Result<Outputs, Error> {
    let width = wave_width(program, options)?;
    let mut machine = Machine::new(program, &inputs.resources, &inputs.scenes, options)?;
    machine.enter(program, width as usize);
    let mut waves = machine.waves()?;
    for group in groups(inputs.groups) {
        machine.group = group;
        machine.run_group(&mut waves, program.group_size())?;
    }
    Ok(machine.finish())
}

/// Returns the groups of a dispatch in order.
fn groups([width, height, depth]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let rows = (0..depth).flat_map(move |z| (0..height).map(move |y| [y, z]));
    rows.flat_map(move |[y, z]| (0..width).map(move |x| [x, y, z]))
}

/// Returns the requested width, if it is possible and the shader permits it.
fn wave_width(program: &Program, options: &Options) -> Result<u32, Error> {
    let permitted = program.wave_size.filter(|size| size.minimum != 0);
    let width = options.wave.unwrap_or_else(|| match permitted {
        Some(size) => size.preferred.max(size.minimum),
        None => 32,
    });
    if !width.is_power_of_two() || !(4..=MAX_WIDTH).contains(&width) {
        let rule = WaveWidthRule::PowerOfTwo { maximum: MAX_WIDTH };
        return Err(Error::WaveWidth { width, rule });
    }
    if let Some(size) = permitted {
        let (minimum, maximum) = (size.minimum, size.maximum.max(size.minimum));
        if !(minimum..=maximum).contains(&width) {
            let rule = WaveWidthRule::Declared { minimum, maximum };
            return Err(Error::WaveWidth { width, rule });
        }
    }
    Ok(width)
}

/// State shared by all waves.
pub(super) struct Machine<'p> {
    program: &'p Program,
    /// Numbers of the local objects that do not begin with zeros only.
    initialized: Vec<usize>,
    width: usize,
    /// Resources by register.
    lookup: HashMap<Place, u32>,
    /// Resources by index into the heap, and whether it is the sampler heap.
    heap: HashMap<(u32, bool), u32>,
    resources: Vec<Resource>,
    /// Acceleration structures, numbered after the resources.
    structures: Vec<Structure>,
    /// The work graph that runs.
    graph: Graph,
    /// The stage of the graphics pipeline that runs.
    stage: Stage,
    group: [u32; 3],
    shared: Vec<u8>,
    steps: u64,
    /// Accesses of buffers out of bounds, counted where they happen, reads too.
    out_of_bounds: Cell<u64>,
    limit: u64,
    noise: Option<Noise>,
    traced: Option<Invocation>,
    trace: Vec<Step>,
}

/// A wave.
pub(super) struct Wave {
    /// Flattened number of its first thread in the group.
    first: u32,
    width: usize,
    /// Slot `s` of lane `l` is `slots[s * width + l]`.
    slots: Vec<u64>,
    /// Memory of each lane after the other.
    local: Vec<u8>,
    /// Ray query `q` of lane `l` is `queries[q * width + l]`.
    queries: Vec<Query>,
    /// The position of each lane: the rank that it waits at, and the block that it will run.
    rank: Vec<u32>,
    block: Vec<Label>,
    /// Lanes that wait at a barrier.
    waiting: Vec<bool>,
}

impl Wave {
    fn get(&self, operand: Operand, lane: usize) -> u64 {
        match operand {
            Operand::Const(value) => value,
            Operand::Slot(slot) => self
                .slots
                .get(slot.index() * self.width + lane)
                .copied()
                .unwrap_or(0),
        }
    }

    fn set(&mut self, slot: Slot, lane: usize, value: u64) {
        if let Some(place) = self.slots.get_mut(slot.index() * self.width + lane) {
            *place = value;
        }
    }
}

impl<'p> Machine<'p> {
    /// Returns a machine that [`enter`](Self::enter) makes ready.
    fn new(
        program: &'p Program,
        resources: &[Resource],
        scenes: &[Scene],
        options: &Options,
    ) -> Result<Self, Error> {
        let mut lookup = HashMap::new();
        // Acceleration structures have the numbers after the resources.
        let places = resources.iter().map(|resource| resource.place);
        for (index, place) in places.chain(scenes.iter().map(Scene::place)).enumerate() {
            if lookup.insert(place, index as u32).is_some() {
                return Err(DispatchError::Twice { place }.into());
            }
        }
        for scene in scenes {
            scene.check()?;
        }
        let heap = lookup.iter().filter_map(|(place, &index)| {
            Some(((place.heap?, place.class == Class::Sampler), index))
        });
        Ok(Self {
            program,
            initialized: Vec::new(),
            width: 0,
            heap: heap.collect(),
            lookup,
            resources: resources.to_vec(),
            structures: scenes.iter().map(Structure::from).collect(),
            graph: Graph::default(),
            stage: Stage::default(),
            group: [0; 3],
            shared: Vec::new(),
            steps: 0,
            out_of_bounds: Cell::new(0),
            limit: options.steps,
            noise: options.noise.map(Noise::new),
            traced: options.trace,
            trace: Vec::new(),
        })
    }

    /// Begins to run a program.
    fn enter(&mut self, program: &'p Program, width: usize) {
        self.initialized = (0..program.locals.len())
            .filter(|&number| !program.locals[number].init.is_empty())
            .collect();
        (self.program, self.width) = (program, width);
    }

    /// Returns the results.
    fn finish(self) -> Outputs {
        let resources = self.resources.into_iter();
        Outputs {
            resources: resources.filter(|r| r.place.class == Class::Uav).collect(),
            steps: self.steps,
            out_of_bounds: self.out_of_bounds.get(),
            trace: self.trace,
        }
    }

    fn waves(&self) -> Result<Vec<Wave>, Error> {
        let count = self.program.group_size().div_ceil(self.width as u32);
        let local = Object::total(&self.program.locals);
        let queries = self.program.queries.len();
        let of_queries = (queries * size_of::<Query>()) as u64;
        let bytes = (u64::from(self.program.slots) * 8 + local as u64 + of_queries)
            .saturating_mul(u64::from(count) * self.width as u64);
        bounded(Quantity::GroupBytes, bytes, MAX_GROUP_MEMORY)?;
        let wave = |number: u32| Wave {
            first: number * self.width as u32,
            width: self.width,
            slots: vec![0; self.program.slots as usize * self.width],
            local: vec![0; local * self.width],
            queries: vec![Query::default(); queries * self.width],
            rank: vec![0; self.width],
            block: vec![ENTRY; self.width],
            waiting: vec![false; self.width],
        };
        Ok((0..count).map(wave).collect())
    }

    /// Runs the first `threads` threads of a group.
    fn run_group(&mut self, waves: &mut [Wave], threads: u32) -> Result<(), Error> {
        let shared = Object::total(&self.program.shared);
        self.shared.clear();
        self.shared.resize(shared, 0);
        // Clearing memory takes time too.
        self.spend(shared as u64 / CLEARED)?;
        for wave in &mut *waves {
            self.start(wave, threads)?;
        }
        let mut lanes = Vec::with_capacity(self.width);
        loop {
            let mut running: Vec<&mut Wave> = waves.iter_mut().collect();
            running.reverse();
            while let Some(last) = running.len().checked_sub(1) {
                let noise = self.noise.as_ref();
                let at = noise.map_or(last, |noise| noise.below(running.len()));
                if !self.advance(running[at], &mut lanes)? {
                    running.remove(at);
                }
            }
            if !self.pass_barrier(waves, threads)? {
                return Ok(());
            }
        }
    }

    /// Puts the lanes of a wave at the entry, with fresh memory.
    fn start(&mut self, wave: &mut Wave, threads: u32) -> Result<(), Error> {
        self.spend(
            (wave.width
                + wave.local.len() / CLEARED as usize
                + wave.queries.len() * (size_of::<Query>() / CLEARED as usize)
                + self.initialized.len() * wave.width) as u64,
        )?;
        wave.queries.fill(Query::default());
        let entry = self.program.order.rank.get(ENTRY).copied().unwrap_or(ENDED);
        wave.local.fill(0);
        let size = wave.local.len() / wave.width;
        for lane in 0..wave.width {
            wave.rank[lane] = if wave.first + (lane as u32) < threads {
                entry
            } else {
                ENDED
            };
            wave.block[lane] = ENTRY;
            wave.waiting[lane] = false;
            for &number in &self.initialized {
                let object = &self.program.locals[number];
                let at = lane * size + object.start;
                wave.local[at..at + object.init.len()].copy_from_slice(&object.init);
            }
        }
        Ok(())
    }

    fn spend(&mut self, steps: u64) -> Result<(), Error> {
        self.steps += steps;
        if self.steps > self.limit {
            Err(Error::Steps { limit: self.limit })
        } else {
            Ok(())
        }
    }

    /// Runs a block for the lanes at the lowest rank. Returns `false` if each lane has ended or waits at
    /// a barrier.
    fn advance(&mut self, wave: &mut Wave, lanes: &mut Vec<usize>) -> Result<bool, Error> {
        let runnable = |&lane: &usize| !wave.waiting[lane] && wave.rank[lane] != ENDED;
        let Some(lowest) = (0..wave.width)
            .filter(runnable)
            .map(|lane| wave.rank[lane])
            .min()
        else {
            return Ok(false);
        };
        lanes.clear();
        lanes.extend(
            (0..wave.width)
                .filter(runnable)
                .filter(|&lane| wave.rank[lane] == lowest),
        );
        // At a latch the lanes that came by back edges continue at the headers, together.
        let first = wave.block[lanes[0]];
        if self.program.order.rank[first] == lowest {
            self.run_block(wave, first, lanes)?;
        } else {
            for &mut lane in lanes {
                wave.rank[lane] = self.program.order.rank[wave.block[lane]];
            }
        }
        Ok(true)
    }

    fn run_block(&mut self, wave: &mut Wave, label: Label, lanes: &[usize]) -> Result<(), Error> {
        let program = self.program;
        let block = &program.blocks[label];
        let code = &program.code[block.code];
        self.spend((code.len() as u64 + 1) * lanes.len() as u64)?;
        let shuffled = self.noise.as_ref().map(|noise| noise.shuffled(lanes));
        for instr in code {
            let shuffled = shuffled.as_deref().filter(|_| instr.accesses_memory());
            self.step(wave, instr, shuffled.unwrap_or(lanes))?;
        }
        if !block.lines.is_empty() {
            self.trace(wave, &block.lines, lanes)?;
        }
        let mut copied = Vec::new();
        for &lane in lanes {
            let target = match &block.end {
                Terminator::Goto(target) | Terminator::Barrier(target) => target,
                Terminator::If { cond, then, .. } if wave.get(*cond, lane) & 1 == 1 => then,
                Terminator::If { other, .. } => other,
                Terminator::Switch {
                    value,
                    default,
                    cases,
                } => {
                    let value = wave.get(*value, lane);
                    let cases = &program.cases[*cases];
                    self.spend(cases.len() as u64)?;
                    cases
                        .iter()
                        .find(|(literal, _)| *literal == value)
                        .map_or(default, |(_, target)| target)
                }
                Terminator::Return => {
                    wave.rank[lane] = ENDED;
                    continue;
                }
                Terminator::Unreachable => {
                    return Err(Error::Unreachable {
                        group: self.group,
                        thread: program.thread(wave.first + lane as u32),
                    });
                }
            };
            self.spend(target.copies.len() as u64)?;
            follow(program, wave, label, target, lane, &mut copied);
            wave.waiting[lane] = matches!(block.end, Terminator::Barrier(_));
        }
        Ok(())
    }

    /// Called when no lane can continue: if all lanes wait at the same barrier, releases them and
    /// returns `true`. Returns `false` if all have ended.
    fn pass_barrier(&self, waves: &mut [Wave], threads: u32) -> Result<bool, Error> {
        let place = |waves: &[Wave], thread: u32| {
            let (wave, lane) = (
                &waves[thread as usize / self.width],
                thread as usize % self.width,
            );
            wave.waiting[lane].then(|| wave.block[lane])
        };
        let Some(waiting) = (0..threads).find(|&thread| place(waves, thread).is_some()) else {
            return Ok(false);
        };
        let barrier = place(waves, waiting);
        if let Some(other) = (0..threads).find(|&thread| place(waves, thread) != barrier) {
            return Err(Error::Barrier {
                group: self.group,
                waiting: self.program.thread(waiting),
                other: self.program.thread(other),
            });
        }
        for wave in waves {
            wave.waiting.fill(false);
        }
        Ok(true)
    }
}

/// Takes a lane along an edge.
fn follow(
    program: &Program,
    wave: &mut Wave,
    from: Label,
    target: &Target,
    lane: usize,
    copied: &mut Vec<u64>,
) {
    let copies = &program.copies[target.copies];
    // All are read before any is written: a phi may be the operand of another.
    copied.clear();
    copied.extend(copies.iter().map(|&(_, operand)| wave.get(operand, lane)));
    for (&(slot, _), &value) in copies.iter().zip(&*copied) {
        wave.set(slot, lane, value);
    }
    wave.block[lane] = target.block;
    wave.rank[lane] = program.order.arrival(from, target.block);
}
