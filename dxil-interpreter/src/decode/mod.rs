//! Decodes a module to a [`Program`]: splits types into scalars, evaluates constants, inlines
//! calls, orders blocks.

mod body;
mod constants;
mod inst;
mod layout;
mod ops;
mod order;
mod vectors;

use trellis_dxil_frontend::debug_info::VariableUses;
use trellis_dxil_frontend::module::{Attribute, FunctionId, GlobalId, Module, TypeId};
use trellis_dxil_frontend::shader::{
    ComponentType, EntryPoint, NodeLaunch, Resource, Shader, ShaderKind, UNBOUNDED,
};

use crate::Options;
use crate::error::{Error, InvalidKind, Quantity, bounded, invalid};
use crate::memory::{Pointer, Space};
use crate::program::{
    Block, Instr, Label, Line, Object, Operand, Program, Signatures, Slot, Terminator, Variable,
    View, ViewId,
};
use crate::signature::{self, Signature};
use layout::Layouts;
use trellis_entity::{EntityRange, PrimaryMap, entity_impl};

/// Most blocks of a program, calls inlined.
const MAX_BLOCKS: u64 = 1 << 17;
/// Most instructions, copies and cases of a program, calls inlined, and most steps to make them.
const MAX_WORK: u64 = 1 << 24;
/// Most bytes of memory of one kind.
const MAX_MEMORY: u64 = 1 << 26;
/// Deepest chain of calls.
const MAX_CALLS: u32 = 256;

/// A scalar in [`Decoder::leaves`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct LeafId(u32);
entity_impl!(LeafId, "leaf");

/// A function to be inlined, in [`Decoder::frames`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct FrameId(u32);
entity_impl!(FrameId, "frame");

/// A value in scalars: a range of [`Decoder::leaves`].
type Leaves = EntityRange<LeafId>;

/// A block that is being made; its number is not its position in the order.
struct Draft {
    code: Vec<Instr>,
    end: Terminator,
    lines: Vec<Line>,
}

/// A function to be inlined.
struct Frame {
    function: FunctionId,
    /// The frame that calls it.
    caller: Option<FrameId>,
    depth: u32,
    /// Number of the draft that its block 0 becomes; the others follow.
    first_block: Label,
    arguments: Vec<Leaves>,
    /// The draft to continue with, and the slots of the result.
    back: Option<(Label, Leaves)>,
}

pub(crate) struct Decoder<'m> {
    module: &'m Module,
    shader: &'m Shader,
    kind: ShaderKind,
    layouts: Layouts<'m>,
    program: Program,
    drafts: PrimaryMap<Label, Draft>,
    frames: PrimaryMap<FrameId, Frame>,
    leaves: PrimaryMap<LeafId, Operand>,
    /// Address of each global variable.
    globals: PrimaryMap<GlobalId, Option<Pointer>>,
    /// Blocks have the lines of a trace; some describe variables.
    traced: Option<VariableUses>,
    work: u64,
}

/// Makes a function of an entry point ready to run: the entry point's own, or another one.
pub(crate) fn decode(
    module: &Module,
    shader: &Shader,
    entry: &EntryPoint,
    function: Option<FunctionId>,
    options: &Options,
) -> Result<Program, Error> {
    let function = function.ok_or_else(|| invalid(InvalidKind::NoEntryFunction))?;
    let native16 = shader.native_low_precision;
    let signature = |elements| Signature::new(elements, native16);
    let mut decoder = Decoder {
        module,
        shader,
        kind: entry.kind,
        layouts: Layouts::new(module, native16),
        program: Program {
            flush: shader.denorm_mode == 2,
            wave_size: entry.properties.wave_size,
            native16,
            signatures: Signatures {
                inputs: signature(&entry.signatures.input),
                outputs: signature(&entry.signatures.output),
                patch: signature(&entry.signatures.patch_constant),
            },
            kind: Some(entry.kind),
            waves_have_helpers: waves_have_helpers(module, function),
            ..Program::default()
        },
        drafts: PrimaryMap::new(),
        frames: PrimaryMap::new(),
        leaves: PrimaryMap::new(),
        globals: vec![None; module.globals.len()].into(),
        traced: { options.trace }
            .filter(|trace| trace.stage == entry.kind)
            .map(|_| VariableUses::new(module)),
        work: 0,
    };
    decoder.program.threads = threads(entry)?;
    let mut inputs = entry.signatures.input.iter();
    decoder.program.per_sample = entry.kind == ShaderKind::Pixel
        && inputs.any(|input| signature::is_per_sample(input.interpolation));
    let first_block = decoder.reserve(function)?;
    let mut next = decoder.frames.push(Frame {
        function,
        caller: None,
        depth: 0,
        first_block,
        arguments: Vec::new(),
        back: None,
    });
    // Bodies append the frames of their calls.
    while decoder.frames.is_valid(next) {
        decoder.body(next)?;
        next = FrameId(next.0 + 1);
    }
    decoder.finish()
}

