//! [`Shader::read`]: from a module's metadata, with the container's parts where they have more.

use super::cursor::{Tuple, error, named, named_tuple};
use super::{
    EntryPoint, Properties, Resource, Shader, ShaderErrorKind, ShaderKind, Signatures, Version,
    properties, resources, signatures,
};
use crate::container::Container;
use crate::error::Error;
use crate::metadata::MdId;
use crate::module::{Attribute, FunctionId, Module};

/// Shader flag: low precision is native 16-bit.
const NATIVE_LOW_PRECISION: u64 = 1 << 23;

impl Shader {
    /// Reads the metadata; feature bits come from the container's `SFI0` part.
    ///
    /// # Errors
    /// Metadata that is missing or malformed, with node and field.
    pub fn read(module: &Module, container: Option<&Container<'_>>) -> Result<Self, Error> {
        let model = named_tuple(module, "dx.shaderModel")?
            .ok_or_else(|| error("dx.shaderModel", None, None, ShaderErrorKind::Missing))?;
        let model = model.at_least(3, "3: kind, major, minor")?;
        let kind = model.text(0, "kind")?;
        let Some(kind) = kind_of_profile(kind) else {
            let (found, expected) = (kind.into(), "ps, vs, gs, hs, ds, cs, lib, ms or as");
            let kind = ShaderErrorKind::Text { found, expected };
            return Err(model.fail("kind", kind).into());
        };
        let mut shader = Self {
            kind,
            model: Version {
                major: model.u32(1, "major")?,
                minor: model.u32(2, "minor")?,
            },
            dxil_version: read_version(module, "dx.version")?,
            validator_version: read_version(module, "dx.valver")?,
            entry_points: Vec::new(),
            resources: Vec::new(),
            native_low_precision: false,
            denorm_mode: 0,
            feature_flags: container.map_or(Ok(0), Container::feature_flags)?,
        };
        let entries = named(module, "dx.entryPoints");
        shader.entry_points.reserve_exact(entries.len());
        for &id in entries {
            let tuple = entry_tuple(module, id)?;
            shader.entry_points.push(read_entry_point(kind, tuple)?);
        }
        shader.resources = resource_list(module)?;
        shader.native_low_precision = shader
            .entry_points
            .iter()
            .any(|e| e.properties.flags & NATIVE_LOW_PRECISION != 0);
        shader.denorm_mode = shader
            .entry_points
            .iter()
            .filter_map(|e| e.function)
            .find_map(|f| denorm_mode(module, f))
            .unwrap_or(0);
        Ok(shader)
    }
}

fn entry_tuple(module: &Module, id: MdId) -> Result<Tuple<'_>, Error> {
    let expected = "5: function, name, signatures, resources, properties";
    Ok(Tuple::open(module, id, "dx.entryPoints")?.at_least(5, expected)?)
}

/// Returns the resources alone: `dx.resources`, else the list of the first entry point that has
/// one.
///
/// # Errors
/// As [`Shader::read`].
pub(crate) fn resource_list(module: &Module) -> Result<Vec<Resource>, Error> {
    let mut lists = named_tuple(module, "dx.resources")?;
    for &id in named(module, "dx.entryPoints") {
        if lists.is_some() {
            break;
        }
        lists = entry_tuple(module, id)?.tuple(3, "resources")?;
    }
    Ok(lists.map_or(Ok(Vec::new()), resources::read)?)
}

fn read_entry_point(kind: ShaderKind, t: Tuple<'_>) -> Result<EntryPoint, Error> {
    let signatures = match t.tuple(2, "signatures")? {
        Some(tuple) => signatures::read(tuple)?,
        None => Signatures::default(),
    };
    let properties = t
        .tuple(4, "properties")?
        .map_or(Ok(Properties::default()), properties::read)?;
    Ok(EntryPoint {
        function: t.function(0, "function")?,
        name: t.text(1, "name")?.into(),
        kind: properties.kind.unwrap_or(kind),
        signatures,
        properties,
    })
}

/// Reads a version; 1.0 without one, as the first compilers wrote no `dx.valver`.
fn read_version(module: &Module, name: &'static str) -> Result<Version, Error> {
    let Some(t) = named_tuple(module, name)? else {
        return Ok(Version { major: 1, minor: 0 });
    };
    let t = t.at_least(2, "2: major, minor")?;
    Ok(Version {
        major: t.u32(0, "major")?,
        minor: t.u32(1, "minor")?,
    })
}

/// Returns the stage of a profile's first part: `ps` of `ps_6_0`.
pub(super) fn kind_of_profile(profile: &str) -> Option<ShaderKind> {
    Some(match profile {
        "ps" => ShaderKind::Pixel,
        "vs" => ShaderKind::Vertex,
        "gs" => ShaderKind::Geometry,
        "hs" => ShaderKind::Hull,
        "ds" => ShaderKind::Domain,
        "cs" => ShaderKind::Compute,
        "lib" => ShaderKind::Library,
        "ms" => ShaderKind::Mesh,
        "as" => ShaderKind::Amplification,
        _ => return None,
    })
}

/// Returns the function attribute `fp32-denorm-mode`.
fn denorm_mode(module: &Module, function: FunctionId) -> Option<u32> {
    let list = module.functions.get(function)?.attributes.checked_sub(1)?;
    let groups = module.attributes.get(list as usize)?;
    groups
        .iter()
        .filter_map(|&g| module.attribute_groups.get(g as usize))
        .flat_map(|g| &g.attributes)
        .find_map(|a| match a {
            Attribute::String(name, value) if &**name == "fp32-denorm-mode" => {
                match value.as_deref() {
                    Some("preserve") => Some(1),
                    Some("ftz") => Some(2),
                    _ => Some(0),
                }
            }
            _ => None,
        })
}
