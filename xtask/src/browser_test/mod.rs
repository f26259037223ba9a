//! `cargo xtask browser-test`: the pages of `trellis batch --html`, of the explorer and of the book in a headless
//! Chromium.
//!
//! Opens the page of the corpus from a file and uses it as a person does, with keys and clicks: sorting,
//! filters, a shader's page, the colours. Any request, exception or message on the console is a failure.
//! Then opens a page of 10,000 shaders, and measures sorting, filtering and scrolling against limits. With
//! `--screenshots` it writes the pictures of `docs/images` instead.

mod book;
mod checks;
mod checks_of_use;
mod devtools;
mod explorer;
mod pages;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use devtools::{Browser, Problem};

/// Arguments of the task.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The browser: Chromium, or one made of it (default: the first that is installed)
    #[arg(long, value_name = "PATH")]
    browser: Option<PathBuf>,
    /// Write the screenshots of the documentation, and check nothing.
    #[arg(long)]
    screenshots: bool,
    /// Write the pages to this folder, too, to look at them.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// Number of shaders of the large page.
const MANY: usize = 10_000;

/// Runs the checks. Without a browser they are skipped with a message.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if !cfg!(unix) {
        println!("skipped: the browser is driven through pipes of Unix");
        return ExitCode::SUCCESS;
    }
    let Some(program) = arguments.browser.clone().or_else(devtools::find) else {
        println!("skipped: no browser (chromium) is installed; --browser PATH chooses one");
        return ExitCode::SUCCESS;
    };
    match with_browser(arguments, &program) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn with_browser(arguments: &Arguments, program: &Path) -> Result<(), Problem> {
    let io = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(io)?;
    let keep = arguments.keep.as_deref().unwrap_or(folder.path());
    std::fs::create_dir_all(keep).map_err(io)?;
    let keep = keep.canonicalize().map_err(io)?;
    let (corpus, many) = (keep.join("corpus.html"), keep.join("many.html"));
    std::fs::write(&corpus, pages::corpus(folder.path())?).map_err(io)?;
    let profile = folder.path().join("profile");
    let mut browser = Browser::start(program, &profile)?;
    let explorer = keep.join("explorer.html");
    let has_explorer = crate::explorer::target_is_installed();
    if has_explorer {
        crate::explorer::make(&explorer).map_err(io)?;
    } else {
        println!(
            "skipped: the explorer, since {}",
            crate::explorer::NO_TARGET
        );
    }
    if arguments.screenshots {
        screenshots(&mut browser, &corpus)?;
        return match has_explorer {
            true => explorer::pictures(&mut browser, &explorer, write_picture),
            false => Ok(()),
        };
    }
    for check in explorer::CHECKS.iter().filter(|_| has_explorer) {
        report(check.name, checks::run(check, &mut browser, &explorer))?;
    }
    std::fs::write(&many, pages::synthetic(MANY)).map_err(io)?;
    for check in checks::OF_CORPUS.iter().chain(checks_of_use::OF_CORPUS) {
        report(check.name, checks::run(check, &mut browser, &corpus))?;
    }
    let two = keep.join("two.html");
    std::fs::write(&two, pages::synthetic(2)).map_err(io)?;
    report(
        "quantiles",
        checks::run(&checks_of_use::QUANTILES, &mut browser, &two),
    )?;
    for check in checks_of_use::OF_MANY {
        report(check.name, checks::run(check, &mut browser, &many))?;
    }
    report("speed", checks::speed(&mut browser, &many, MANY))?;
    // Last, as it is made of files that it requests, and the other pages may request nothing.
    match crate::book::build() {
        Ok(book) if has_explorer => report("book: explorer", book::check(&mut browser, &book))?,
        Ok(_) => println!("skipped: the explorer in the book"),
        Err(problem @ crate::book::Problem::NoProgram) => {
            println!("skipped: the explorer in the book, since {problem}");
        }
        Err(problem) => return Err(problem.to_string()),
    }
    Ok(())
}

/// Prints a check's result.
fn report(name: &str, result: Result<String, Problem>) -> Result<(), Problem> {
    let note = result.map_err(|problem| format!("{name}: {problem}"))?;
    println!("{name}: ok{note}");
    Ok(())
}

/// Size of the screenshots.
const SIZE: (u32, u32) = (1280, 760);

/// Writes the pictures that the documentation shows.
fn screenshots(browser: &mut Browser, page: &Path) -> Result<(), Problem> {
    let shader = "shaders.input.findIndex(name => name.includes('fig_nested_returns.dxil'))";
    browser.open(page, "")?;
    let shader = browser.evaluate(&checks::in_data(shader))?;
    let pictures = [
        ("batch-overview.png", String::new(), "light"),
        (
            "batch-shaders.png",
            "#view=shaders&sort=structure&down=1".to_owned(),
            "dark",
        ),
        ("batch-failures.png", "#view=failures".to_owned(), "light"),
        (
            "batch-shader.png",
            format!("#shader={shader}&tab=graph"),
            "light",
        ),
    ];
    for (name, fragment, scheme) in pictures {
        browser.look(SIZE, scheme)?;
        browser.open(page, &fragment)?;
        // A shader's page is there when its details are read.
        browser.wait_for(
            "!document.querySelector('.shader') || document.querySelector('.scroll > svg')",
        )?;
        browser.evaluate(checks::AFTER_FRAMES)?;
        let picture = browser.picture()?;
        write_picture(name, picture)?;
    }
    Ok(())
}

/// Writes a picture of the documentation, which is in base64.
fn write_picture(name: &str, picture: String) -> Result<(), Problem> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/images");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let picture = STANDARD
        .decode(picture)
        .map_err(|error| error.to_string())?;
    std::fs::write(folder.join(name), &picture).map_err(|error| error.to_string())?;
    println!("docs/images/{name}: {} bytes", picture.len());
    Ok(())
}
