//! Swizzles of render targets ([`crate::options::InterfaceOptions::output_swizzles`]).

use trellis_dxil_frontend::shader::SemanticKind;

use super::boundary::{Boundary, Element};
use crate::error::{Error, InterfaceFeature};
use crate::options::Component;
use crate::values::FunctionBuilder;

/// The components of a shader's output that a render target has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Swizzle([Component; 4]);

const SAME: Swizzle = Swizzle([Component::R, Component::G, Component::B, Component::A]);

impl Swizzle {
    /// Returns the components of the render target that have component `column` of the output.
    pub(super) fn targets(self, column: u32) -> impl Iterator<Item = u32> {
        let components = (0..).zip(self.0);
        components.filter_map(move |(target, from)| (from as u32 == column).then_some(target))
    }

    /// Returns the number of components of the variable of an output of `columns` components.
    fn columns(self, columns: u32) -> u32 {
        let last = (0..columns).flat_map(|column| self.targets(column)).max();
        last.map_or(1, |last| last + 1)
    }
}

/// Returns the swizzle of an element at a boundary; `None` if it is written unchanged.
///
/// # Errors
/// The element is an array of render targets with several swizzles.
#[inline(always)]
pub(super) fn of(e: &FunctionBuilder<'_>, element: Element<'_>) -> Result<Option<Swizzle>, Error> {
    let interface = &e.options.interface;
    let is_target =
        element.boundary == Boundary::PixelOutput && element.semantic == SemanticKind::Target;
    if !is_target || interface.output_swizzles.is_empty() {
        return Ok(None);
    }
    let first = u32::try_from(element.start_row).unwrap_or(0);
    let swizzle = |target: u32| {
        let target = if interface.dual_source { 0 } else { target };
        let given = interface.output_swizzles.get(target as usize);
        given.map_or(SAME, |&given| Swizzle(given))
    };
    let found = swizzle(first);
    // All targets after the last entry are alike.
    let known = interface.output_swizzles.len() as u32;
    if (1..element.rows.min(known + 1)).any(|row| swizzle(first.saturating_add(row)) != found) {
        return Err(e.unsupported(InterfaceFeature::Swizzles));
    }
    Ok((found != SAME).then_some(found))
}

/// Returns the number of components of each row of an element's variable.
///
/// # Errors
/// That of [`of`].
pub(super) fn columns(e: &FunctionBuilder<'_>, element: Element<'_>) -> Result<u32, Error> {
    let columns = element.cols.into();
    let swizzle = of(e, element)?;
    Ok(swizzle.map_or(columns, |swizzle| swizzle.columns(columns)))
}

#[cfg(test)]
mod tests {
    use super::{Component, SAME, Swizzle};

    #[test]
    fn a_variable_has_the_components_that_are_written() {
        use Component::{A, B, G, R};
        assert_eq!([1, 2, 3, 4].map(|n| SAME.columns(n)), [1, 2, 3, 4]);
        let alpha_first = Swizzle([A, R, G, B]);
        assert_eq!([1, 2, 3, 4].map(|n| alpha_first.columns(n)), [2, 3, 4, 4]);
        let alpha_only = Swizzle([A; 4]);
        assert_eq!([3, 4].map(|n| alpha_only.columns(n)), [1, 4]);
        assert!(alpha_only.targets(3).eq(0..4));
        assert_eq!(alpha_only.targets(0).count(), 0);
    }
}