/// Returns whether a stage runs in groups of threads and not for vertices, primitives or pixels.
pub(crate) fn has_threads(kind: ShaderKind) -> bool {
    !matches!(
        kind,
        ShaderKind::Vertex
            | ShaderKind::Hull
            | ShaderKind::Domain
            | ShaderKind::Geometry
            | ShaderKind::Pixel
    )
}

/// Returns whether a function has the attribute of `[WaveOpsIncludeHelperLanes]`.
fn waves_have_helpers(module: &Module, function: FunctionId) -> bool {
    let list = module.functions.get(function).map(|f| f.attributes);
    let list = list.and_then(|number| number.checked_sub(1));
    let groups = list.and_then(|number| module.attributes.get(number as usize));
    let groups = groups.into_iter().flatten();
    let mut attributes = groups
        .filter_map(|&group| module.attribute_groups.get(group as usize))
        .flat_map(|group| &group.attributes);
    attributes.any(|attribute| {
        matches!(attribute, Attribute::String(name, _) if &**name == "waveops-include-helper-lanes")
    })
}

/// Threads of a group: at most 1024, none of the three numbers 0. A thread node has one;
/// stages that do not run in groups have a quad, until a wave's width is known.
fn threads(entry: &EntryPoint) -> Result<[u32; 3], Error> {
    let node = entry.properties.node.as_ref();
    if node.is_some_and(|node| node.launch == NodeLaunch::Thread) {
        return Ok([1; 3]);
    }
    if !has_threads(entry.kind) {
        return Ok([4, 1, 1]);
    }
    let threads = entry.properties.num_threads;
    let threads = threads.ok_or_else(|| invalid(InvalidKind::NoThreads))?;
    let product = threads
        .map(u64::from)
        .into_iter()
        .fold(1, u64::saturating_mul);
    if (1..=1024).contains(&product) {
        Ok(threads)
    } else {
        Err(invalid(InvalidKind::ThreadCount { threads }))
    }
}

