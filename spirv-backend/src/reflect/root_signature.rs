//! Root signatures.

use serde::Serialize;
use trellis_dxil_frontend::container::{
    Container, DescriptorRange, FourCC, RootDescriptor, RootParameterKind, RootSignature,
};

use super::resource::{bounded, class_name};
use crate::bindings::root_signature::signature_of;

/// A root signature.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RootSignatureReflection {
    /// Version, such as `1.1`.
    pub version: String,
    /// `D3D12_ROOT_SIGNATURE_FLAGS`.
    pub flags: u32,
    /// Parameters in order.
    pub parameters: Vec<RootParameterReflection>,
    /// Static samplers.
    pub static_samplers: Vec<StaticSamplerReflection>,
}

impl RootSignatureReflection {
    /// Describes a file that is a root signature only: a serialized one, or a container without other
    /// parts. `None` for other files.
    pub fn of_file(bytes: &[u8]) -> Option<Self> {
        let is_alone = match Container::open(bytes) {
            Ok(container) => container
                .parts()
                .all(|p| p.fourcc == FourCC::ROOT_SIGNATURE),
            Err(_) => !bytes.starts_with(b"DXBC"),
        };
        let signature = is_alone.then(|| signature_of(bytes).ok()).flatten()?;
        Some(root_signature(&signature))
    }
}

/// A root parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RootParameterReflection {
    /// Stages that see it, such as `all` or `pixel`.
    pub visibility: &'static str,
    /// Kind of the parameter.
    #[serde(flatten)]
    pub kind: RootKindReflection,
}

/// Kind of a root parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RootKindReflection {
    /// Descriptor table.
    Table {
        /// Ranges.
        ranges: Vec<RangeReflection>,
    },
    /// 32-bit constants.
    Constants {
        /// Register.
        register: u32,
        /// Register space.
        space: u32,
        /// Number of values.
        count: u32,
    },
    /// A descriptor in the root.
    Descriptor {
        /// Class.
        class: &'static str,
        /// Register.
        register: u32,
        /// Register space.
        space: u32,
    },
}

/// A range of a descriptor table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RangeReflection {
    /// Class.
    pub class: &'static str,
    /// First register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Number of descriptors; absent for an unbounded range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

/// Binding and filter of a static sampler.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StaticSamplerReflection {
    /// Register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// `D3D12_FILTER`.
    pub filter: u32,
    /// `D3D12_TEXTURE_ADDRESS_MODE` of u, v, w.
    pub address: [u32; 3],
}

pub(super) fn root_signature(r: &RootSignature) -> RootSignatureReflection {
    RootSignatureReflection {
        version: format!("1.{}", r.minor_version),
        flags: r.flags,
        parameters: r
            .parameters
            .iter()
            .map(|p| RootParameterReflection {
                visibility: visibility(p.visibility),
                kind: root_kind(&p.kind),
            })
            .collect(),
        static_samplers: r
            .static_samplers
            .iter()
            .map(|s| StaticSamplerReflection {
                register: s.register,
                space: s.space,
                filter: s.filter,
                address: s.address,
            })
            .collect(),
    }
}

fn visibility(code: u32) -> &'static str {
    const NAMES: [&str; 8] = [
        "all",
        "vertex",
        "hull",
        "domain",
        "geometry",
        "pixel",
        "amplification",
        "mesh",
    ];
    NAMES.get(code as usize).copied().unwrap_or("unknown")
}

fn root_kind(kind: &RootParameterKind) -> RootKindReflection {
    let descriptor = |class, d: &RootDescriptor| RootKindReflection::Descriptor {
        class,
        register: d.register,
        space: d.space,
    };
    match kind {
        RootParameterKind::Table(ranges) => RootKindReflection::Table {
            ranges: ranges.iter().map(range).collect(),
        },
        RootParameterKind::Constants {
            register,
            space,
            count,
        } => RootKindReflection::Constants {
            register: *register,
            space: *space,
            count: *count,
        },
        RootParameterKind::Cbv(d) => descriptor("cbuffer", d),
        RootParameterKind::Srv(d) => descriptor("srv", d),
        RootParameterKind::Uav(d) => descriptor("uav", d),
    }
}

fn range(r: &DescriptorRange) -> RangeReflection {
    RangeReflection {
        class: class_name(r.kind),
        register: r.register,
        space: r.space,
        count: bounded(r.count),
    }
}
