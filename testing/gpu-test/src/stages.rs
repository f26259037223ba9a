//! The shaders of a draw: their order, and the primitives between them.

use ash::vk;
use spirv::ExecutionMode as Mode;

use crate::spirv_module::SpirvModule;

/// The shaders of one run, in the order of the pipeline.
#[derive(Clone, Debug)]
pub struct Stages<'a>(Vec<&'a SpirvModule>);

/// Returns the position of a stage in the pipeline.
fn rank(stage: vk::ShaderStageFlags) -> u32 {
    use vk::ShaderStageFlags as S;
    match stage {
        S::VERTEX | S::TASK_EXT => 0,
        S::TESSELLATION_CONTROL => 1,
        S::TESSELLATION_EVALUATION => 2,
        S::GEOMETRY | S::MESH_EXT => 3,
        S::FRAGMENT => 4,
        _ => 5,
    }
}

impl<'a> Stages<'a> {
    /// Sorts shaders.
    ///
    /// # Errors
    /// There is none, a stage occurs twice, or one of the tessellation stages is alone.
    pub fn new(modules: &[&'a SpirvModule]) -> Result<Self, String> {
        let mut list = modules.to_vec();
        list.sort_by_key(|m| rank(m.stage));
        if let Some([a, _]) = list.array_windows().find(|[a, b]| a.stage == b.stage) {
            return Err(format!("two shaders of stage {:?}", a.stage));
        }
        let stages = Self(list);
        if stages.0.is_empty() {
            return Err("no shader".to_owned());
        }
        if stages
            .of(vk::ShaderStageFlags::TESSELLATION_CONTROL)
            .is_some()
            != stages
                .of(vk::ShaderStageFlags::TESSELLATION_EVALUATION)
                .is_some()
        {
            return Err(
                "a hull shader and a domain shader go together: `stages` names the other"
                    .to_owned(),
            );
        }
        Ok(stages)
    }

    /// Returns the shaders.
    pub fn modules(&self) -> &[&'a SpirvModule] {
        &self.0
    }
    /// Returns the first.
    pub fn first(&self) -> &'a SpirvModule {
        self.0[0]
    }
    /// Returns the last.
    pub fn last(&self) -> &'a SpirvModule {
        self.0[self.0.len() - 1]
    }
    /// Returns the shader of a stage.
    pub fn of(&self, stage: vk::ShaderStageFlags) -> Option<&'a SpirvModule> {
        self.0.iter().copied().find(|m| m.stage == stage)
    }

    /// Returns whether a mesh shader makes the vertices.
    pub fn is_mesh(&self) -> bool {
        self.of(vk::ShaderStageFlags::MESH_EXT).is_some()
    }

    /// Topology of the draw, and the control points of a patch.
    pub fn topology(&self) -> (vk::PrimitiveTopology, u32) {
        use vk::PrimitiveTopology as T;
        if let Some(hull) = self.of(vk::ShaderStageFlags::TESSELLATION_CONTROL) {
            let points = hull
                .inputs
                .iter()
                .map(|v| v.vertices)
                .max()
                .filter(|n| *n > 0);
            return (T::PATCH_LIST, points.unwrap_or(1));
        }
        let topology = match self.of(vk::ShaderStageFlags::GEOMETRY) {
            Some(g) if g.has_mode(Mode::InputPoints) => T::POINT_LIST,
            Some(g) if g.has_mode(Mode::InputLines) => T::LINE_LIST,
            Some(g) if g.has_mode(Mode::InputLinesAdjacency) => T::LINE_LIST_WITH_ADJACENCY,
            Some(g) if g.has_mode(Mode::InputTrianglesAdjacency) => T::TRIANGLE_LIST_WITH_ADJACENCY,
            // Captured vertex by vertex; points would need a size.
            None if self.last().stage == vk::ShaderStageFlags::VERTEX => T::LINE_LIST,
            _ => T::TRIANGLE_LIST,
        };
        (topology, 0)
    }

    /// Vertices of a primitive that is captured.
    pub fn captured_vertices(&self) -> usize {
        if let Some(geometry) = self.of(vk::ShaderStageFlags::GEOMETRY) {
            return if geometry.has_mode(Mode::OutputPoints) {
                1
            } else if geometry.has_mode(Mode::OutputLineStrip) {
                2
            } else {
                3
            };
        }
        let tessellated = self
            .0
            .iter()
            .filter(|m| rank(m.stage) == 1 || rank(m.stage) == 2);
        let mut vertices = if self
            .of(vk::ShaderStageFlags::TESSELLATION_CONTROL)
            .is_some()
        {
            3
        } else {
            2
        };
        for module in tessellated {
            if module.has_mode(Mode::Isolines) {
                vertices = vertices.min(2);
            }
            if module.has_mode(Mode::PointMode) {
                vertices = 1;
            }
        }
        vertices
    }
}
