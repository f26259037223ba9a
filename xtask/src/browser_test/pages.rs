//! The pages that are tested: of the corpus, and of many shaders that do not exist.

use std::path::{Path, PathBuf};

use trellis_corpus::backend::Backend;
use trellis_corpus::batch::{self, Settings};
use trellis_corpus::details::{self, Amount, Details};
use trellis_corpus::failure::Failure;
use trellis_corpus::html::render_with;
use trellis_corpus::inputs::{self, Filter, Input};
use trellis_corpus::report::{Report, SCHEMA, ShaderReport, Status, Totals, Validator};
use trellis_dxil::frontend::dxop::Op;
use trellis_dxil::structurizer::Counters;
use trellis_dxil::{ErrorKind, Options, Target};

use super::devtools::Problem;

/// A name that would be markup if it were not escaped.
pub(super) const HOSTILE: &str = "</script><img src=x onerror=alert(1)>.dxil";

/// The options of the batch, as the page has them.
const OPTIONS: [&str; 4] = ["--target", "vulkan1.1", "--shift", "srv=1 2"];

/// A version that lacks what some shaders need, so that there are failures.
const TARGET: Target = Target::Vulkan1_1;

/// Returns the page of the corpus, for a version of SPIR-V that lacks what some shaders need, with three
/// files that are not shaders. They are made in `folder`.
pub(super) fn corpus(folder: &Path) -> Result<String, Problem> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let shaders = root.join("corpus/shaders");
    let failed = |error: &dyn std::fmt::Display| error.to_string();
    let good = std::fs::read(shaders.join("control_flow/fig_nested_returns.dxil"));
    let good = good.map_err(|error| failed(&error))?;
    let mut broken = Vec::new();
    for (name, size) in [
        ("truncated.dxil", 60),
        ("half.dxil", good.len() / 2),
        ("hostile", 20),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, &good[..size]).map_err(|error| failed(&error))?;
        let name = if name == "hostile" { HOSTILE } else { name };
        broken.push(Input::file(path, name));
    }
    let backend = Backend::new(Options::default().with_target(TARGET));
    // One cause of failures is enough of most ray tracing shaders.
    let filter =
        Filter::new::<&str>(&[], &["raytracing/[a-r]*"]).map_err(|error| failed(&error))?;
    let mut inputs = inputs::collect(&[shaders], &filter).map_err(|error| failed(&error))?;
    inputs.extend(broken);
    let run = batch::run_spooled(&inputs, &backend, &Settings::default(), &|_| {});
    let (totals, mut spool) = run.map_err(|error| failed(&error))?;
    let results = spool.collect_with_inputs();
    let (shaders, of_input) = results.map_err(|error| failed(&error))?;
    let mut report = report(totals, shaders);
    let details = details::collect(
        &inputs,
        &backend,
        &report,
        &of_input,
        Amount::default(),
        None,
    );
    let mut details = details.map_err(|error| failed(&error))?;
    details.options = OPTIONS.map(str::to_owned).into();
    // What is shown does not depend on where the repository is.
    let prefix = format!("{}/", root.display());
    for shader in &mut report.shaders {
        let path = shader.input.replace(&prefix, "");
        shader.input = path.replace(&format!("{}/", folder.display()), "captured/");
        if shader.input == "captured/hostile" {
            shader.input = format!("captured/{HOSTILE}");
        }
    }
    Ok(render_with(&report, &details))
}

fn report(totals: Totals, shaders: Vec<ShaderReport>) -> Report {
    Report {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        target: TARGET.name().to_owned(),
        validator: Validator::Trellis,
        totals,
        shaders,
    }
}

/// Returns the page of so many shaders of all kinds, without details.
pub(super) fn synthetic(count: usize) -> String {
    let shaders: Vec<ShaderReport> = (0..count as u64).map(shader).collect();
    let operations = (0..count as u32).map(|number| {
        let ops = (0..12).filter_map(|n| Op::from_code((number * 7 + n * 19) % 216));
        ops.map(|op| (op, number % 5 + 1)).collect()
    });
    let details = Details {
        operations: operations.collect(),
        options: OPTIONS.map(str::to_owned).into(),
        ..Details::default()
    };
    render_with(&report(Totals::of(&shaders), shaders), &details)
}

/// Returns a shader whose properties are spread as those of games are: a few are large.
fn shader(number: u64) -> ShaderReport {
    let random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let size = 2_000 + (random % 1000) * (random % 1000) / 20 + (1 << (random % 18));
    let stages = ["pixel", "vertex", "compute", "hull", "domain", "geometry"];
    let failed = number % 50 == 7;
    let message = format!("not supported: thing {} of `name{number}`", number % 7);
    ShaderReport {
        input: format!("shaders/pass_{}/{random:06x}_{number}.dxil", number % 40),
        output: match number {
            // A name that is wider than the page.
            0 => Some("n".repeat(245)),
            _ => (!failed).then(|| format!("pass_{}/{random:06x}_{number}.spv", number % 40)),
        },
        clashes_with: None,
        status: if failed {
            Status::Failed
        } else {
            Status::Converted
        },
        stage: Some(stages[(number % 6) as usize].to_owned()),
        entry: Some("main".to_owned()),
        input_bytes: size,
        words: if failed { 0 } else { size / 6 },
        time_us: size / 40 + random % 90,
        cached: false,
        error: failed.then(|| Failure::new(ErrorKind::Unsupported, message)),
        not_validated: None,
        measured: None,
        structurizer: (!failed).then(|| Counters::from_fn(|name| (random + name.len() as u64) % 5)),
    }
}
