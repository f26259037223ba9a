//! `trellis compare`

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use trellis_corpus::compare::{
    Change, Comparison, Difference, Gate, ReadError, Words, compare, read,
};

use crate::files::{self, printable};
use crate::problem::Problem;

const COMPARE_EXAMPLES: &str = "\
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
#[command(after_help = COMPARE_EXAMPLES)]
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

/// The lists in the order in which they are printed: the most important are last, next to the
/// summary.
const LISTS: [(Change, &str); 8] = [
    (Change::Missing, "missing"),
    (Change::New, "new"),
    (Change::Changed, "same size, other words"),
    (Change::Shrank, "shrank"),
    (Change::Grew, "grew"),
    (Change::OtherFailure, "fail for another reason"),
    (Change::Converts, "newly converted"),
    (Change::Fails, "newly fail"),
];

/// Compares two reports or folders, and prints the differences.
pub(crate) fn run(args: &CompareArgs) -> Result<ExitCode, Problem> {
    let (before, after) = read(&args.before, &args.after).map_err(|error| unreadable(&error))?;
    let comparison = compare(&before, &after);
    let text = if args.json {
        files::json(&comparison)?
    } else {
        as_text(&comparison, args.top)
    };
    files::write_standard(text.as_bytes())?;
    let reasons = comparison.rejected(&Gate {
        failures: args.fail_on_failures,
        change: args.fail_on_change,
        growth: args.max_growth,
    });
    if reasons.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(Problem::input_error(reasons.join("; ")))
}

fn unreadable(error: &ReadError) -> Problem {
    let problem = Problem::of(error);
    match error {
        ReadError::Io { .. } => problem,
        ReadError::Report { .. } | ReadError::Large { .. } => {
            problem.help("`trellis batch IN -o DIR --report FILE` writes a report")
        }
        ReadError::Mixed { .. } => problem.help("compare two reports, or two folders"),
        ReadError::Empty { .. } => problem.help("`trellis batch IN -o DIR` writes *.spv files"),
    }
}

/// Returns the lists of differences, each with at most `top` shaders, and the sums.
fn as_text(comparison: &Comparison, top: usize) -> String {
    let mut text = String::new();
    for (change, title) in LISTS {
        let list = comparison.largest(change);
        if list.is_empty() {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{title}: {}", list.len());
        let sizes = matches!(change, Change::Grew | Change::Shrank);
        if sizes && top > 0 {
            let _ = writeln!(
                text,
                "  {:>10} {:>10} {:>10} {:>9}",
                "before", "after", "words", "%"
            );
        }
        for difference in list.iter().take(top) {
            let _ = if sizes {
                writeln!(text, "  {}  {}", sizes_of(difference), name(difference))
            } else {
                match &difference.failure {
                    Some(failure) => {
                        writeln!(text, "  {}: {}", name(difference), printable(failure))
                    }
                    None => writeln!(text, "  {}", name(difference)),
                }
            };
        }
        if list.len() > top {
            let _ = writeln!(text, "  … and {} more", list.len() - top);
        }
        text.push('\n');
    }
    let counts = &comparison.counts;
    let _ = writeln!(text, "words of all shaders: {}", sum(&comparison.all));
    let _ = writeln!(
        text,
        "words of those converted in both: {}",
        sum(&comparison.common)
    );
    let _ = writeln!(
        text,
        "shaders {}: same {}, grew {}, shrank {}, changed {}, newly fail {}, newly converted {}, \
         fail otherwise {}, missing {}, new {} (of them failed {})",
        counts.shaders,
        counts.same,
        counts.grew,
        counts.shrank,
        counts.changed,
        counts.fails,
        counts.converts,
        counts.other_failure,
        counts.missing,
        counts.new,
        counts.new_failures,
    );
    if counts.same_size > 0 {
        let _ = writeln!(
            text,
            "note: of {} of the same shaders only the numbers of words are known; \
             a report of this version has hashes of the outputs",
            counts.same_size
        );
    }
    text.push_str(if comparison.equal {
        "equal\n"
    } else {
        "different\n"
    });
    text
}

/// Returns the columns of a shader that has another size.
fn sizes_of(difference: &Difference) -> String {
    format!(
        "{:>10} {:>10} {:>+10} {:>9}",
        difference.before.unwrap_or(0),
        difference.after.unwrap_or(0),
        difference.growth().unwrap_or(0),
        difference
            .percent
            .map_or_else(|| "-".to_owned(), |percent| format!("{percent:+.2}"))
    )
}

fn sum(words: &Words) -> String {
    let growth = i128::from(words.after) - i128::from(words.before);
    let percent = words
        .percent
        .map_or_else(String::new, |percent| format!(", {percent:+.2} %"));
    format!("{} -> {} ({growth:+}{percent})", words.before, words.after)
}

fn name(difference: &Difference) -> String {
    let path = printable(&difference.path);
    match &difference.entry {
        Some(entry) => format!("{path} ({})", printable(entry)),
        None => path,
    }
}
