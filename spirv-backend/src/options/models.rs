//! The models of bindings, stage inputs and outputs, and mesh shaders in a file of options: each is
//! written as the file that it can be read from.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bindings::{BindingFile, BindingModel};
use crate::mesh_outputs::MeshOutputs;
use crate::stage_io::{StageIoFile, StageIoModel};

/// Returns whether a binding model cannot be serialized.
pub(super) fn has_no_file(bindings: &Arc<dyn BindingModel>) -> bool {
    bindings.to_file().is_none()
}

/// Writes a binding model as a binding file.
pub(super) fn serialize_bindings<S: Serializer>(
    bindings: &Arc<dyn BindingModel>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    bindings.to_file().serialize(serializer)
}

/// Reads a binding file.
pub(super) fn deserialize_bindings<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Arc<dyn BindingModel>, D::Error> {
    Ok(Arc::new(BindingFile::deserialize(deserializer)?))
}

/// Returns whether a model of stage inputs and outputs cannot be serialized.
pub(super) fn has_no_stage_io_file(model: &Arc<dyn StageIoModel>) -> bool {
    model.to_file().is_none()
}

/// Writes a model of stage inputs and outputs as a file.
pub(super) fn serialize_stage_io<S: Serializer>(
    model: &Arc<dyn StageIoModel>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    model.to_file().serialize(serializer)
}

/// Reads a file with the places of stage inputs and outputs.
pub(super) fn deserialize_stage_io<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Arc<dyn StageIoModel>, D::Error> {
    Ok(Arc::new(StageIoFile::deserialize(deserializer)?))
}

/// Writes the outputs of a mesh shader, or null.
pub(super) fn serialize_mesh<S: Serializer>(
    mesh: &Option<Arc<MeshOutputs>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    mesh.as_deref().serialize(serializer)
}

/// Reads the outputs of a mesh shader, or null.
pub(super) fn deserialize_mesh<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Arc<MeshOutputs>>, D::Error> {
    Ok(Option::<MeshOutputs>::deserialize(deserializer)?.map(Arc::new))
}
