//! Stage inputs and outputs.
//!
//! Rules of placement, which a translation layer can rely on if its model
//! ([`crate::stage_io::StageIoModel`]) does not change them:
//! * vertex inputs: location = first register row of the element (DXC gives each element separate
//!   rows, in order of declaration);
//! * between stages: location and component = first row and column of the element's register, so
//!   that stages that link in D3D link in Vulkan;
//! * patch constants: the same after the registers of the control points between hull and domain
//!   shader;
//! * streams of a geometry shader beyond the first: the same after the registers of the streams
//!   before;
//! * `SV_RenderTargetArrayIndex` and `SV_ViewportArrayIndex` between stages are user-defined where
//!   Vulkan has no built-in, so vertex and domain shaders write both;
//! * pixel outputs: location = the number of the render target (with
//!   [`crate::options::InterfaceOptions::dual_source`]: location 0, index = that number);
//! * mesh shaders: vertices as between stages, primitives at the locations after them; a pixel
//!   shader after one gets the locations of its inputs from it ([`link`]);
//! * an element of several rows is an array; a variable is a vector of the element's columns.
//!
//! Properties of each boundary between stages are in [`boundary`], the assignment of each semantic
//! is in [`assignment`]; a new stage is added there.

mod access;
mod arrayed;
mod assignment;
mod boundary;
mod builtin;
mod capture;
mod element;
mod interpolate;
mod link;
mod mesh;
mod places;
mod swizzle;
mod view;

use rspirv::spirv::{BuiltIn, Word};
use trellis_dxil_frontend::dxop::SignatureOp;
use trellis_dxil_frontend::module::FunctionId;
use trellis_dxil_frontend::shader::{SemanticKind, ShaderKind, SignatureElement};

use crate::error::{Error, InvalidKind};
use crate::values::FunctionBuilder;

use crate::module::OptionalId;
pub(crate) use arrayed::{copy_control_point, patch_location, vulkan_primitive};
use boundary::{Boundary, Element, Side};
pub(crate) use builtin::{load_builtin, load_builtin_of, load_coverage, sample_count};
use interpolate::At;
pub(crate) use mesh::{
    emit_indices as emit_mesh_indices, flush as end_block, modes as mesh_modes, store as store_mesh,
};
pub(crate) use view::{hide, is_masked, view_id};

/// Variables of the stage interface. All are declared on first use, except the outputs of stages
/// before the rasterizer.
#[derive(Default)]
pub(crate) struct Interface {
    /// Variable of each element of the input signature that has one so far.
    inputs: Vec<OptionalId>,
    /// Variable of each element of the output signature that has one so far.
    outputs: Vec<OptionalId>,
    /// Variable of each patch constant that has one so far.
    patch: Vec<OptionalId>,
    /// Outputs that are a built-in and are written to a location too: index of the element,
    /// variable.
    copies: Vec<(usize, Word)>,
    /// True if an input element is read vertex by vertex (`GetAttributeAtVertex`).
    per_vertex: Vec<bool>,
    /// Built-in variables: which, input or output, id.
    builtins: Vec<(BuiltIn, bool, Word)>,
    /// The specialization constant of the render targets' sample count; 0 is none yet.
    sample_count: Word,
    /// Components of a mesh shader's output that wait for the rest.
    row: Option<mesh::Row>,
    /// The places of elements.
    places: places::Places,
    /// Captures of transform feedback.
    captures: capture::Captures,
    /// View instancing.
    views: view::Views,
}

impl Interface {
    /// Declares the variables that must exist even without use, before any function body.
    pub(crate) fn declare(&mut self, e: &mut FunctionBuilder<'_>) -> Result<(), Error> {
        let signatures = &e.entry.signatures;
        self.inputs = vec![OptionalId::NONE; signatures.input.len()];
        self.outputs = vec![OptionalId::NONE; signatures.output.len()];
        self.patch = vec![OptionalId::NONE; signatures.patch_constant.len()];
        self.per_vertex = interpolate::per_vertex_inputs(e);
        self.ask(e)?;
        if e.entry.kind == ShaderKind::Mesh {
            return mesh::declare(e, self);
        }
        let hull = e.entry.properties.hull;
        // With `outputcontrolpoints(0)` both compilers keep the signature of the control points,
        // which no invocation writes: arrays without a length would be declared.
        let has_points = hull.is_none_or(|hull| hull.output_control_points > 0);
        let outputs = [
            Boundary::output(e.entry.kind).filter(|_| has_points),
            Boundary::patch(e.entry.kind),
        ];
        for boundary in outputs
            .into_iter()
            .flatten()
            .filter(|b| !b.is_input() && b.is_between_stages())
        {
            // The next stage may read outputs that this one does not write on every path, or at
            // all.
            for element in boundary.all(signatures) {
                if is_ignored(e, &element) {
                    continue;
                }
                access::variable(e, self, element)?;
            }
        }
        Ok(())
    }

