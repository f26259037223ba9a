//! A software Vulkan device, where there is none.

use std::path::Path;
use std::process::Command;

use crate::vulkan::{Error, list};

/// Installs a software device if no device is found.
///
/// # Errors
/// It cannot be installed.
pub fn ensure_device(part: Option<&str>) -> Result<(), String> {
    let usable = |part: Option<&str>| match list() {
        Ok(devices) => devices.iter().any(|d| {
            d.usable && part.is_none_or(|part| d.name.to_lowercase().contains(&part.to_lowercase()))
        }),
        Err(Error::Setup(_) | Error::Call { .. }) => false,
        Err(_) => true,
    };
    let swiftshader = part.is_some_and(|part| "swiftshader".contains(&part.to_lowercase()));
    // A device that was requested by name cannot be installed.
    if usable(part) || (part.is_some() && !swiftshader && usable(None)) {
        return Ok(());
    }
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/scripts/install-vulkan.sh");
    println!("no Vulkan device found: running {}", script.display());
    let mut command = Command::new("bash");
    command.arg(&script);
    if swiftshader {
        command.arg("--swiftshader");
    }
    let status = command.status().map_err(|error| format!("bash: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{}: {status}", script.display()))
    }
}
