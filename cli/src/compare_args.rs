//! Arguments of `trellis compare`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

pub(crate) const COMPARE_EXAMPLES: &str = "\
Examples:
  trellis compare old.json new.json                     two reports of `trellis batch --report`
  trellis compare old/ new/                             two folders of *.spv files
  trellis compare old.json new.json --json > changes.json
  trellis compare old.json new.json --fail-on-failures --max-growth 1.5
  trellis compare old/ new/ --fail-on-change            for a change that must not change outputs

Shaders are matched by input and entry point, or by the path of the file below its folder. Contents \
are compared, too: a report has hashes of the outputs. Of a report of an older version, which has none, only the numbers of \
words are compared, and a note says of how many shaders. Times are not compared.

The last line on standard output is `equal` or `different`. Differences alone do not change the exit status, which is 1 \
if a --fail-on option or --max-growth rejects them: the reason is printed on standard error.

The JSON has `equal`, `counts`, the sums of words of `all` shaders and of those that both sides converted (`common`), and \
`differences`: each with `path`, `entry`, `change` (fails, converts, other-failure, grew, shrank, changed, missing, new), \
the words `before` and `after`, `percent`, and `failure`.";

/// Arguments of `trellis compare`.
#[derive(Args)]
pub(crate) struct CompareArgs {
    /// The first report or folder
    #[arg(value_name = "A", value_hint = ValueHint::AnyPath)]
    pub(crate) before: PathBuf,
    /// The second report or folder
    #[arg(value_name = "B", value_hint = ValueHint::AnyPath)]
    pub(crate) after: PathBuf,
    /// Print JSON, with all differences
    #[arg(long)]
    pub(crate) json: bool,
    /// Maximum number of shaders that are listed for each sort of difference
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,
    /// Exit with status 1 if the words of the shaders that both sides converted are more in sum, by more
    /// than this percentage
    #[arg(long, value_name = "PERCENT", value_parser = percentage)]
    pub(crate) max_growth: Option<f64>,
    /// Exit with status 1 if a shader differs
    #[arg(long)]
    pub(crate) fail_on_change: bool,
    /// Exit with status 1 if a shader fails that did not fail before
    #[arg(long)]
    pub(crate) fail_on_failures: bool,
}

/// Reads a percentage, with or without `%`.
fn percentage(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim_end();
    match number.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("write a number that is not negative, such as 1.5".to_owned()),
    }
}
