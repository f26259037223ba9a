//! `trellis cfg`

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::{Args, ValueEnum, ValueHint};
use trellis_explorer::{Answer, FunctionView, page::of_answer};
use trellis_structurizer_view::{Figure, MAX_NODES, Picture, dot, dot_for_layout, side_by_side};

use crate::files;
use crate::problem::Problem;
use crate::subject::{Subject, SubjectArgs, subjects};

const CFG_EXAMPLES: &str = "\
Examples:
  trellis cfg shader.dxil -o DIR                  write the pictures and DIR/index.html
  trellis cfg graph.cfg -o DIR                    from the text form of a graph
  trellis cfg lib.dxil --entry main -o DIR        one of several entry points
  trellis cfg shader.dxil -o DIR --layout dot     use Graphviz for the layout

The output folder receives a picture (.svg) and a Graphviz file (.dot) of the input and of the result of each stage that \
changed the graph; before-after.svg with the input and the result side by side; and index.html, which shows all pictures \
with their remarks (step through them with the arrow keys). A graph of more than 2000 blocks is written as .dot only.";

/// The layout engine of a picture.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutBy {
    /// Trellis's own layout, which does not depend on the machine
    Own,
    /// Graphviz's `dot`, which must be installed
    Dot,
}

/// Arguments of `trellis cfg`.
#[derive(Args)]
#[command(after_help = CFG_EXAMPLES)]
pub(crate) struct CfgArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Folder for the pictures; created if it does not exist
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// The layout engine
    #[arg(long, value_name = "ENGINE", default_value = "own")]
    pub(crate) layout: LayoutBy,
}

/// Counts of the written files.
#[derive(Default)]
struct Written {
    pictures: usize,
    graphs: usize,
    remarks: usize,
    /// The reason for the first missing picture, if any.
    without: Option<String>,
}

/// Writes the pictures and the page.
pub(crate) fn run(args: &CfgArgs) -> Result<ExitCode, Problem> {
    let subjects = subjects(&args.subject)?;
    let dir = &args.output;
    std::fs::create_dir_all(dir).map_err(|error| {
        Problem::usage_error(format!("cannot create the folder {}", dir.display())).because(&error)
    })?;
    let mut written = Written::default();
    let mut answer = Answer::default();
    for (number, subject) in subjects.iter().enumerate() {
        // A function's name may contain characters that file names do not permit.
        let prefix = if subjects.len() > 1 {
            format!("function{number}-")
        } else {
            String::new()
        };
        let view = function(args, &prefix, number, subject, &mut written)?;
        answer.functions.push(view);
    }
    let mut text = String::new();
    if written.pictures > 0 {
        let name = if files::is_standard(&args.subject.input) {
            "standard input".to_owned()
        } else {
            file_name(&args.subject.input)
        };
        write(dir, "index.html", &of_answer(&name, &answer))?;
        let _ = writeln!(
            text,
            "{}: {} pictures, {} remarks",
            dir.join("index.html").display(),
            written.pictures,
            written.remarks
        );
    }
    if let Some(why) = written.without {
        let without = if written.pictures == 0 {
            "none"
        } else {
            "not all"
        };
        let _ = writeln!(
            text,
            "{}: {} .dot files, {without} with a picture: {why}",
            dir.display(),
            written.graphs
        );
    }
    files::write_standard(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || files::name_of(path),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn write(dir: &Path, name: &str, text: &str) -> Result<(), Problem> {
    files::write(Some(&dir.join(name)), text.as_bytes())
}

/// Writes the graphs of a function, and pictures of those that can be drawn; returns its view for the page.
fn function(
    args: &CfgArgs,
    prefix: &str,
    number: usize,
    subject: &Subject,
    written: &mut Written,
) -> Result<FunctionView, Problem> {
    let mut inline = Vec::new();
    let mut figures = Vec::new();
    for (index, snapshot) in subject.trace.snapshots.iter().enumerate() {
        let figure = Figure::with_names(snapshot, &*subject.names);
        let stage = snapshot.stage.map_or("input", |stage| stage.name());
        let file = format!("{prefix}{index:02}-{stage}");
        write(&args.output, &format!("{file}.dot"), &dot(&figure))?;
        written.graphs += 1;
        written.remarks += snapshot.remarks.len();
        inline.push(match picture(args.layout, &figure)? {
            Ok(picture) => {
                write(&args.output, &format!("{file}.svg"), &picture.svg(&figure))?;
                written.pictures += 1;
                let element = picture.inline(&figure);
                figures.push((figure, picture));
                Ok(element)
            }
            Err(error) => {
                let why = error.to_string();
                written.without.get_or_insert_with(|| why.clone());
                Err(why)
            }
        });
    }
    if let ([(input, before), .., (result, after)], true) =
        (&figures[..], figures.len() == subject.trace.snapshots.len())
    {
        let text = side_by_side(&[("before", input, before), ("after", result, after)]);
        write(&args.output, &format!("{prefix}before-after.svg"), &text)?;
    }
    let mut inline = inline.into_iter();
    let (trace, names) = (&subject.trace, &*subject.names);
    Ok(FunctionView::of(
        &subject.name,
        number,
        trace,
        names,
        |_| {
            inline
                .next()
                .unwrap_or_else(|| Err("no picture".to_owned()))
        },
    ))
}

/// Returns the picture of a graph, or the reason why it has none.
fn picture(
    by: LayoutBy,
    figure: &Figure,
) -> Result<Result<Picture, trellis_structurizer_view::Error>, Problem> {
    if by == LayoutBy::Own || figure.nodes.len() > MAX_NODES {
        return Ok(Picture::of(figure));
    }
    let failed = |error: std::io::Error| {
        Problem::usage_error("cannot run Graphviz's `dot`")
            .because(&error)
            .help("install Graphviz, or remove --layout")
    };
    let mut child = Command::new("dot")
        .arg("-Tplain")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    // `dot` reads all of its input before it writes any output.
    let sent = child.stdin.take().map_or(Ok(()), |mut input| {
        input.write_all(dot_for_layout(figure).as_bytes())
    });
    let output = child.wait_with_output().map_err(failed)?;
    sent.map_err(failed)?;
    Ok(Picture::of_plain(
        figure,
        &String::from_utf8_lossy(&output.stdout),
    ))
}