impl Decoder<'_> {
    /// Counts steps of decoding.
    fn spend(&mut self, steps: usize) -> Result<(), Error> {
        self.work += steps as u64;
        bounded(Quantity::Instructions, self.work, MAX_WORK)
    }

    /// Reserves memory for the blocks of a function.
    fn reserve(&mut self, function: FunctionId) -> Result<Label, Error> {
        let function = self.module.functions.get(function);
        let function = function.filter(|f| !f.blocks.is_empty());
        let function = function.ok_or_else(|| invalid(InvalidKind::NoBody))?;
        let first = self.drafts.next_key();
        for _ in 0..function.blocks.len() {
            self.draft()?;
        }
        Ok(first)
    }

    /// Returns a new block.
    fn draft(&mut self) -> Result<Label, Error> {
        bounded(Quantity::Blocks, self.drafts.len() as u64 + 1, MAX_BLOCKS)?;
        Ok(self.drafts.push(Draft {
            code: Vec::new(),
            end: Terminator::Unreachable,
            lines: Vec::new(),
        }))
    }

    /// Returns consecutive new slots.
    fn slots(&mut self, count: usize) -> Result<Leaves, Error> {
        self.spend(count)?;
        let start = self.leaves.next_key();
        for _ in 0..count {
            let slot = Slot::from_u32(self.program.slots);
            self.leaves.push(Operand::Slot(slot));
            self.program.slots += 1;
        }
        Ok(self.leaves_from(start))
    }

    /// Returns the scalars from `start` on.
    fn leaves_from(&self, start: LeafId) -> Leaves {
        EntityRange::new(start, self.leaves.next_key())
    }

    fn get(&self, leaves: Leaves) -> &[Operand] {
        &self.leaves[leaves]
    }

    /// Returns the number of a view, made on first use.
    fn view(&mut self, view: View) -> ViewId {
        let known = self.program.views.position(|&other| other == view);
        known.unwrap_or_else(|| self.program.views.push(view))
    }

    fn view_of(&mut self, resource: &Resource) -> ViewId {
        self.view(View {
            class: resource.class,
            kind: resource.kind,
            component: resource.component.unwrap_or(ComponentType::Invalid),
            stride: resource.stride.unwrap_or(0),
            components: 0,
            compares_or_counts: false,
        })
    }

    /// Address of a global variable.
    fn global(&mut self, id: GlobalId) -> Result<Pointer, Error> {
        let Some(global) = self.module.globals.get(id) else {
            return Err(invalid(InvalidKind::UnknownGlobal));
        };
        if let Some(pointer) = self.globals[id] {
            return Ok(pointer);
        }
        let mut resources = self.shader.resources.iter();
        let pointer = if let Some(resource) = resources.find(|r| r.global == Some(id)) {
            self.variable(resource, global.ty)?
        } else {
            let size = self.layouts.size(global.ty)?;
            let init = match global.init {
                // Groupshared memory has no initial contents.
                Some(init) if global.address_space != 3 => self.bytes_of(init, global.ty)?,
                _ => Vec::new(),
            };
            let (objects, space) = if global.address_space == 3 {
                (&mut self.program.shared, Space::Shared)
            } else if global.is_const {
                (&mut self.program.tables, Space::Table)
            } else {
                (&mut self.program.locals, Space::Local)
            };
            Self::object(objects, space, size, init)?
        };
        self.globals[id] = Some(pointer);
        Ok(pointer)
    }

    fn variable(&mut self, resource: &Resource, ty: TypeId) -> Result<Pointer, Error> {
        let count = match resource.range_size {
            0 | UNBOUNDED => 1,
            count => u64::from(count),
        };
        let element = self.layouts.size(ty)? / count;
        let view = self.view_of(resource);
        let number = self.program.variables.len() as u32;
        self.program.variables.push(Variable {
            class: resource.class,
            space: resource.space,
            lower_bound: resource.lower_bound,
            view,
            element: u32::try_from(element).unwrap_or(u32::MAX).max(1),
        });
        Ok(Pointer::new(Space::Resource, number))
    }

    /// Adds memory to a space.
    fn object(
        objects: &mut Vec<Object>,
        space: Space,
        size: u64,
        init: Vec<u8>,
    ) -> Result<Pointer, Error> {
        let start = Object::total(objects);
        let end = (start as u64).saturating_add(size);
        bounded(Quantity::VariableBytes, end, MAX_MEMORY)?;
        objects.push(Object {
            start,
            size: size as usize,
            init,
        });
        Ok(Pointer::new(space, objects.len() as u32 - 1))
    }

    /// Puts the blocks in order.
    fn finish(mut self) -> Result<Program, Error> {
        let successors = self
            .drafts
            .values()
            .map(|draft| self.program.successors(&draft.end))
            .collect();
        self.program.order = order::order(&successors)?;
        for draft in self.drafts.into_values() {
            let start = self.program.code.next_key();
            self.program.code.extend(draft.code);
            self.program.blocks.push(Block {
                code: EntityRange::new(start, self.program.code.next_key()),
                end: draft.end,
                lines: draft.lines,
            });
        }
        Ok(self.program)
    }
}

impl Program {
    /// Blocks that a terminator leads to.
    fn successors(&self, end: &Terminator) -> Vec<Label> {
        match end {
            Terminator::Goto(target) | Terminator::Barrier(target) => vec![target.block],
            Terminator::If { then, other, .. } => vec![then.block, other.block],
            Terminator::Switch { default, cases, .. } => {
                let mut blocks: Vec<Label> = std::iter::once(default.block)
                    .chain(self.cases[*cases].iter().map(|(_, target)| target.block))
                    .collect();
                blocks.sort_unstable();
                blocks.dedup();
                blocks
            }
            Terminator::Return | Terminator::Unreachable => Vec::new(),
        }
    }
}
