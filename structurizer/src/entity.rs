//! Index types: everything that is numbered densely (blocks, nodes, loops, scopes, positions) has one, made
//! by `entity_impl!`. A value for each index is in a [`PrimaryMap`], a list of values in an
//! [`Adjacency`]. Both have a fixed set of keys, unlike a
//! [`SecondaryMap`](trellis_entity::SecondaryMap): an index is one bounds check, and no map grows
//! by being written.

use trellis_entity::ReservedValue;
pub(crate) use trellis_entity::{Adjacency, EntityRef, PackedOption, PrimaryMap, entity_impl};

/// An index type, as `entity_impl!` makes them.
pub trait Entity: EntityRef + ReservedValue {}

impl<T: EntityRef + ReservedValue> Entity for T {}
