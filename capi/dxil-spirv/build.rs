//! Gives the shared library the name under which clients of the reference load it.

use std::env;

/// Name and major version of the reference's interface.
const SONAME: &str = "libdxil-spirv-c-shared.so.2";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |name: &str| env::var(format!("CARGO_CFG_{name}")).unwrap_or_default();
    // cargo-c sets the soname itself.
    let elf = target("TARGET_FAMILY") == "unix" && target("TARGET_VENDOR") != "apple";
    if elf && env::var_os("CARGO_FEATURE_CAPI").is_none() {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{SONAME}");
    }
}
