//! Gives the shared library a name inside (soname) that changes with each version that is not
//! compatible, as `cargo cinstall` does.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let of = |name: &str| env::var(name).unwrap_or_default();
    let elf = of("CARGO_CFG_TARGET_FAMILY") == "unix" && of("CARGO_CFG_TARGET_VENDOR") != "apple";
    // cargo-c sets the same soname itself.
    if elf && env::var_os("CARGO_FEATURE_CAPI").is_none() {
        let version = match (of("CARGO_PKG_VERSION_MAJOR"), of("CARGO_PKG_VERSION_MINOR")) {
            (major, minor) if major == "0" => format!("0.{minor}"),
            (major, _) => major,
        };
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtrellis.so.{version}");
    }
}
