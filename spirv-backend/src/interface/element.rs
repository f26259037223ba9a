//! Variables of elements that have a location.

use rspirv::spirv::{Capability, Decoration, Word};
use trellis_dxil_frontend::shader::{ComponentType, InterpolationMode};

use super::boundary::{Boundary, Element};
use super::swizzle;
use crate::error::{Error, Feature, InterfaceFeature, InvalidKind};
use crate::stage_io::ElementPlace;
use crate::values::Shape;
use crate::values::{FunctionBuilder, Scalar};

/// Form in which a component is stored in its variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stored {
    /// Representation; `relaxed` for minimum precision in 32 bits.
    pub(super) shape: Shape,
    /// The component type is a signed integer.
    pub(super) signed: bool,
    /// The variable is declared with a signed integer type, because a format on the other side must
    /// agree.
    pub(super) signed_variable: bool,
}

impl Stored {
    /// Returns the representation of a component of an unsigned or float built-in.
    pub(super) fn plain(shape: Shape) -> Self {
        Self {
            shape: shape.of_lanes(1),
            signed: false,
            signed_variable: false,
        }
    }
    /// Returns the representation of the components of an element at a boundary.
    pub(super) fn new(e: &FunctionBuilder<'_>, element: Element<'_>) -> Result<Self, Error> {
        use ComponentType as C;
        if element.stream > 0 && element.boundary != Boundary::GeometryOutput {
            let (name, stream) = (&element.name, element.stream);
            let detail = format!("{name} of stream {stream}, not an output of a geometry shader");
            return Err(e.invalid(InvalidKind::Signature, detail));
        }
        let native = e.shader.native_low_precision;
        let small = if native && e.options.interface.io_16bit {
            16
        } else {
            32
        };
        let (scalar, low, signed) = match element.ty {
            C::F32 | C::SNormF32 | C::UNormF32 => (Scalar::Float(32), false, false),
            C::F16 | C::SNormF16 | C::UNormF16 => (Scalar::Float(small), true, false),
            C::I32 => (Scalar::Int(32), false, true),
            C::U32 | C::I1 => (Scalar::Int(32), false, false),
            C::I16 => (Scalar::Int(small), true, true),
            C::U16 => (Scalar::Int(small), true, false),
            other => {
                return Err(e.unsupported(Feature::SignatureType {
                    name: element.name.to_string(),
                    component: other,
                }));
            }
        };
        let relaxed = low && !native;
        Ok(Self {
            shape: Shape {
                scalar,
                lanes: 1,
                relaxed,
            },
            signed,
            signed_variable: signed && !element.boundary.is_between_stages(),
        })
    }
    /// Returns the SPIR-V type of a component.
    pub(super) fn component_type(self, e: &mut FunctionBuilder<'_>) -> Word {
        match self.shape.scalar {
            Scalar::Int(width) => e.b.ty_int_signed(width, self.signed_variable),
            scalar => e.scalar_type(scalar),
        }
    }
}

/// Returns the type of an element, of one vertex.
pub(super) fn element_type(
    e: &mut FunctionBuilder<'_>,
    element: Element<'_>,
) -> Result<Word, Error> {
    let component = Stored::new(e, element)?.component_type(e);
    let columns = swizzle::columns(e, element)?;
    let ty = e.b.ty_vec(component, columns);
    Ok(if element.rows > 1 {
        e.b.ty_array(ty, element.rows)
    } else {
        ty
    })
}

