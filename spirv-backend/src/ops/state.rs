//! The state of the parts of the backend that operations use.

use rspirv::spirv::Word;

use super::hit_object::HitObjectVariables;
use super::ray_query::RayQueries;
use super::vendor_matrix::WaveMatrices;
use super::wave_functions::WaveFunctions;
use crate::interface::Interface;
use crate::memory::Memory;
use crate::resources::Resources;

/// The declarations so far, by the module that owns them. An operation takes this in addition to
/// the function under construction, and passes each part to the functions of that part.
#[derive(Default)]
pub(crate) struct State {
    /// Stage inputs and outputs.
    pub(crate) interface: Interface,
    /// Descriptors.
    pub(crate) resources: Resources,
    /// Local arrays, groupshared memory, constant tables, ray data.
    pub(crate) memory: Memory,
    /// Ray queries of the current function.
    pub(crate) ray_queries: RayQueries,
    /// Hit objects of the current function.
    pub(crate) hit_objects: HitObjectVariables,
    /// Matrices of waves of the current function.
    pub(crate) wave_matrices: WaveMatrices,
    /// Functions of the module whose body is emitted: SPIR-V id, 0 for the others.
    pub(crate) function_ids: Vec<Word>,
    /// SPIR-V id of the function that changes a counter whose address may be 0; 0 if nothing calls it.
    pub(crate) counter_function: Word,
    /// The functions of wave operations.
    pub(crate) wave_functions: WaveFunctions,
    /// The last instruction was the end of its block.
    pub(crate) block_ended: bool,
}
