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

use rspirv::spirv::{Capability, Word};
use trellis_dxil_frontend::dxop::DxCall;
use trellis_dxil_frontend::module::{Function, FunctionId};
use trellis_dxil_frontend::shader::{EntryPoint, Shader, ShaderKind};
use trellis_entity::{EntityRef, EntitySet, SecondaryMap};
use trellis_structurizer::Structured;

use crate::error::{Error, InternalError, Location};
use crate::handles::HandleCache;
use crate::lower::{Lowered, Source};
use crate::module::{Builder, OptionalId};
use crate::ops::{self, Emitter};
use crate::options::{MinPrecision, Options};
use crate::resources;
use crate::values::{
    FunctionBuilder, FunctionContext, Halves, Numbering, ShapeTypes, SinglePredecessors, Sums,
    shapes_of,
};
use debug::Debug;

/// A function of the shader, ready to be emitted.
pub(crate) struct Body<'a> {
    pub(crate) id: FunctionId,
    pub(crate) function: &'a Function,
    pub(crate) structured: Structured,
    pub(crate) lowered: Lowered,
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
    pub(crate) fn assemble(self) -> Result<Vec<Word>, Error> {
        let words = self.builder.finish();
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
) -> Result<Emitted, Error> {
    let Some(main) = bodies.first() else {
        return Err(Error::Internal {
            what: InternalError::NoFunction,
            at: Location::default(),
        });
    };
    let views = resources::atomic_views(source, shader);
    let relaxed =
        !shader.native_low_precision && options.interface.min_precision == MinPrecision::Relaxed32;
    let shapes = shapes_of(source.module, relaxed);
    let context = FunctionContext {
        module: source.module,
        shader,
        entry,
        options,
        source,
        shapes: &shapes,
        views: &views,
        function: main.function,
        structured: &main.structured.func,
        order: &main.structured.order,
        lowered: &main.lowered,
        current: None,
        call: DxCall::none(main.function),
    };
    let insts = bodies.iter().map(|body| body.function.insts.len());
    let words = WORDS_PER_TWO * insts.sum::<usize>() / 2;
    let f = FunctionBuilder {
        context,
        b: Box::new(Builder::new(options.target, options.debug.names, words)),
        shape_types: ShapeTypes::default(),
        ids: SecondaryMap::new(),
        locals: SecondaryMap::new(),
        constant_ids: vec![OptionalId::NONE; source.module.constants.len()].into(),
        renames: Vec::new(),
        precise: EntitySet::new(),
        halves: Halves::default(),
        numbering: Numbering::default(),
        sums: Sums::of(source.ops),
        single_predecessors: SinglePredecessors::default(),
        handles: HandleCache::default(),
    };
    let mut e = Emitter::new(f, vec![0; source.module.functions.len()]);
    for body in bodies {
        e.function_ids[body.id.index()] = e.b.id();
    }
    stages::declare(&mut e)?;
    e.resources.declare(&e.f);
    e.memory.declare(&e.f);
    e.interface.declare(&mut e.f)?;
    let mut debug = match options.debug.debug_info {
        true => Debug::new(&mut e),
        false => None,
    };
    for body in bodies {
        body::emit(&mut e, body, &mut debug)?;
    }
    // The dispatcher of a node calls functions, too.
    let main_id = e.function_ids[main.id.index()];
    let of_node = match entry.kind {
        ShaderKind::Node if options.extensions.shader_enqueue => {
            enqueue::declare(&mut e)?;
            None
        }
        ShaderKind::Node => Some(node::entry_point(&mut e, main_id)?),
        _ => None,
    };
    ops::dispatch::emit_functions(&mut e);
    let id = if let Some(id) = of_node {
        id
    } else if entry.kind == ShaderKind::Hull {
        hull::entry_point(&mut e)?
    } else {
        if view_mask::applies(&e) {
            view_mask::entry_point(&mut e, main_id)?
        } else {
            main_id
        }
    };
    if let Some(debug) = &mut debug {
        debug.finish(&mut e, main.id, id);
    }
    entry::declare(&mut e, id)?;
    e.resources.finish(&mut e.f);
    // Cooperative matrices exist in Vulkan's memory model only.
    let vulkan_memory_model =
        options.extensions.vulkan_memory_model || e.b.caps.has(Capability::CooperativeMatrixKHR);
    if vulkan_memory_model {
        e.b.caps.add(Capability::VulkanMemoryModel);
    }
    Ok(Emitted {
        builder: e.f.b,
        vulkan_memory_model,
    })
}
