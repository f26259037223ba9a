//! Captured outputs: D3D's stream output, Vulkan's transform feedback.
//!
//! A capture of a whole element decorates its variable, and a capture of all elements of an array
//! of clip or cull distances that array. Of other parts of outputs, copies are captured: variables
//! at locations after the outputs', written with them. Source: Vulkan specification, "Transform
//! Feedback"; SPIR-V, decorations `Offset`, `XfbBuffer`, `XfbStride`.

use rspirv::spirv::{Capability, Decoration, ExecutionMode, Op, StorageClass, Word};
use trellis_dxil_frontend::module::ValueId;
use trellis_dxil_frontend::shader::SignatureElement;

use super::Interface;
use super::access::{access_chain, assignment_of, row_index};
use super::assignment::{Assignment, Encoding};
use super::boundary::{Boundary, Element};
use super::builtin::distance_range;
use super::element::Stored;
use super::places::refused;
use crate::error::{Error, Feature};
use crate::stage_io::{ElementPart, StageElement, StageIoError, StreamOutput, StreamOutputQuery};
use crate::values::{FunctionBuilder, Shape};

/// Buffers of stream output.
const BUFFERS: u32 = 4;
/// Most rows of an element that is captured: the number of D3D's registers.
const ROWS: u32 = 32;

/// The captures of a shader.
#[derive(Default)]
pub(super) struct Captures {
    /// Captures of variables: number of the element, which is the first one of an array of
    /// distances.
    variables: Vec<(usize, StreamOutput)>,
    /// Captures of copies.
    copies: Vec<Copy>,
}

/// A variable that has a copy of a part of an output.
struct Copy {
    element: usize,
    part: ElementPart,
    variable: Word,
}

/// The model's answers about the outputs of a stage.
#[derive(Default)]
pub(super) struct Answers {
    /// Number of the element, and a capture of it.
    list: Vec<(usize, StreamOutput)>,
    /// Bytes that are captured: buffer, first, end, number of the element.
    bytes: Vec<(u32, u32, u32, usize)>,
    /// Stride and stream of each buffer.
    buffers: [Option<(u32, u32)>; BUFFERS as usize],
}

/// Returns true if the outputs at a boundary can be captured.
pub(super) fn is_captured(boundary: Boundary) -> bool {
    matches!(
        boundary,
        Boundary::VertexOutput | Boundary::DomainOutput | Boundary::GeometryOutput
    )
}

/// Returns the part of an element that is captured.
fn part(element: &SignatureElement, capture: &StreamOutput) -> (ElementPart, u32) {
    match capture.part {
        Some(part) => (part, 1),
        None => (ElementPart::new(0, 0, element.cols.into()), element.rows),
    }
}

impl Answers {
    /// Asks the model about an output.
    ///
    /// # Errors
    /// The model refuses it, or its answer cannot be.
    pub(super) fn ask(
        &mut self,
        e: &FunctionBuilder<'_>,
        element: Element<'_>,
    ) -> Result<(), Error> {
        let query = StreamOutputQuery {
            stage: e.entry.kind,
            semantic: &element.name,
            index: element.semantic_index(),
            system_value: element.semantic,
            rows: element.rows,
            columns: element.cols.into(),
            stream: element.stream.into(),
        };
        let refused = |reason| refused(e, element, reason);
        let captures = e.options.stage_io.stream_output(&query).map_err(refused)?;
        for capture in captures {
            self.check(e, element, &capture).map_err(refused)?;
            self.list.push((element.index, capture));
        }
        Ok(())
    }

