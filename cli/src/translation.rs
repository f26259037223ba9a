//! The options of the translation: their arguments, and the files that these name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use trellis_corpus::backend::root_signature;
use trellis_corpus::failure::Kind;
use trellis_dxil::bindings::{BindingFile, BindingModel, DefaultBindings};
use trellis_dxil::options::IntrinsicsUav;
use trellis_dxil::stage_io::StageIoFile;
use trellis_dxil::{ErrorKind, MeshOutputs, MinPrecision, Options, Target};

use crate::files;
use crate::problem::Problem;
use crate::shift::Shifts;

/// Mapping of resources to descriptor sets and bindings.
#[derive(Args)]
#[command(next_help_heading = "Translation")]
pub(crate) struct BindingArgs {
    /// Offset from register to binding number for each class: cbv, srv, uav, sampler, counter
    #[arg(long, value_name = "CLASS=N,…")]
    pub(crate) shift: Option<Shifts>,
    /// JSON file that maps resources to sets and bindings
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) bindings: Option<PathBuf>,
    /// Container with a root signature, such as a shader, or a serialized root signature: constants
    /// become push constants, each table a set; `trellis reflect` prints the layout
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["shift", "bindings"])]
    pub(crate) root_signature: Option<PathBuf>,
    /// Root descriptors of the root signature are device addresses before its constants, instead of
    /// descriptors
    #[arg(long, requires = "root_signature")]
    pub(crate) root_addresses: bool,
}

/// Options of the translation.
#[derive(Args)]
#[command(next_help_heading = "Translation")]
pub(crate) struct TranslationArgs {
    /// JSON file with options, as listed by `trellis options`; command-line options override it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) options: Option<PathBuf>,
    /// Target environment of the output [default: vulkan1.3]
    #[arg(long, value_name = "TARGET", value_parser = target_parser())]
    pub(crate) target: Option<Target>,
    /// Also check the output with spirv-val; Trellis's own verifier always runs
    #[arg(long)]
    pub(crate) validate: bool,
    #[command(flatten)]
    pub(crate) places: BindingArgs,
    /// min16float and min16int: 32 bits with RelaxedPrecision, or 16 bits [default: relaxed]
    #[arg(long, value_name = "HOW", value_parser = min_precision_parser())]
    pub(crate) min_precision: Option<MinPrecision>,
    /// Omit the names of functions, variables and resources
    #[arg(long)]
    pub(crate) strip_names: bool,
    /// Omit the debug information (NonSemantic.Shader.DebugInfo.100) of shaders that were compiled
    /// with -Zi -Qembed_debug
    #[arg(long)]
    pub(crate) strip_debug: bool,
    /// Allow sampling with dynamic offsets (SM 6.7); requires VK_KHR_maintenance8
    #[arg(long)]
    pub(crate) dynamic_offsets: bool,
    /// Do not write PointSize in vertex shaders and in geometry shaders that emit points; valid if
    /// no points are drawn or the device has VK_KHR_maintenance5
    #[arg(long)]
    pub(crate) no_point_size: bool,
    /// Write PointSize in domain shaders; needed for hull shaders with outputtopology("point")
    #[arg(long)]
    pub(crate) tessellation_point_size: bool,
    /// Translate intrinsics of AMD AGS; the register of their UAV if it is not the default, such as
    /// u0,space7
    #[arg(long, value_name = "REGISTER", num_args = 0..=1, require_equals = true,
          default_missing_value = "u0,space2147420894", value_parser = intrinsics_uav)]
    pub(crate) ags: Option<IntrinsicsUav>,
    /// Translate intrinsics of NVIDIA NVAPI, with the register of their UAV, such as u7,space3
    #[arg(long, value_name = "REGISTER", value_parser = intrinsics_uav)]
    pub(crate) nvapi: Option<IntrinsicsUav>,
    /// First location of patch constants [default: after the control points' locations]
    #[arg(long, value_name = "LOCATION")]
    pub(crate) patch_location: Option<u32>,
    /// JSON file with the locations of stage inputs and outputs, and the captures of stream output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) stage_io: Option<PathBuf>,
    /// Mesh shader whose outputs a pixel shader reads; they are linked by semantic
    #[arg(long, value_name = "FILE")]
    pub(crate) mesh: Option<PathBuf>,
}

pub(crate) fn target_parser() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::ALL.map(Target::name)).try_map(|name| name.parse::<Target>())
}

/// Reads a register of a UAV, and its space unless that is 0: `u7,space3`.
fn intrinsics_uav(text: &str) -> Result<IntrinsicsUav, String> {
    let (register, space) = text.split_once(',').unwrap_or((text, "space0"));
    let number = |text: &str, prefix: &str| text.trim().strip_prefix(prefix)?.parse().ok();
    match (number(register, "u"), number(space, "space")) {
        (Some(register), Some(space)) => Ok(IntrinsicsUav { register, space }),
        _ => Err("write it like u7 or u7,space3".to_owned()),
    }
}

