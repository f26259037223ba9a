//! The list of all options, with their descriptions.

use serde::Serialize;

use super::{GROUPED, Options};

/// An option in the list of all ([`list`]).
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct OptionInfo {
    /// The group, empty for [`Options`] itself.
    pub group: &'static str,
    /// Its name, in Rust and in JSON.
    pub name: &'static str,
    /// Its Rust type.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// Its default, in its JSON form.
    pub default: serde_json::Value,
    /// Effect of the option, as one paragraph.
    pub summary: String,
}

/// An option of the list: group, name, type, and the lines of its description.
pub(super) type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

/// The options before the groups.
const FIRST: &[Row] = &[
    ("", "target", "Target", &["Vulkan version of the output."]),
    (
        "",
        "entry",
        "Option<String>",
        &["Entry point to convert; needed if there are several."],
    ),
    (
        "",
        "mesh",
        "Option<MeshOutputs>",
        &[
            "The outputs of the mesh shader before a pixel shader: in `outputs` their \
             `semantic`, `index`, `location`, `component` and `per_primitive`; and whether it \
             writes `primitive_id`, `layer` and `viewport_index`.",
        ],
    ),
    (
        "bindings",
        "strict",
        "bool",
        &["A resource without an entry in `bindings` is an error."],
    ),
    (
        "bindings",
        "shifts",
        "Shifts",
        &[
            "Without an entry, a resource's set is its register space, and its binding the \
             register plus the shift of its class: `cbv`, `srv`, `uav`, `sampler`, or \
             `counter` (of a UAV).",
        ],
    ),
    (
        "bindings",
        "heaps",
        "Heaps",
        &["The `set` and `binding` of the descriptor heaps: `resource`, `sampler` and `counter`."],
    ),
    (
        "bindings",
        "free",
        "Option<FreeBindings>",
        &[
            "The `set` and first `binding` for resources without a register, or whose \
             register plus shift exceeds 32 bits; each gets the next free one.",
        ],
    ),
    (
        "bindings",
        "bindings",
        "Vec<Entry>",
        &[
            "Mapped resources: `class`, `space`, `register`, `range`, and `set`, `binding` \
             and descriptor `kind`, or another `place`.",
        ],
    ),
    (
        "stage_io",
        "strict",
        "bool",
        &["An input or output without an entry is an error."],
    ),
    (
        "stage_io",
        "vertex_inputs",
        "Vec<Attribute>",
        &[
            "The `semantic`, `index` and `location` of vertex inputs; by default the location \
             is the register.",
        ],
    ),
    (
        "stage_io",
        "inputs",
        "Vec<Entry>",
        &[
            "The `semantic`, `index`, `location`, `component` and `per_primitive` of inputs \
             from other stages.",
        ],
    ),
    (
        "stage_io",
        "outputs",
        "Vec<Entry>",
        &["The same for outputs to other stages."],
    ),
    (
        "stage_io",
        "stream_output",
        "Vec<Capture>",
        &[
            "Transform feedback: `stream`, `semantic`, `index`, `component`, `components`, \
             `buffer`, `stride` and `offset` in bytes.",
        ],
    ),
];

/// Returns all options that have a serialized form, with their defaults, in the order of the
/// fields.
///
/// # Errors
/// A default cannot be serialized, which a test excludes.
pub fn list() -> serde_json::Result<Vec<OptionInfo>> {
    let defaults = serde_json::to_value(Options::default())?;
    let info = |&(group, name, ty, doc): &Row| {
        let values = if group.is_empty() {
            Some(&defaults)
        } else {
            defaults.get(group)
        };
        let default = values.and_then(|values| values.get(name));
        OptionInfo {
            group,
            name,
            ty,
            default: default.cloned().unwrap_or_default(),
            summary: doc
                .iter()
                .map(|line| line.trim())
                .collect::<Vec<_>>()
                .join(" "),
        }
    };
    Ok(FIRST.iter().chain(GROUPED).map(info).collect())
}