    fn check(
        &mut self,
        e: &FunctionBuilder<'_>,
        element: Element<'_>,
        capture: &StreamOutput,
    ) -> Result<(), StageIoError> {
        let &StreamOutput {
            buffer,
            stride,
            offset,
            ..
        } = capture;
        let stream = u32::from(element.stream);
        let Some(known) = self.buffers.get_mut(buffer as usize) else {
            return Err(StageIoError::Buffer { buffer });
        };
        if !offset.is_multiple_of(4) || !stride.is_multiple_of(4) {
            return Err(StageIoError::Alignment { offset, stride });
        }
        let (part, rows) = part(&element, capture);
        let columns = u32::from(element.cols);
        let end = part.component.checked_add(part.components);
        if part.row >= element.rows
            || rows > ROWS
            || part.components == 0
            || end.is_none_or(|end| end > columns)
        {
            return Err(StageIoError::Part {
                row: part.row,
                component: part.component,
                last: end.map_or(u32::MAX, |end| end.saturating_sub(1)),
                rows: element.rows,
                columns,
            });
        }
        let bytes = (4 * part.components).saturating_mul(rows);
        let end = offset.checked_add(bytes).filter(|&end| end <= stride);
        let end = end.ok_or(StageIoError::Stride {
            offset,
            bytes,
            stride,
        })?;
        let (other, other_stream) = *known.get_or_insert((stride, stream));
        if other != stride {
            return Err(StageIoError::Strides {
                buffer,
                stride,
                other,
            });
        }
        if other_stream != stream {
            return Err(StageIoError::Streams {
                buffer,
                stream,
                other: other_stream,
            });
        }
        let overlaps = |&&(b, first, last, _): &&(u32, u32, u32, usize)| {
            b == buffer && first < end && offset < last
        };
        if let Some(&(.., other)) = self.bytes.iter().find(overlaps) {
            let (kind, other) = (
                crate::stage_io::ElementKind::Output,
                &e.entry.signatures.output[other],
            );
            let number = other.indices.first().copied().unwrap_or(0);
            return Err(StageIoError::Overlap {
                buffer,
                offset,
                other: StageElement::new(e.entry.kind, kind, &other.name, number),
            });
        }
        self.bytes.push((buffer, offset, end, element.index));
        Ok(())
    }

    /// Returns the single capture of an element, if it is of the whole element.
    fn whole(&self, index: usize, element: &SignatureElement) -> Option<StreamOutput> {
        let mut captures = self.list.iter().filter(|(of, _)| *of == index);
        let (Some((_, capture)), None) = (captures.next(), captures.next()) else {
            return None;
        };
        let (part, rows) = part(element, capture);
        let is_whole = rows == element.rows && part.components == u32::from(element.cols);
        is_whole.then_some(*capture)
    }

    /// Returns the capture of the array of distances that an element is a part of, if the whole
    /// array is captured contiguously.
    fn distances(
        &self,
        elements: &[SignatureElement],
        element: &SignatureElement,
    ) -> Option<StreamOutput> {
        let is_other =
            |o: &SignatureElement| o.semantic == element.semantic && o.stream == element.stream;
        let mut array: Option<StreamOutput> = None;
        for (index, other) in elements.iter().enumerate().filter(|(_, o)| is_other(o)) {
            let (first, _) = distance_range(elements, other);
            let capture = self.whole(index, other)?;
            // The capture of the whole array begins before the capture of a later part.
            let offset = capture.offset.checked_sub(4 * first)?;
            let start = StreamOutput {
                part: None,
                offset,
                ..capture
            };
            if array.is_some_and(|array| array != start) {
                return None;
            }
            array = Some(start);
        }
        array
    }
}

/// Declares the captures.
///
/// # Errors
/// An output has a form that cannot be captured.
pub(super) fn declare(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    boundary: Boundary,
    answers: &Answers,
) -> Result<(), Error> {
    if answers.list.is_empty() {
        return Ok(());
    }
    e.b.caps.add(Capability::TransformFeedback);
    e.b.execution_mode(ExecutionMode::Xfb, &[]);
    let elements = boundary.elements(&e.entry.signatures);
    let mut location = io.places.after_outputs(elements);
    for &(index, capture) in &answers.list {
        let Some(element) = boundary.all(&e.entry.signatures).nth(index) else {
            continue;
        };
        let assignment = assignment_of(e, element)?;
        let stored = match assignment {
            Assignment::Location => Stored::new(e, element)?,
            Assignment::Builtin(_, Encoding::Plain(shape)) => Stored::plain(shape),
            Assignment::Builtin(_, Encoding::Distances) => Stored::plain(Shape::F32),
            Assignment::Builtin(..) => {
                return Err(e.unsupported(Feature::Semantic {
                    name: element.name.to_string(),
                    semantic: element.semantic,
                    boundary: format!("{boundary:?} that is captured"),
                }));
            }
        };
        if stored.shape.width() == 16 {
            return Err(refused(e, element, StageIoError::Narrow));
        }
        let direct = match assignment {
            Assignment::Location => answers.whole(index, &element),
            Assignment::Builtin(_, Encoding::Plain(shape)) => answers
                .whole(index, &element)
                .filter(|_| shape.lanes == u32::from(element.cols) && element.rows == 1),
            Assignment::Builtin(..) => answers.distances(elements, &element),
        };
        if let Some(direct) = direct {
            let is_first = !matches!(
                assignment,
                Assignment::Builtin(_, Encoding::Distances)
                    if distance_range(elements, &element).0 > 0
            );
            if is_first {
                io.captures.variables.push((index, direct));
            }
            continue;
        }
        let (part, rows) = part(&element, &capture);
        for row in 0..rows {
            let part = ElementPart {
                row: part.row + row,
                ..part
            };
            let capture = StreamOutput {
                offset: capture.offset + 4 * row * part.components,
                ..capture
            };
            let variable = copy(e, (&element, stored), part.components, &capture, location);
            location = location.saturating_add(1);
            io.captures.copies.push(Copy {
                element: index,
                part,
                variable,
            });
        }
    }
    Ok(())
}

