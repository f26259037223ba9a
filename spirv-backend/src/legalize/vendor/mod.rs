//! Intrinsics of vendors: operations on a UAV that does not exist, with which libraries for HLSL
//! encode operations that D3D does not have. They become DXIL's operations where it has them, and
//! else operations of [`crate::vendor`].
//!
//! | library | UAV | an intrinsic is | file |
//! |---|---|---|---|
//! | AGS (AMD) | raw | one compare-exchange or several, whose address is the operation | [`ags`], [`wave_matrix`] |
//! | NVAPI (NVIDIA) | structured | stores to the element whose number the counter gave | [`nvapi`], [`hit_object`] |
//!
//! The parts of an intrinsic must be in one block and in the order in which the libraries write
//! them: compilers keep it, because the operations have side effects. Anything else on these UAVs
//! is an error.

mod ags;
mod hit_object;
mod nvapi;
mod wave_matrix;
mod writer;

use trellis_dxil_frontend::dxop::{DxCall, FamilyOp};
use trellis_dxil_frontend::module::{Function, InstId, InstKind, ValueId};
use trellis_dxil_frontend::shader::{ResourceKind, Shader};

use super::Context;
use super::rewriter::FunctionRewriter;
use crate::error::{Error, Location};
use crate::options::VendorOptions;
use crate::resources::declared_range;
use writer::Writer;

/// A library, by its UAV.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Library {
    Ags,
    Nvapi,
}

/// The UAVs of intrinsics, as indices in [`Shader::resources`].
#[derive(Clone, Copy)]
pub(super) struct IntrinsicsUavs {
    ags: Option<usize>,
    nvapi: Option<usize>,
}

impl IntrinsicsUavs {
    /// Finds the UAVs that the options name.
    pub(super) fn find(shader: &Shader, options: &VendorOptions) -> Self {
        let find = |kind: ResourceKind| {
            let mut resources = shader.resources.iter();
            resources.position(|r| r.kind == kind && options.encodes(r))
        };
        Self {
            ags: find(ResourceKind::RawBuffer),
            nvapi: find(ResourceKind::StructuredBuffer),
        }
    }

    /// Returns true if the shader has one.
    pub(super) fn any(&self) -> bool {
        self.ags.is_some() || self.nvapi.is_some()
    }

    fn library(&self, range: Option<usize>) -> Option<Library> {
        range?;
        if range == self.ags {
            Some(Library::Ags)
        } else if range == self.nvapi {
            Some(Library::Nvapi)
        } else {
            None
        }
    }
}

/// Rewrites one function.
///
/// # Errors
/// Intrinsics that have no translation, and other accesses to the UAVs.
pub(super) fn run(
    &Context {
        ops, shader, uavs, ..
    }: &Context<'_>,
    rewriter: FunctionRewriter<'_>,
) -> Result<Function, Error> {
    let (module, function) = (&*rewriter.module, rewriter.old);
    let mut intrinsics: Vec<(InstId, Library)> = Vec::new();
    for (at, inst) in function.insts.iter() {
        if matches!(inst.kind, InstKind::Call { .. })
            && let Some(call) = ops.parse(module, function, at)?
            && let Some(handle) = accessed(&call)
        {
            let range = declared_range(module, shader, function, handle);
            if let Some(library) = uavs.library(range) {
                intrinsics.push((at, library));
            }
        }
    }
    let Some(&(model, _)) = intrinsics.first() else {
        return Ok(rewriter.unchanged());
    };
    let mut writer = Writer::new(rewriter, ops, model);
    for (block, data) in function.blocks.iter() {
        let (mut ags, mut nvapi) = (ags::Ags::default(), nvapi::Nvapi::default());
        for at in data.insts {
            writer.at = at;
            let found = intrinsics.binary_search_by_key(&at, |i| i.0);
            let library = found.ok().map(|index| intrinsics[index].1);
            let written = match library {
                Some(Library::Ags) => ags.intrinsic(&mut writer)?,
                Some(Library::Nvapi) => nvapi.access(&mut writer)?,
                None => ags.other(&mut writer)? || nvapi.other(&mut writer)?,
            };
            if !written {
                writer.rewriter.keep(at);
            }
        }
        nvapi.end(&mut writer)?;
        writer.rewriter.end_block(block);
    }
    writer.rewriter.finish()
}

/// Returns the handle of the resource that an operation accesses.
fn accessed(call: &DxCall<'_>) -> Option<ValueId> {
    match call.op.classify() {
        FamilyOp::Atomic(_) | FamilyOp::Buffer(_) | FamilyOp::Texture(_) => call.operand(0),
        _ => None,
    }
}

/// Returns the error of an intrinsic without translation; `needs` is the SPIR-V extension that it would
/// take, if there is one.
fn unsupported(
    old: &Function,
    at: InstId,
    library: &'static str,
    operation: impl Into<String>,
    needs: Option<&'static str>,
) -> Error {
    let feature = crate::error::Feature::VendorIntrinsic {
        library,
        operation: operation.into(),
        needs,
    };
    let at = Location {
        inst: Some(at.as_u32()),
        ..Location::function(&old.name)
    };
    Error::unsupported(feature, at)
}
