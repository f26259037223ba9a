//! DXC's own SPIR-V of a shader, `NAME.dxc.spv`: made once by a developer, run in addition to ours.

use std::path::Path;
use std::process::Command;

use trellis_corpus::manifest::{ShaderEntry, Stage};
use trellis_spirv_backend::reflect::{BindingReflection, Reflection};

use crate::edit;
use crate::spirv_module::{self, SpirvModule};
use crate::suite::with_suffix;

/// Reads `TEST.dxc.spv`; `None` if it does not exist.
///
/// # Errors
/// It cannot be read, or is not a module.
pub fn read(test: &Path) -> Result<Option<SpirvModule>, String> {
    let mut all = read_all(test)?;
    if all.len() > 1 {
        Err(format!(
            "{}.dxc.spv has {} entry points",
            test.display(),
            all.len()
        ))
    } else {
        Ok(all.pop())
    }
}

/// Reads `TEST.dxc.spv`: a description for each entry point; none if it does not exist.
///
/// # Errors
/// It cannot be read, or is not a module.
pub fn read_all(test: &Path) -> Result<Vec<SpirvModule>, String> {
    let path = with_suffix(test, ".dxc.spv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let fail = |error: String| format!("{}: {error}", path.display());
    let bytes = std::fs::read(&path).map_err(|error| fail(error.to_string()))?;
    spirv_module::read_all(&spirv_module::words(&bytes).map_err(fail)?).map_err(fail)
}

/// Lets DXC compile the HLSL of a shader to SPIR-V, with the resources where Trellis' default
/// bindings put them.
///
/// # Errors
/// DXC's words, where it fails; SPIR-V is not every shader's target.
pub fn make(
    dxc: &Path,
    folder: &Path,
    entry: &ShaderEntry,
    reflection: &Reflection,
) -> Result<Vec<u32>, String> {
    let out = std::env::temp_dir().join(format!(
        "trellis-gpu-test-{}-{}.spv",
        std::process::id(),
        entry.path.replace('/', "_")
    ));
    let shift = |class: &str, by: u32| {
        [
            format!("-fvk-{class}-shift"),
            by.to_string(),
            "all".to_owned(),
        ]
    };
    let library = entry.stage == Stage::Library;
    let source = folder.join(&entry.source);
    let output = Command::new(dxc)
        .args([
            "-spirv",
            "-fspv-target-env=vulkan1.3",
            "-fvk-use-dx-layout",
            "-fvk-use-dx-position-w",
            "-T",
            &entry.profile,
        ])
        .args(if library {
            Vec::new()
        } else {
            vec!["-E", &entry.entry]
        })
        .args([shift("t", 1000), shift("u", 2000), shift("s", 3000)].as_flattened())
        .args(
            entry
                .options
                .iter()
                .filter(|option| !matches!(option.as_str(), "-Qembed_debug" | "-Zi" | "-Zs")),
        )
        .arg("-Fo")
        .arg(&out)
        .arg(&source)
        .output()
        .map_err(|error| format!("{}: {error}", dxc.display()))?;
    let bytes = std::fs::read(&out);
    let _ = std::fs::remove_file(&out);
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text
            .lines()
            .find(|line| line.contains("error"))
            .unwrap_or("no reason given");
        // The folder's path on this machine means nothing elsewhere.
        return Err(line.trim().replace(
            &format!("{}/", source.parent().unwrap_or(folder).display()),
            "",
        ));
    }
    let words = spirv_module::words(&bytes.map_err(|error| error.to_string())?)?;
    edit::move_bindings(&words, |name| place(reflection, name))
}

/// Returns where a resource belongs; the hidden counter of `Name` is called `counter.var.Name`.
fn place(reflection: &Reflection, name: &str) -> Option<(u32, u32)> {
    let counter = name.strip_prefix("counter.var.");
    let found = reflection
        .resources
        .iter()
        .find(|r| r.name == counter.unwrap_or(name))?;
    let place = if counter.is_some() {
        found.counter.as_ref()?
    } else {
        &found.vulkan
    };
    match place {
        BindingReflection::Bound { set, binding, .. } => Some((*set, *binding)),
        BindingReflection::Elsewhere { .. } | BindingReflection::Unbound { .. } => None,
    }
}