/// Declares the variable of an element. `place`: where it is, if the model of the caller was asked.
/// `vertices`: length of the array over vertices or control points that it is.
pub(super) fn declare(
    e: &mut FunctionBuilder<'_>,
    element: Element<'_>,
    place: Option<ElementPlace>,
    vertices: Option<u32>,
) -> Result<Word, Error> {
    let stored = Stored::new(e, element)?;
    if stored.shape.width() == 16 {
        e.b.caps.add(Capability::StorageInputOutput16);
    }
    let (Ok(row), Ok(column)) = (
        u32::try_from(element.start_row),
        u32::try_from(element.start_col),
    ) else {
        return Err(e.invalid(
            InvalidKind::Signature,
            format!(
                "signature element {} ({}) has no register",
                element.id, element.name
            ),
        ));
    };
    let (row, column) = place.map_or((row, column), |place| (place.location, place.component));
    let mut ty = element_type(e, element)?;
    if let Some(vertices) = vertices {
        ty = e.b.ty_array(ty, vertices);
    }
    let class = element.boundary.storage_class();
    let id = e.b.variable(class, ty, None);
    if element.boundary == Boundary::PixelOutput && e.options.interface.dual_source {
        if row > 1 || element.rows > 1 {
            return Err(e.unsupported(InterfaceFeature::DualSource));
        }
        e.b.decorate(id, Decoration::Location, &[0]);
        e.b.decorate(id, Decoration::Index, &[row]);
    } else {
        e.b.decorate(id, Decoration::Location, &[row]);
    }
    if column > 0 {
        e.b.decorate(id, Decoration::Component, &[column]);
    }
    if element.boundary.is_patch() {
        e.b.decorate(id, Decoration::Patch, &[]);
    }
    if element.boundary == Boundary::MeshPrimitive {
        e.b.decorate(id, Decoration::PerPrimitiveEXT, &[]);
    }
    if element.stream > 0 {
        e.b.caps.add(Capability::GeometryStreams);
        e.b.decorate(id, Decoration::Stream, &[element.stream.into()]);
    }
    if element.boundary.interpolates() {
        if vertices.is_some() {
            e.b.caps.add(Capability::FragmentBarycentricKHR);
            e.b.decorate(id, Decoration::PerVertexKHR, &[]);
        } else if place.is_some_and(|place| place.per_primitive) {
            e.b.caps.add(Capability::MeshShadingEXT);
            e.b.decorate(id, Decoration::PerPrimitiveEXT, &[]);
            if matches!(stored.shape.scalar, Scalar::Int(_)) {
                // Integers are flat, whatever else they are (VUID-StandaloneSpirv-Flat-04744).
                e.b.decorate(id, Decoration::Flat, &[]);
            }
        } else {
            interpolation(
                e,
                id,
                element.interpolation,
                matches!(stored.shape.scalar, Scalar::Int(_)),
            );
        }
    }
    if stored.shape.relaxed {
        e.b.decorate(id, Decoration::RelaxedPrecision, &[]);
    }
    e.b.name_by(id, |name| {
        name.push_str(element.boundary.prefix());
        name.push_str(&element.name);
        push_number(name, element.semantic_index());
    });
    Ok(id)
}

/// Decorations of an interpolated input; integers are never interpolated.
pub(super) fn interpolation(
    e: &mut FunctionBuilder<'_>,
    id: Word,
    mode: InterpolationMode,
    integer: bool,
) {
    use InterpolationMode as I;
    if integer || mode == I::Constant {
        e.b.decorate(id, Decoration::Flat, &[]);
        return;
    }
    if matches!(
        mode,
        I::LinearNoperspective | I::LinearNoperspectiveCentroid | I::LinearNoperspectiveSample
    ) {
        e.b.decorate(id, Decoration::NoPerspective, &[]);
    }
    location_in_pixel(e, id, mode);
}

/// Decorates an input with its position of evaluation in the pixel: `Centroid`, `Sample` or,
/// without decoration, the centre.
pub(super) fn location_in_pixel(e: &mut FunctionBuilder<'_>, id: Word, mode: InterpolationMode) {
    use InterpolationMode as I;
    match mode {
        I::LinearCentroid | I::LinearNoperspectiveCentroid => {
            e.b.decorate(id, Decoration::Centroid, &[]);
        }
        I::LinearSample | I::LinearNoperspectiveSample => {
            e.b.caps.add(Capability::SampleRateShading);
            e.b.decorate(id, Decoration::Sample, &[]);
        }
        _ => {}
    }
}

/// Appends a number in decimal.
fn push_number(text: &mut String, number: u32) {
    use std::fmt::Write as _;
    // Writing to a String cannot fail.
    let _ = write!(text, "{number}");
}
