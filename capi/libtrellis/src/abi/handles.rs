//! Opaque objects.

/// Why a call failed.
#[derive(Debug)]
pub struct ErrorHandle(());

/// A shader, or a library of several, that was read. Nothing of it changes.
#[derive(Debug)]
pub struct ShaderHandle(());

/// Options of translations.
#[derive(Debug)]
pub struct OptionsHandle(());

/// Translates shaders, one after another. Each thread should have its own.
#[derive(Debug)]
pub struct ConverterHandle(());

/// A SPIR-V module. Nothing of it changes.
#[derive(Debug)]
pub struct ModuleHandle(());

/// Text. Nothing of it changes.
#[derive(Debug)]
pub struct TextHandle(());
