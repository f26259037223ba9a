//! Sizes, offsets and numbers of the interface, as a C compiler has them.
//!
//! `TRELLIS_DXIL_SPIRV_HEADER`, the path of the reference's own header, is compared as well.

use std::fmt::Write as _;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use super::*;

/// Returns the name in C of a struct.
fn c_name(rust: &str) -> String {
    let mut name = String::from("dxil_spv");
    for (at, letter) in rust.char_indices() {
        if letter.is_uppercase() || rust[at..].starts_with("16bit") {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

fn check(out: &mut String, what: &str, value: usize) {
    writeln!(out, "_Static_assert({what} == {value}, \"{what}\");").unwrap();
}

fn layouts(out: &mut String) {
    let bindless = offset_of!(VulkanBinding, bindless);
    let mut each = |rust: &str, [size, align]: [usize; 2], fields: &[(&str, usize)]| {
        let c = c_name(rust);
        // In C, this struct has no name.
        if rust == "Bindless" {
            for (field, offset) in fields {
                let field = format!("offsetof(dxil_spv_vulkan_binding, bindless.{field})");
                check(out, &field, bindless + offset);
            }
            return;
        }
        check(out, &format!("sizeof({c})"), size);
        check(out, &format!("_Alignof({c})"), align);
        for (field, offset) in fields {
            let field = match *field {
                "ty" | "instrumentation" => "type",
                field => field,
            };
            check(out, &format!("offsetof({c}, {field})"), *offset);
        }
    };
    structs(&mut each);
    options(&mut each);
    let attachment = offset_of!(VulkanBinding, root_constant_index);
    each(
        "VulkanBinding",
        [24, 4],
        &[("input_attachment_index", attachment)],
    );
    let size = [
        size_of::<CbvVulkanBinding>(),
        align_of::<CbvVulkanBinding>(),
    ];
    let push_constant = offset_of!(CbvVulkanBinding, push_constant);
    each(
        "CbvVulkanBinding",
        size,
        &[("vulkan", 0), ("push_constant", push_constant)],
    );
    for c in ["result", "option", "shader_stage"] {
        check(out, &format!("sizeof(dxil_spv_{c})"), 4);
    }
}

/// Asserts the numbers of the enumerations.
fn numbers(out: &mut String) {
    let mut list = |prefix: &str, all: &[(&str, u32)]| {
        for (name, number) in all {
            let name = name.replace("SUB_8X8", "SUB_8x8");
            writeln!(
                out,
                "_Static_assert(DXIL_SPV_{prefix}{name} == {number}u, \"{name}\");"
            )
            .unwrap();
        }
    };
    list("STAGE_", stage::ALL);
    list("RESOURCE_KIND_", kind::ALL);
    list("RESOURCE_CLASS_", class::ALL);
    list("VULKAN_DESCRIPTOR_TYPE_", descriptor_type::ALL);
    list("RDAT_SUBOBJECT_KIND_", subobject_kind::ALL);
    list("HIT_GROUP_TYPE_", hit_group_type::ALL);
    list("SHADER_QUIRK_", quirk::ALL);
    list("META_DESCRIPTOR_", meta_descriptor::ALL);
    list("META_DESCRIPTOR_KIND_", meta_descriptor_kind::ALL);
    list("NODE_LAUNCH_TYPE_", node_launch_type::ALL);
    list("SHADER_STAGE_IO_", stage_io_flags::ALL);
    list("LOG_LEVEL_", log_level::ALL);
    list("SHADER_FEATURE_", shader_feature::ALL);
    list(
        "INSTRUCTION_INSTRUMENTATION_TYPE_",
        instrumentation_type::ALL,
    );
    list("OPTION_", option::ALL);
    for (name, code) in result::ALL {
        writeln!(
            out,
            "_Static_assert(DXIL_SPV_{name} == {code}, \"{name}\");"
        )
        .unwrap();
    }
    for (name, number) in ["MAJOR", "MINOR", "PATCH"].iter().zip(VERSION) {
        let name = format!("DXIL_SPV_API_VERSION_{name}");
        writeln!(out, "_Static_assert({name} == {number}, \"{name}\");").unwrap();
    }
}

/// Compiles a text together with the use of all functions.
fn compile(text: &str, header: Option<&Path>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("layout.c");
    std::fs::write(&file, format!("#include \"abi.c\"\n{text}")).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
    cc.arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c"));
    if let Some(header) = header {
        cc.arg(format!("-DHEADER=\"{}\"", header.display()));
        cc.arg("-DDXIL_SPV_ENABLE_EXPERIMENTAL_WORKGRAPHS");
        cc.arg("-DDXIL_SPV_ENABLE_EXPERIMENTAL_MULTIVIEW");
    }
    let output = cc.arg(&file).output().expect("there is a C compiler, `cc`");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
}

fn statements() -> String {
    let mut text = String::new();
    layouts(&mut text);
    numbers(&mut text);
    assert!(text.lines().count() > 450);
    text
}

#[test]
fn layouts_and_numbers_are_those_that_c_has() {
    compile(&statements(), None);
}

#[test]
fn the_reference_agrees() {
    let Some(header) = std::env::var_os("TRELLIS_DXIL_SPIRV_HEADER") else {
        eprintln!("skipped: TRELLIS_DXIL_SPIRV_HEADER is not set");
        return;
    };
    compile(&statements(), Some(Path::new(&header)));
}
