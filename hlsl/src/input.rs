//! Inputs and system values.

use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::Constant;

use crate::body::Body;
use crate::layout::COMPONENTS;
use crate::types::{Expr, Scalar};

impl Body<'_, '_> {
    /// Returns an input or system value.
    pub(crate) fn input(&mut self, call: &DxCall<'_>, ty: Scalar) -> Option<Expr> {
        let component = |this: &Self, at: usize| {
            COMPONENTS[this.literal(call, at).unwrap_or(0).min(3) as usize]
        };
        let text = match call.op {
            Op::ThreadId => format!(
                "{}.{}",
                self.p
                    .system("dispatchThreadID", "SV_DispatchThreadID", "uint3"),
                component(self, 0)
            ),
            Op::GroupId => format!(
                "{}.{}",
                self.p.system("groupID", "SV_GroupID", "uint3"),
                component(self, 0)
            ),
            Op::ThreadIdInGroup => format!(
                "{}.{}",
                self.p.system("groupThreadID", "SV_GroupThreadID", "uint3"),
                component(self, 0)
            ),
            Op::FlattenedThreadIdInGroup => self.p.system("groupIndex", "SV_GroupIndex", "uint"),
            Op::SampleIndex
                if self
                    .p
                    .inputs
                    .iter()
                    .any(|field| field.name == "sampleindex") =>
            {
                "input.sampleindex".to_owned()
            }
            Op::SampleIndex => self.p.system("sampleIndex", "SV_SampleIndex", "uint"),
            Op::Coverage => self.p.system("coverage", "SV_Coverage", "uint"),
            Op::InnerCoverage => self.p.system("innerCoverage", "SV_InnerCoverage", "uint"),
            Op::ViewID => self.p.system("viewID", "SV_ViewID", "uint"),
            Op::PrimitiveID => self.p.system("primitiveID", "SV_PrimitiveID", "uint"),
            Op::GSInstanceID => self.p.system("instanceID", "SV_GSInstanceID", "uint"),
            Op::OutputControlPointID => {
                self.p
                    .system("controlPointID", "SV_OutputControlPointID", "uint")
            }
            Op::DomainLocation => format!(
                "{}.{}",
                self.p
                    .system("domainLocation", "SV_DomainLocation", "float3"),
                component(self, 0)
            ),
            Op::DispatchRaysIndex => format!("DispatchRaysIndex().{}", component(self, 0)),
            Op::DispatchRaysDimensions => {
                format!("DispatchRaysDimensions().{}", component(self, 0))
            }
            Op::WorldRayOrigin => format!("WorldRayOrigin().{}", component(self, 0)),
            Op::WorldRayDirection => format!("WorldRayDirection().{}", component(self, 0)),
            Op::ObjectRayOrigin => format!("ObjectRayOrigin().{}", component(self, 0)),
            Op::ObjectRayDirection => format!("ObjectRayDirection().{}", component(self, 0)),
            Op::LoadInput => return self.signature_input(call, ty),
            _ => return None,
        };
        Some(Expr::atom(text, ty))
    }

    pub(crate) fn signature_input(&mut self, call: &DxCall<'_>, ty: Scalar) -> Option<Expr> {
        let id = self.literal(call, 0)? as u32;
        let row = call.operand(1)?;
        let column = COMPONENTS[self.literal(call, 2)?.min(3) as usize];
        let field = self.p.inputs.iter().find(|field| field.id == id)?.clone();
        let vertex = call.operand(3).filter(|&v| {
            let constant = self.p.module.constant(Some(self.function), v);
            constant.is_none_or(|c| c.value != Constant::Undef)
        });
        let index = match (vertex, self.p.has_vertices) {
            (Some(vertex), true) => format!("[{}]", self.operand(vertex).text),
            _ => String::new(),
        };
        let row = if field.rows > 1 {
            format!("[{}]", self.operand(row).text)
        } else {
            String::new()
        };
        let column = if field.columns > 1 {
            format!(".{column}")
        } else {
            String::new()
        };
        let expr = Expr::atom(
            format!("input{index}.{}{row}{column}", field.name),
            field.ty,
        );
        Some(match (field.ty, ty) {
            (Scalar::Bool, _) => expr.cast(ty),
            _ => expr,
        })
    }
}