    /// Asks the caller's model about the places and captures of all elements.
    fn ask(&mut self, e: &mut FunctionBuilder<'_>) -> Result<(), Error> {
        let kind = e.entry.kind;
        let primitive = (kind == ShaderKind::Mesh).then_some(Boundary::MeshPrimitive);
        let boundaries = [
            Boundary::input(kind),
            Boundary::output(kind),
            Boundary::patch(kind).or(primitive),
        ];
        for boundary in boundaries.into_iter().flatten() {
            let mut captures = capture::Answers::default();
            self.places.ask(e, boundary, |element| {
                if capture::is_captured(boundary) {
                    captures.ask(e, element)?;
                }
                Ok(())
            })?;
            capture::declare(e, self, boundary, &captures)?;
        }
        Ok(())
    }

    /// Returns the variable of a built-in, input or output, that exists.
    fn builtin(&self, builtin: BuiltIn, input: bool) -> Option<Word> {
        let mut known = self.builtins.iter();
        let known = known.find(|(b, i, _)| *b == builtin && *i == input);
        known.map(|&(.., id)| id)
    }

    /// Returns the variables of one signature.
    fn variables(&mut self, boundary: Boundary) -> &mut Vec<OptionalId> {
        match boundary.side() {
            Side::Input => &mut self.inputs,
            Side::Output => &mut self.outputs,
            Side::Patch => &mut self.patch,
        }
    }
}

/// Begins a function's body: a vertex shader, or a domain shader with the option for it, writes
/// D3D's size of points, and both the layer of the view.
pub(crate) fn begin_body(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    id: FunctionId,
) -> Result<(), Error> {
    let wanted = match e.entry.kind {
        ShaderKind::Vertex => e.options.workarounds.point_size,
        ShaderKind::Domain => e.options.workarounds.tessellation_point_size,
        _ => false,
    };
    let is_entry = e.entry.function == Some(id);
    if wanted && is_entry && writes_position(e) {
        builtin::store_point_size(e, io);
    }
    if is_entry && matches!(e.entry.kind, ShaderKind::Vertex | ShaderKind::Domain) {
        view::write_fixed(e, io, None)?;
    }
    Ok(())
}

fn writes_position(e: &FunctionBuilder<'_>) -> bool {
    e.entry
        .signatures
        .output
        .iter()
        .any(|element| element.semantic == SemanticKind::Position && element.stream == 0)
}

/// Writes the implicit outputs of a geometry shader's vertex (D3D's point size, the view's layer)
/// before each vertex, since emitting one makes all outputs undefined.
pub(crate) fn before_vertex(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    is_point: bool,
) -> Result<(), Error> {
    // Vulkan requires it of points without a position, too, which stream output captures.
    if is_point && e.options.workarounds.point_size {
        builtin::store_point_size(e, io);
    }
    view::write_fixed(e, io, None)
}

/// Returns true if an element is not to be read or written.
fn is_ignored(e: &FunctionBuilder<'_>, element: &SignatureElement) -> bool {
    match element.semantic {
        SemanticKind::ShadingRate => e.options.quirks.ignore_shading_rate,
        // Dual-source blending has one target, whose sources are the first two outputs.
        SemanticKind::Target => e.options.interface.dual_source && element.start_row > 1,
        _ => false,
    }
}

/// Emits an operation on an element of a signature.
pub(crate) fn emit(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    op: SignatureOp,
) -> Result<(), Error> {
    match op {
        SignatureOp::LoadInput
        | SignatureOp::LoadOutputControlPoint
        | SignatureOp::LoadPatchConstant => access::load(e, io),
        SignatureOp::StoreOutput | SignatureOp::StorePatchConstant => access::store(e, io),
        SignatureOp::EvalSnapped => interpolate::evaluate(e, io, At::Snapped),
        SignatureOp::EvalSampleIndex => interpolate::evaluate(e, io, At::Sample),
        SignatureOp::EvalCentroid => interpolate::evaluate(e, io, At::Centroid),
        SignatureOp::AttributeAtVertex => interpolate::attribute_at_vertex(e, io),
    }
}

/// Returns the element that a call names.
fn element_of<'a>(e: &FunctionBuilder<'a>, boundary: Boundary) -> Result<Element<'a>, Error> {
    let id = e.arg_const(0)?;
    let mut elements = boundary.all(&e.entry.signatures);
    elements
        .find(|element| u64::from(element.id) == id)
        .ok_or_else(|| {
            let count = boundary.elements(&e.entry.signatures).len();
            let what = format!("names signature element {id}, the signature has {count}");
            e.invalid_call(InvalidKind::Signature, what)
        })
}
