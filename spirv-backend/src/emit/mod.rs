//! Emits a SPIR-V module from structured functions.

pub(crate) mod body;
pub(crate) mod entry;
mod hull;
mod memory_model;
mod stages;
mod view_mask;

use rspirv::spirv::{Capability, Word};
use smallvec::SmallVec;
use trellis_dxil_frontend::module::{Function, FunctionId};
use trellis_dxil_frontend::shader::{EntryPoint, Shader, ShaderKind};
use trellis_entity::{EntityRef, SecondaryMap};
use trellis_structurizer::{Structured, ir};

use crate::error::{Error, InternalError, Location};
use crate::lower::{Lowered, Source};
use crate::module::{self, Builder, OptionalId};
use crate::ops::{self, State};
use crate::options::Options;
use crate::values::{FunctionBuilder, FunctionContext};

/// A function of the shader, ready to be emitted.
pub(crate) struct Body<'a> {
    pub(crate) id: FunctionId,
    pub(crate) function: &'a Function,
    pub(crate) structured: Structured,
    pub(crate) lowered: Lowered,
}

/// What emission allocates, for the next shader.
#[derive(Default)]
pub(crate) struct Buffers {
    module: module::Buffers,
    ids: SecondaryMap<ir::Value, OptionalId>,
    constant_ids: Vec<OptionalId>,
}

impl Buffers {
    /// Returns the bytes that it keeps.
    pub(crate) fn bytes(&self) -> usize {
        let ids = self.ids.capacity() + self.constant_ids.capacity();
        self.module.bytes() + ids * size_of::<OptionalId>()
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
) -> Result<Vec<Word>, Error> {
    let Some(main) = bodies.first() else {
        return Err(Error::Internal {
            what: InternalError::NoFunction,
            at: Location::default(),
        });
    };
    let context = FunctionContext {
        module: source.module,
        shader,
        entry,
        options,
        source,
        function: main.function,
        structured: &main.structured.func,
        lowered: &main.lowered,
        current: None,
    };
    let mut constant_ids = std::mem::take(&mut buffers.constant_ids);
    constant_ids.clear();
    constant_ids.resize(source.module.constants.len(), OptionalId::NONE);
    let mut e = FunctionBuilder {
        context,
        b: Builder::new(options.target, &mut buffers.module),
        ids: std::mem::take(&mut buffers.ids),
        constant_ids: constant_ids.into(),
        renames: SmallVec::new(),
    };
    let mut state = State {
        function_ids: vec![0; source.module.functions.len()],
        ..State::default()
    };
    for body in bodies {
        state.function_ids[body.id.index()] = e.b.id();
    }
    stages::declare(&mut e)?;
    state.resources.declare(&e);
    state.memory.declare(&e);
    state.interface.declare(&mut e)?;
    for body in bodies {
        body::emit(&mut e, &mut state, body)?;
    }
    ops::emit_functions(&mut e, &mut state);
    let id = if entry.kind == ShaderKind::Hull {
        hull::entry_point(&mut e, &mut state)?
    } else {
        let shader = state.function_ids[main.id.index()];
        if view_mask::applies(&e) {
            view_mask::entry_point(&mut e, &mut state, shader)?
        } else {
            shader
        }
    };
    entry::declare(&mut e, id)?;
    if options.extensions.vulkan_memory_model {
        e.b.caps.add(Capability::VulkanMemoryModel);
    }
    buffers.ids = e.ids;
    buffers.constant_ids = e.constant_ids.into();
    let words = e.b.finish(&mut buffers.module);
    let words = words.map_err(|rule| Error::Verify(rule.into()))?;
    Ok(if options.extensions.vulkan_memory_model {
        memory_model::vulkan(&words)
    } else {
        words
    })
}
