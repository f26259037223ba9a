//! The pages for users, `docs/using`: the output of their commands is the program's, and their lists of
//! options and errors match the code. `testing/book/README.md` describes the form of a page.
//!
//! `TRELLIS_PROGRAM` names another program `trellis`, such as a released one, that runs the commands, and
//! `TRELLIS_ROOT` a root folder that it is alone in (`xtask/scripts/walk.sh`).
//! `TRELLIS_BLESS=1 cargo test -p trellis-cli --test it book::` writes the actual output and the table of options
//! into the pages: review the difference.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use book_testkit::{Shell, compare};
use tempfile::TempDir;
use trellis_corpus::failure::Kind;
use trellis_dxil::error::{Feature, InvalidKind};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page(name: &str) -> (PathBuf, String) {
    let path = repository().join("docs/using").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

/// Returns a shell in a new folder with the corpus.
fn shell() -> (TempDir, Shell) {
    let root = std::env::var_os("TRELLIS_ROOT").map(PathBuf::from);
    let (folder, inputs) = match &root {
        None => (tempfile::tempdir(), repository()),
        Some(root) => (
            tempfile::tempdir_in(root.join("tmp")),
            PathBuf::from("/inputs"),
        ),
    };
    let folder = folder.unwrap();
    let corpus = inputs.join("corpus/shaders");
    std::os::unix::fs::symlink(corpus, folder.path().join("corpus")).unwrap();
    let program = std::env::var_os("TRELLIS_PROGRAM");
    let trellis = program.map_or(env!("CARGO_BIN_EXE_trellis").into(), PathBuf::from);
    let shell = Shell {
        folder: folder.path().to_owned(),
        programs: trellis.parent().unwrap().to_owned(),
        root,
    };
    (folder, shell)
}

/// Returns a page with what its commands print.
fn replay(text: &str) -> Result<String, String> {
    let (_folder, shell) = shell();
    shell.replay(text)
}

/// What the commands of the README need.
const FILES_OF_README: &str = "set -e
cp corpus/control_flow/collatz.dxil shader.dxil
cp corpus/options/debug_information.zi.dxil debug.dxil
cp corpus/../../dxil-interpreter/tests/shaders/linking/entry.dxil a.dxil
cp corpus/../../dxil-interpreter/tests/shaders/linking/functions.dxil b.dxil
mkdir shaders spirv && cp corpus/control_flow/[ab]*.dxil shaders
trellis convert shader.dxil -o other.spv && cp other.spv spirv
trellis batch shaders -o old --report old.json
trellis run shader.dxil --template > inputs.json
printf 'a: b c\\nb: d\\nc: d\\nd: ret\\n' > graph.cfg";

#[test]
fn the_commands_of_the_readme_run() {
    let (_folder, shell) = shell();
    let text = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let (printed, is_ready) = shell.run(FILES_OF_README).unwrap();
    assert!(is_ready, "{printed}");
    let mut count = 0;
    for command in text.lines().filter(|line| line.starts_with("    trellis ")) {
        // One serves until it is stopped, and this shader has no failure to reduce.
        if command.contains("trellis serve ") || command.contains("trellis reduce ") {
            continue;
        }
        let (printed, is_done) = shell.run(command).unwrap();
        assert!(is_done, "{command}: {printed}");
        count += 1;
    }
    assert!(count >= 15, "the README has lost its commands");
}

#[test]
fn the_commands_print_what_the_pages_say() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(repository().join("docs/using"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut wrong = Vec::new();
    let mut with_commands = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        with_commands += usize::from(text.contains("\n```console\n"));
        let result = match replay(&text) {
            Ok(actual) => compare(&path, &text, &actual),
            Err(error) => Err(format!("{}, {error}", path.display())),
        };
        wrong.extend(result.err());
    }
    assert!(with_commands >= 6, "pages have lost their commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_of_options_has_all() {
    let start = "<!-- options: made by the tests of the command, with TRELLIS_BLESS=1 -->\n";
    let end = "<!-- end of options -->\n";
    let (path, text) = page("options.md");
    let (before, rest) = text.split_once(start).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    let mut table = String::new();
    let mut group = None;
    for option in trellis_dxil::options::list().unwrap() {
        if group != Some(option.group) {
            let title = match option.group {
                "" => "Without a group",
                name => name,
            };
            writeln!(
                table,
                "\n### {title}\n\n| option | default | effect |\n|---|---|---|"
            )
            .unwrap();
            group = Some(option.group);
        }
        let default = option
            .default
            .to_string()
            .replace(',', ", ")
            .replace(':', ": ");
        let cell = |text: &str| text.replace('|', "\\|");
        let (ty, summary) = (cell(option.ty), cell(&option.summary));
        writeln!(
            table,
            "| `{}: {ty}` | `{default}` | {summary} |",
            option.name
        )
        .unwrap();
    }
    assert!(table.matches("\n| `").count() > 60);
    let actual = format!("{before}{start}{table}\n{end}{after}");
    compare(&path, &text, &actual).unwrap();
}

/// Returns the rows of the table below a heading: the code in the first column, and the other columns.
fn rows<'a>(text: &'a str, heading: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    let section = text.split(&format!("\n## {heading}\n")).nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let (code, rest) = row.split_once("` |").unwrap();
        (
            code,
            rest.trim_end_matches('|')
                .split(" | ")
                .map(str::trim)
                .collect(),
        )
    })
    .collect()
}

#[test]
fn the_page_of_errors_has_a_row_for_each_code() {
    let (_, text) = page("errors.md");
    let tables: [(&str, Vec<&str>); 3] = [
        ("Kinds", Kind::all().map(Kind::name).collect()),
        ("Features", Feature::NAMES.to_vec()),
        ("Rules", InvalidKind::ALL.map(InvalidKind::name).to_vec()),
    ];
    for (heading, codes) in tables {
        let rows = rows(&text, heading);
        let written: Vec<&str> = rows.iter().map(|(code, _)| *code).collect();
        assert_eq!(
            written, codes,
            "the table `{heading}` of docs/using/errors.md"
        );
        for (code, columns) in rows {
            let filled = columns.len() == 2 && columns.iter().all(|text| text.len() > 8);
            assert!(
                filled,
                "{heading}, `{code}`: expected a cause and what to do"
            );
        }
    }
}

/// What the page calls a bug is what the program calls one.
#[test]
fn bugs_are_to_be_reported() {
    let (_, text) = page("errors.md");
    let rows: BTreeMap<&str, Vec<&str>> = rows(&text, "Kinds").into_iter().collect();
    for kind in Kind::all() {
        let is_bug = kind.help().starts_with("this is a bug");
        let row = &rows[kind.name()];
        assert_eq!(row[0].contains("A bug"), is_bug, "{}", kind.name());
        assert!(!is_bug || row[1].contains("Report it"), "{}", kind.name());
    }
}
