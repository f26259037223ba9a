//! Emits a SPIR-V module from structured functions.

pub(crate) mod body;
mod debug;
mod enqueue;
pub(crate) mod entry;
mod hull;
mod memory_model;
mod node;
mod stages;
mod view_mask;

use std::mem::take;

use rspirv::spirv::{Capability, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::module::{Function, FunctionId};
use trellis_dxil_frontend::shader::{EntryPoint, Shader, ShaderKind};
use trellis_entity::{EntityRef, SecondaryMap};
use trellis_structurizer::{Structured, ir};

use crate::error::{Error, InternalError, Location};
use crate::handles::HandleCache;
use crate::lower::{Local, Lowered, Source};
use crate::module::{Builder, OptionalId};
use crate::ops::{self, State};
use crate::options::Options;
use crate::recycle::refill;
use crate::resources;
use crate::values::{FunctionBuilder, FunctionContext, Halves, Recent, SinglePredecessors, Sums};
use debug::Debug;

/// A function of the shader, ready to be emitted.
pub(crate) struct Body<'a> {
    pub(crate) id: FunctionId,
    pub(crate) function: &'a Function,
    pub(crate) structured: Structured,
    pub(crate) lowered: Box<Lowered>,
}

/// What emission allocates, for the next shader.
#[derive(Default)]
pub(crate) struct Buffers {
    /// In a box, as it goes from the emission to the assembly.
    builder: Option<Box<Builder>>,
    ids: SecondaryMap<ir::Value, OptionalId>,
    locals: SecondaryMap<Local, OptionalId>,
    constant_ids: Vec<OptionalId>,
    state: Option<Box<State>>,
    body: body::Buffers,
}

impl Buffers {
    /// Returns the bytes that it keeps.
    pub(crate) fn bytes(&self) -> usize {
        let ids = self.ids.capacity() + self.locals.capacity() + self.constant_ids.capacity();
        let state = self.state.as_ref();
        let builder = self.builder.as_ref();
        builder.map_or(0, |builder| size_of::<Builder>() + builder.bytes())
            + ids * size_of::<OptionalId>()
            + state.map_or(0, |state| size_of::<State>() + state.bytes())
            + self.body.bytes()
    }
}

/// Words of functions for two DXIL instructions: a little more than most large shaders have.
const WORDS_PER_TWO: usize = 13;

/// A module whose sections are complete. It needs neither the shader nor the bodies.
pub(crate) struct Emitted {
    builder: Box<Builder>,
    vulkan_memory_model: bool,
}

impl Emitted {
    /// Joins the sections.
    ///
    /// # Errors
    /// An instruction does not fit in the format.
    pub(crate) fn assemble(mut self, buffers: &mut Buffers) -> Result<Vec<Word>, Error> {
        let words = self.builder.finish();
        buffers.builder = Some(self.builder);
        let words = words.map_err(|rule| Error::Verify(rule.into()))?;
        Ok(if self.vulkan_memory_model {
            memory_model::vulkan(&words)
        } else {
            words
        })
    }
}

/// Emits the entry point (`bodies[0]`; of a hull shader the first phase) and the functions that it
/// calls.
pub(crate) fn emit_module<'a>(
    source: &'a Source<'a>,
    shader: &'a Shader,
    entry: &'a EntryPoint,
    options: &'a Options,
    bodies: &'a [Body<'a>],
    buffers: &mut Buffers,
) -> Result<Emitted, Error> {
    let Some(main) = bodies.first() else {
        return Err(Error::Internal {
            what: InternalError::NoFunction,
            at: Location::default(),
        });
    };
    let views = resources::atomic_views(source.module, shader, options);
    let context = FunctionContext {
        module: source.module,
        shader,
        entry,
        options,
        source,
        views: &views,
        function: main.function,
        structured: &main.structured.func,
        lowered: &main.lowered,
        current: None,
    };
    let mut constant_ids = take(&mut buffers.constant_ids);
    let constants = source.module.constants.len();
    refill(&mut constant_ids, constants, OptionalId::NONE);
    let insts = bodies.iter().map(|body| body.function.insts.len());
    let words = WORDS_PER_TWO * insts.sum::<usize>() / 2;
    let mut builder = buffers.builder.take().unwrap_or_default();
    builder.reset(options.target, words);
    let mut e = FunctionBuilder {
        context,
        b: builder,
        ids: take(&mut buffers.ids),
        locals: take(&mut buffers.locals),
        constant_ids: constant_ids.into(),
        renames: SmallVec::new(),
        halves: Halves::default(),
        recent: Recent::default(),
        sums: Sums::of(source.module),
        single_predecessors: SinglePredecessors::default(),
        handles: HandleCache::default(),
    };
    // It is large: in a box it is not moved, but for the first time.
    let mut state = buffers.state.take().unwrap_or_default();
    state.reset();
    state.function_ids.resize(source.module.functions.len(), 0);
    for body in bodies {
        state.function_ids[body.id.index()] = e.b.id();
    }
    stages::declare(&mut e)?;
    state.resources.declare(&e);
    state.memory.declare(&e);
    state.interface.declare(&mut e)?;
    let mut debug = match options.debug.debug_info {
        true => Debug::new(&mut e),
        false => None,
    };
    for body in bodies {
        body::emit(&mut e, &mut state, body, &mut debug, &mut buffers.body)?;
    }
    // The dispatcher of a node calls functions, too.
    let main_id = state.function_ids[main.id.index()];
    let of_node = match entry.kind {
        ShaderKind::Node if options.extensions.shader_enqueue => {
            enqueue::declare(&mut e, &mut state)?;
            None
        }
        ShaderKind::Node => Some(node::entry_point(&mut e, &mut state, main_id)?),
        _ => None,
    };
    ops::emit_functions(&mut e, &mut state);
    let id = if let Some(id) = of_node {
        id
    } else if entry.kind == ShaderKind::Hull {
        hull::entry_point(&mut e, &mut state)?
    } else {
        if view_mask::applies(&e) {
            view_mask::entry_point(&mut e, &mut state, main_id)?
        } else {
            main_id
        }
    };
    if let Some(debug) = &mut debug {
        debug.finish(&mut e, &state, main.id, id);
    }
    entry::declare(&mut e, id)?;
    state.resources.finish(&mut e);
    // Cooperative matrices exist in Vulkan's memory model only.
    let vulkan_memory_model =
        options.extensions.vulkan_memory_model || e.b.caps.has(Capability::CooperativeMatrixKHR);
    if vulkan_memory_model {
        e.b.caps.add(Capability::VulkanMemoryModel);
    }
    buffers.state = Some(state);
    buffers.ids = e.ids;
    buffers.locals = e.locals;
    buffers.constant_ids = e.constant_ids.into();
    Ok(Emitted {
        builder: e.b,
        vulkan_memory_model,
    })
}
