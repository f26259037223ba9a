//! The places of elements from the caller's model ([`crate::stage_io`]), checked to be distinct.
//!
//! The model is asked about all elements before the first is declared. An answer is checked where
//! its element is declared, so those about inputs that the shader does not read have no effect.

use trellis_dxil_frontend::shader::SignatureElement;

use super::arrayed::{has_copy, location_base};
use super::assignment::{Assignment, assignment};
use super::boundary::{Boundary, Element, Side};
use super::link::mesh_location;
use crate::error::Error;
use crate::stage_io::{ElementKind, ElementPlace, ElementQuery, StageElement, StageIoError};
use crate::target::Target;
use crate::values::FunctionBuilder;

/// The answer about an element, or the error to report if the element is used.
type Answer = Result<ElementPlace, Box<Error>>;

/// The answers, and the components of locations that are taken so far.
#[derive(Default)]
pub(super) struct Places {
    answers: [Vec<Option<Answer>>; 3],
    taken: Vec<Occupied>,
    follows_mesh: bool,
}

/// Components of locations that an element has.
struct Occupied {
    boundary: Boundary,
    index: usize,
    location: u32,
    rows: u32,
    component: u32,
    columns: u32,
}

impl Occupied {
    /// Returns a component of a location that both have.
    fn common(&self, other: &Self) -> Option<(u32, u32)> {
        let location = self.location.max(other.location);
        let component = self.component.max(other.component);
        let is_common = self.boundary.is_input() == other.boundary.is_input()
            && location - self.location < self.rows
            && location - other.location < other.rows
            && component < (self.component + self.columns).min(other.component + other.columns);
        is_common.then_some((location, component))
    }
}

fn number(side: Side) -> usize {
    match side {
        Side::Input => 0,
        Side::Output => 1,
        Side::Patch => 2,
    }
}

/// Returns an element's name in errors.
fn named(e: &FunctionBuilder<'_>, element: Element<'_>) -> StageElement {
    let index = element.semantic_index();
    StageElement::new(e.entry.kind, kind(element.boundary), &element.name, index)
}

/// Returns the error of an element.
pub(super) fn refused(
    e: &FunctionBuilder<'_>,
    element: Element<'_>,
    reason: StageIoError,
) -> Error {
    let element = named(e, element);
    Error::StageIo { element, reason }
}

fn kind(boundary: Boundary) -> ElementKind {
    match boundary {
        Boundary::MeshPrimitive => ElementKind::Primitive,
        _ if boundary.is_patch() => ElementKind::PatchConstant,
        _ if boundary.is_input() => ElementKind::Input,
        _ => ElementKind::Output,
    }
}

/// Returns the place of an element without a model; `None` if it has no register, which is an error
/// where it is used.
fn default_place(
    e: &FunctionBuilder<'_>,
    element: Element<'_>,
) -> Result<Option<ElementPlace>, Error> {
    let (Ok(row), Ok(column)) = (
        u32::try_from(element.start_row),
        u32::try_from(element.start_col),
    ) else {
        return Ok(None);
    };
    if let Some(linked) = mesh_location(e, element)? {
        let place = ElementPlace::new(linked.location, linked.component);
        return Ok(Some(place.with_per_primitive(linked.per_primitive)));
    }
    let location = row.saturating_add(location_base(e, element));
    let place = ElementPlace::new(location, column);
    Ok(Some(place.with_per_primitive(
        element.boundary == Boundary::MeshPrimitive,
    )))
}

