//! Parts of variables: the indices that lead to the bits that a value is.

use smallvec::SmallVec;
use trellis_dxil_frontend::metadata::MdId;

use super::DebugInfo;
use super::types::{Shape, TypeInfo};
use crate::module::Builder;

/// The indices of members, elements and components that lead to a part; `None` if no part has just
/// these bits.
pub(super) type Path = Option<SmallVec<[u32; 4]>>;

/// Types inside of types that a part is searched in.
const MAX_DEPTH: usize = 64;

impl DebugInfo<'_> {
    /// Returns the path to bits of a type.
    pub(super) fn path(&mut self, b: &mut Builder, ty: MdId, offset: u64, size: u64) -> Path {
        if let Some(known) = self.paths.get(&(ty, offset, size)) {
            return known.clone();
        }
        let found = self.find_path(b, ty, offset, size);
        self.paths.insert((ty, offset, size), found.clone());
        found
    }

    fn find_path(&mut self, b: &mut Builder, ty: MdId, mut offset: u64, size: u64) -> Path {
        let mut path = SmallVec::new();
        let mut current = ty;
        for _ in 0..MAX_DEPTH {
            let ty = self.ty(b, Some(current));
            if offset == 0 && size == ty.size {
                return Some(path);
            }
            if size == 0 || offset.checked_add(size)? > ty.size {
                return None;
            }
            match &ty.shape {
                Shape::Scalar(_) | Shape::Opaque => return None,
                &Shape::Vector { component, count } => {
                    path.push(exact(offset, size, component, count)?);
                    return Some(path);
                }
                &Shape::Matrix {
                    component,
                    rows,
                    columns,
                } => {
                    let index = exact(offset, size, component, rows * columns)?;
                    path.extend(match self.row_major {
                        true => [index / columns, index % columns],
                        false => [index % rows, index / rows],
                    });
                    return Some(path);
                }
                Shape::Array {
                    element,
                    dimensions,
                } => {
                    let stride = element_size(&ty, dimensions)?;
                    push_indices(&mut path, dimensions, offset / stride);
                    offset %= stride;
                    current = *element;
                }
                Shape::Structure(members) => {
                    self.steps = self.steps.checked_sub(members.len())?;
                    // The last one that begins there: those before may be empty.
                    let index = members.iter().rposition(|member| member.0 <= offset)?;
                    let (start, member) = members[index];
                    path.push(index as u32);
                    offset -= start;
                    current = member;
                }
            }
        }
        None
    }
}

/// Returns the number of the component that has just these bits.
fn exact(offset: u64, size: u64, component: u64, count: u32) -> Option<u32> {
    let index = u32::try_from(offset.checked_div(component)?).ok()?;
    let fits = size == component && offset.is_multiple_of(component) && index < count;
    fits.then_some(index)
}

/// Returns the distance of an array's elements in bits.
fn element_size(ty: &TypeInfo, dimensions: &[u32]) -> Option<u64> {
    let count = (dimensions.iter()).try_fold(1u64, |count, &n| count.checked_mul(n.into()))?;
    ty.size.checked_div(count).filter(|&stride| stride != 0)
}

/// Appends the indices of an element in each dimension, the innermost last.
fn push_indices(path: &mut SmallVec<[u32; 4]>, dimensions: &[u32], mut element: u64) {
    let start = path.len();
    for &count in dimensions.iter().rev() {
        let count = u64::from(count.max(1));
        path.push((element % count) as u32);
        element /= count;
    }
    path[start..].reverse();
}