/// Declares the variable of a copy.
fn copy(
    e: &mut FunctionBuilder<'_>,
    (element, stored): (&SignatureElement, Stored),
    components: u32,
    capture: &StreamOutput,
    location: u32,
) -> Word {
    let component = stored.component_type(e);
    let ty = e.b.ty_vec(component, components);
    let id = e.b.variable(StorageClass::Output, ty, None);
    e.b.decorate(id, Decoration::Location, &[location]);
    if element.stream > 0 {
        e.b.caps.add(Capability::GeometryStreams);
        e.b.decorate(id, Decoration::Stream, &[element.stream.into()]);
    }
    e.b.name(id, &format!("captured.{}", element.name));
    decorate(e, id, capture);
    id
}

fn decorate(e: &mut FunctionBuilder<'_>, id: Word, capture: &StreamOutput) {
    e.b.decorate(id, Decoration::XfbBuffer, &[capture.buffer]);
    e.b.decorate(id, Decoration::XfbStride, &[capture.stride]);
    e.b.decorate(id, Decoration::Offset, &[capture.offset]);
}

/// Decorates the variable of an output that was declared, if it is captured.
pub(super) fn variable(
    e: &mut FunctionBuilder<'_>,
    io: &Interface,
    element: Element<'_>,
    id: Word,
) {
    let mut variables = io.captures.variables.iter();
    let is_it = |of: usize| of == element.index && is_captured(element.boundary);
    if let Some((_, capture)) = variables.find(|(of, _)| is_it(*of)) {
        decorate(e, id, capture);
    }
}

/// Writes a component of an output to the copies that are captured of it. Where the row is
/// computed, a copy keeps its value unless its row is selected.
///
/// # Errors
/// The element does not have the row.
pub(super) fn store(
    e: &mut FunctionBuilder<'_>,
    io: &Interface,
    element: Element<'_>,
    (row, column): (ValueId, u32),
    (stored, value): (Stored, Word),
) -> Result<(), Error> {
    if !is_captured(element.boundary) {
        return Ok(());
    }
    let of_element = |copy: &&Copy| copy.element == element.index;
    for copy in io.captures.copies.iter().filter(of_element) {
        let part = copy.part;
        let component = column.checked_sub(part.component);
        let Some(component) = component.filter(|&component| component < part.components) else {
            continue;
        };
        let known = e.const_int(row).or((element.rows == 1).then_some(0));
        if known.is_some_and(|row| row != u64::from(part.row)) {
            continue;
        }
        let component = (part.components > 1).then(|| e.b.const_u32(component));
        let chain = component.as_slice();
        let pointer = access_chain(e, StorageClass::Output, stored, copy.variable, chain);
        let mut value = value;
        if let (None, Some(row)) = (known, row_index(e, element, row)?) {
            let is_own = e.b.flag_with(Op::IEqual, row, part.row);
            let ty = stored.component_type(e);
            let old = e.load(ty, pointer);
            value = e.b.op(Op::Select, ty, &[is_own, value, old]);
        }
        e.b.op_void(Op::Store, &[pointer, value]);
    }
    Ok(())
}
