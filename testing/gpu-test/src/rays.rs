//! Cases that dispatch rays: a pipeline of a library's shaders, its shader table, and its job.

use serde::{Deserialize, Serialize};
use trellis_dxil_interpreter::dispatch::Binding;

use crate::bind;
use crate::case::{Case, check_bindings};
use crate::execute::NotRun;
use crate::spirv_module::{Resource, SpirvModule};
use crate::vulkan::{self, Job, Record, StageCode, Work};

/// A dispatch of rays. Shaders are named as [`SpirvModule::entry`] has them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rays {
    /// Width, height, depth.
    pub size: [u32; 3],
    /// Further libraries in addition to the test's own: file names without `.dxil`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<String>,
    /// The ray generation shader.
    pub raygen: General,
    /// Miss shaders, in the order of the shader table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub miss: Vec<General>,
    /// Hit groups, in the order of the shader table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hit: Vec<HitGroup>,
    /// Callable shaders, in the order of the shader table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callable: Vec<General>,
    /// Depth to which shaders may trace rays: 1 is the ray generation shader only.
    #[serde(default = "one")]
    pub recursion: u32,
    /// Resources.
    #[serde(default)]
    pub bindings: Vec<Binding>,
}

/// A shader in the shader table, by its name or with the constants of its record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum General {
    /// The name.
    Name(String),
    /// The name, and the words that follow the shader's identifier.
    Record {
        /// The shader's name.
        shader: String,
        /// Words of the record.
        record: Vec<u32>,
    },
}

impl Default for General {
    fn default() -> Self {
        Self::Name(String::new())
    }
}

/// A hit group in the shader table. Without an intersection shader it is for triangles.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HitGroup {
    /// Closest-hit shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closest: Option<String>,
    /// Any-hit shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any: Option<String>,
    /// Intersection shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intersection: Option<String>,
    /// Words of the record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub record: Vec<u32>,
}

fn one() -> u32 {
    1
}

impl Rays {
    /// Checks the resources.
    ///
    /// # Errors
    /// A binding makes no sense.
    pub fn check(&self) -> Result<(), String> {
        check_bindings(&self.bindings)
    }
}

/// Joins the interfaces of all modules into a pipeline's.
pub fn together(modules: &[&SpirvModule]) -> Result<SpirvModule, String> {
    let mut all = SpirvModule {
        resources: Vec::new(),
        ..(*modules.first().ok_or("the case names no shader")?).clone()
    };
    for module in modules {
        all.capabilities.extend(
            module
                .capabilities
                .iter()
                .filter(|c| !all.capabilities.contains(c))
                .copied()
                .collect::<Vec<_>>(),
        );
        for resource in &module.resources {
            let same = |r: &&mut Resource| (r.set, r.binding) == (resource.set, resource.binding);
            match all.resources.iter_mut().find(same) {
                Some(old) if old.ty != resource.ty || old.count != resource.count => {
                    return Err(format!(
                        "set {}, binding {}: shaders see different descriptors",
                        resource.set, resource.binding
                    ));
                }
                Some(old) => old.format = old.format.or(resource.format),
                None => all.resources.push(resource.clone()),
            }
        }
    }
    all.resources.sort_by_key(|r| (r.set, r.binding));
    Ok(all)
}

/// The modules that a case uses, each once, and the indices into that list, by shader table.
pub struct Stages<'a> {
    /// The modules.
    pub modules: Vec<&'a SpirvModule>,
    table: vulkan::Table,
}

impl<'a> Stages<'a> {
    /// Finds the shaders of a case.
    ///
    /// # Errors
    /// A shader does not exist.
    pub fn find(rays: &Rays, available: &'a [SpirvModule]) -> Result<Self, String> {
        let mut modules: Vec<&SpirvModule> = Vec::new();
        let mut stage = |name: &String| -> Result<usize, String> {
            let module = available
                .iter()
                .find(|m| m.entry == *name)
                .ok_or_else(|| format!("no shader `{name}`"))?;
            Ok(modules
                .iter()
                .position(|m| std::ptr::eq(*m, module))
                .unwrap_or_else(|| {
                    modules.push(module);
                    modules.len() - 1
                }))
        };
        let mut general = |entry: &General| -> Result<Record, String> {
            let (name, words): (_, &[u32]) = match entry {
                General::Name(name) => (name, &[]),
                General::Record { shader, record } => (shader, record),
            };
            Ok(Record {
                general: Some(stage(name)?),
                data: bytes(words),
                ..Record::default()
            })
        };
        let raygen = general(&rays.raygen)?;
        let miss = rays
            .miss
            .iter()
            .map(&mut general)
            .collect::<Result<_, _>>()?;
        let callable = rays
            .callable
            .iter()
            .map(&mut general)
            .collect::<Result<_, _>>()?;
        let mut hit = Vec::new();
        for group in &rays.hit {
            let mut optional = |name: &Option<String>| name.as_ref().map(&mut stage).transpose();
            let (closest, any, intersection) = (
                optional(&group.closest)?,
                optional(&group.any)?,
                optional(&group.intersection)?,
            );
            hit.push(Record {
                general: None,
                closest,
                any,
                intersection,
                data: bytes(&group.record),
            });
        }
        Ok(Self {
            modules,
            table: vulkan::Table {
                raygen,
                miss,
                hit,
                callable,
            },
        })
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns the job of a case, with the object of each binding's counter.
///
/// # Errors
/// A resource does not exist.
pub fn job(
    case: &Case,
    rays: &Rays,
    stages: Stages<'_>,
) -> Result<(Job, Vec<Option<usize>>), NotRun> {
    let all = together(&stages.modules).map_err(NotRun::Failed)?;
    let bind::Bound {
        objects,
        bindings,
        counters,
    } = bind::bind(&all, case).map_err(NotRun::Failed)?;
    let work = Work::Rays(vulkan::Rays {
        size: rays.size,
        table: stages.table,
        recursion: rays.recursion,
    });
    Ok((
        Job {
            stages: stages.modules.into_iter().map(StageCode::from).collect(),
            objects,
            bindings,
            work,
            wave_size: None,
        },
        counters,
    ))
}