/// Returns the answer about an element; `None` if it has no location.
fn ask(e: &FunctionBuilder<'_>, element: Element<'_>) -> Option<Answer> {
    let is_located =
        assignment(element, e.options) == Some(Assignment::Location) || has_copy(element);
    if !is_located || element.boundary == Boundary::PixelOutput {
        return None;
    }
    let default = match default_place(e, element) {
        Ok(default) => default?,
        Err(error) => return Some(Err(Box::new(error))),
    };
    let query = ElementQuery {
        stage: e.entry.kind,
        kind: kind(element.boundary),
        semantic: &element.name,
        index: element.semantic_index(),
        system_value: element.semantic,
        start_row: u32::try_from(element.start_row).unwrap_or(0),
        rows: element.rows,
        columns: element.cols.into(),
        stream: element.stream.into(),
        default,
    };
    let model = &*e.options.stage_io;
    let answer = match element.boundary {
        Boundary::VertexInput => model.vertex_input(&query).map(|location| ElementPlace {
            location,
            ..default
        }),
        _ if element.boundary.is_input() => model.input(&query),
        _ => model.output(&query),
    };
    let answer = answer.and_then(|place| {
        let is_fixed = element.boundary != Boundary::PixelInput;
        if is_fixed && place.per_primitive != default.per_primitive {
            return Err(StageIoError::PerPrimitive);
        }
        Ok(place)
    });
    Some(answer.map_err(|reason| Box::new(refused(e, element, reason))))
}

impl Places {
    /// Asks the model about all elements of a boundary; `after` is called with each.
    ///
    /// # Errors
    /// That of `after`.
    pub(super) fn ask(
        &mut self,
        e: &FunctionBuilder<'_>,
        boundary: Boundary,
        mut after: impl FnMut(Element<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut answers = Vec::new();
        for element in boundary.all(&e.entry.signatures) {
            let answer = ask(e, element);
            self.follows_mesh |= boundary == Boundary::PixelInput
                && matches!(&answer, Some(Ok(place)) if place.per_primitive);
            answers.push(answer);
            after(element)?;
        }
        self.answers[number(boundary.side())] = answers;
        Ok(())
    }

    /// Returns the place of an element that is declared now, which no other element has; `None` if
    /// the model was not asked about it.
    ///
    /// # Errors
    /// The model refused it, or the place cannot be.
    pub(super) fn take(
        &mut self,
        e: &FunctionBuilder<'_>,
        element: Element<'_>,
    ) -> Result<Option<ElementPlace>, Error> {
        let answers = &mut self.answers[number(element.boundary.side())];
        let Some(answer) = answers.get_mut(element.index).and_then(Option::take) else {
            return Ok(None);
        };
        let place = answer.map_err(|error| *error)?;
        let (rows, columns) = (element.rows, u32::from(element.cols));
        let ElementPlace {
            location,
            component,
            ..
        } = place;
        if place.per_primitive
            && element.boundary == Boundary::PixelInput
            && e.options.target.spirv_version() < (1, 4)
        {
            let minimum = Target::Vulkan1_2;
            let reason = StageIoError::OldTarget { minimum };
            return Err(refused(e, element, reason));
        }
        let last = component.saturating_add(columns.saturating_sub(1));
        if last > 3 {
            let reason = StageIoError::Component { component, last };
            return Err(refused(e, element, reason));
        }
        if location.checked_add(rows).is_none() {
            let reason = StageIoError::Location { location, rows };
            return Err(refused(e, element, reason));
        }
        let taken = Occupied {
            boundary: element.boundary,
            index: element.index,
            location,
            rows,
            component,
            columns,
        };
        for other in &self.taken {
            let Some((location, component)) = other.common(&taken) else {
                continue;
            };
            let mut elements = other.boundary.all(&e.entry.signatures);
            let Some(element_of_it) = elements.nth(other.index) else {
                continue;
            };
            let reason = StageIoError::Clash {
                other: named(e, element_of_it),
                location,
                component,
            };
            return Err(refused(e, element, reason));
        }
        self.taken.push(taken);
        Ok(Some(place))
    }

    /// Returns true if the model makes an input of a pixel shader per primitive.
    pub(super) fn follows_mesh(&self) -> bool {
        self.follows_mesh
    }

    /// Returns the first location after all outputs that the model was asked about.
    pub(super) fn after_outputs(&self, elements: &[SignatureElement]) -> u32 {
        let answers = self.answers[number(Side::Output)].iter().zip(elements);
        let ends = answers.filter_map(|(answer, element)| match answer {
            Some(Ok(place)) => Some(place.location.saturating_add(element.rows)),
            _ => None,
        });
        ends.max().unwrap_or(0)
    }
}