fn min_precision_parser() -> impl TypedValueParser<Value = MinPrecision> {
    PossibleValuesParser::new(["relaxed", "native"]).map(|name| {
        if name == "native" {
            MinPrecision::Native16
        } else {
            MinPrecision::Relaxed32
        }
    })
}

/// Returns the backend's options: the file of `--options`, overridden by the given arguments.
pub(crate) fn options(args: &TranslationArgs) -> Result<Options, Problem> {
    let mut options = match &args.options {
        Some(path) => options_file(path)?,
        None => Options::default(),
    };
    options.bindings = bindings(&args.places, &*options.bindings)?;
    if let Some(path) = &args.mesh {
        options.mesh = Some(mesh_outputs(path)?);
    }
    if let Some(path) = &args.stage_io {
        options.stage_io = Arc::new(stage_io_file(path)?);
    }
    if let Some(target) = args.target {
        options.target = target;
    }
    if let Some(min_precision) = args.min_precision {
        options.interface.min_precision = min_precision;
    }
    if args.patch_location.is_some() {
        options.interface.patch_location = args.patch_location;
    }
    options.extensions.dynamic_offsets |= args.dynamic_offsets;
    options.vendor.ags = args.ags.or(options.vendor.ags);
    options.vendor.nvapi = args.nvapi.or(options.vendor.nvapi);
    options.workarounds.point_size &= !args.no_point_size;
    options.workarounds.tessellation_point_size |= args.tessellation_point_size;
    options.debug.names &= !args.strip_names;
    options.debug.debug_info &= !args.strip_debug;
    options.debug.validate |= args.validate;
    if options.debug.validate && !cfg!(feature = "validate") {
        return Err(Problem::usage_error("this build has no spirv-val")
            .help(Kind::from(ErrorKind::NoValidator).help()));
    }
    Ok(options)
}

/// Reads the file given by `--options`.
fn options_file(path: &Path) -> Result<Options, Problem> {
    let text = files::read_text(path).map_err(Problem::into_usage_error)?;
    serde_json::from_str::<Options>(&text).map_err(|error| {
        let name = files::name_of(path);
        Problem::usage_error(format!("{name} is not an options file"))
            .because(&error)
            .help(
                "`trellis options` lists the options, `trellis help options` shows an example file",
            )
    })
}

/// Returns the outputs of the mesh shader in a file.
fn mesh_outputs(path: &Path) -> Result<Arc<MeshOutputs>, Problem> {
    let bytes = files::read(path).map_err(Problem::into_usage_error)?;
    let outputs = MeshOutputs::read(&bytes, None);
    outputs.map(Arc::new).map_err(|error| {
        Problem::usage_error(format!(
            "{} is not a mesh shader to link with",
            files::name_of(path)
        ))
        .because(&error)
    })
}

/// Returns the binding model of `--root-signature`, or of `--bindings` and `--shift`, which override
/// `model`.
fn bindings(
    args: &BindingArgs,
    model: &dyn BindingModel,
) -> Result<Arc<dyn BindingModel>, Problem> {
    if let Some(path) = &args.root_signature {
        let bytes = files::read(path).map_err(Problem::into_usage_error)?;
        return root_signature(&bytes, args.root_addresses).map_err(|error| {
            let name = files::name_of(path);
            Problem::usage_error(format!("{name} has no root signature that can be used"))
                .because(&error)
        });
    }
    let file = model
        .to_file()
        .unwrap_or_else(|| DefaultBindings::default().into());
    let default = match &args.shift {
        None => file.default_bindings(),
        Some(shifts) => shifts.apply(file.default_bindings()),
    };
    Ok(Arc::new(match &args.bindings {
        None => file.with_default_bindings(default),
        Some(path) => binding_file(path, default)?,
    }))
}

/// Returns the options that affect a reflection: the binding model.
pub(crate) fn reflection_options(args: &BindingArgs) -> Result<Options, Problem> {
    let options = Options::default();
    let bindings = bindings(args, &*options.bindings)?;
    Ok(options.with_bindings(bindings))
}

/// Reads a file that maps resources to sets and bindings; `shifts` apply to all other resources.
fn binding_file(path: &Path, shifts: DefaultBindings) -> Result<BindingFile, Problem> {
    let text = files::read_text(path).map_err(Problem::into_usage_error)?;
    BindingFile::parse(&text, shifts).map_err(|error| {
        let problem =
            Problem::usage_error(format!("{} is not a binding file", files::name_of(path)));
        problem
            .because(&error)
            .help("`trellis help convert` shows its format")
    })
}

/// Reads a file with the places of stage inputs and outputs.
fn stage_io_file(path: &Path) -> Result<StageIoFile, Problem> {
    let text = files::read_text(path).map_err(Problem::into_usage_error)?;
    serde_json::from_str(&text).map_err(|error| {
        let name = files::name_of(path);
        Problem::usage_error(format!("{name} is not a file of stage inputs and outputs"))
            .because(&error)
            .help("`trellis help convert` shows its format")
    })
}
