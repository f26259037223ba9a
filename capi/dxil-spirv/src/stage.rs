//! The interface's numbers for DXIL's stages.

use trellis_dxil_frontend::shader::{ResourceKind, ShaderKind};

use crate::abi::{Kind, Stage, stage};

/// Returns the number of a stage. Nodes of work graphs are compute shaders, as in the reference.
pub(crate) fn stage_number(kind: ShaderKind) -> Stage {
    match kind {
        ShaderKind::Vertex => stage::VERTEX,
        ShaderKind::Hull => stage::HULL,
        ShaderKind::Domain => stage::DOMAIN,
        ShaderKind::Geometry => stage::GEOMETRY,
        ShaderKind::Pixel => stage::PIXEL,
        ShaderKind::Compute | ShaderKind::Node => stage::COMPUTE,
        ShaderKind::Intersection => stage::INTERSECTION,
        ShaderKind::ClosestHit => stage::CLOSEST_HIT,
        ShaderKind::Miss => stage::MISS,
        ShaderKind::AnyHit => stage::ANY_HIT,
        ShaderKind::RayGeneration => stage::RAY_GENERATION,
        ShaderKind::Callable => stage::CALLABLE,
        ShaderKind::Amplification => stage::AMPLIFICATION,
        ShaderKind::Mesh => stage::MESH,
        ShaderKind::Library => stage::UNKNOWN,
    }
}

/// Returns the number of a shape, which is DXIL's.
pub(crate) fn kind_number(kind: ResourceKind) -> Kind {
    kind as Kind
}

#[cfg(test)]
mod tests {
    use super::{ResourceKind, kind_number};
    use crate::abi::kind;

    #[test]
    fn shapes_have_the_numbers_of_dxil() {
        for &(name, number) in kind::ALL {
            let of_dxil = ResourceKind::from_code(number).expect("a shape");
            assert_eq!(kind_number(of_dxil), number, "{name}");
        }
        assert_eq!(kind_number(ResourceKind::RawBuffer), kind::RAW_BUFFER);
    }
}
