//! Renders a report as one self-contained HTML page, which works from a file.
//!
//! The page is the files next to this one: `page.html`, the style sheets and the scripts, put together by
//! [`render_with`]. The report is in it as JSON (`data.rs`), the details of shaders as compressed texts, each in
//! an element of its own that is not looked into until the shader is opened. Nothing of an input becomes
//! markup but the pictures of graphs, whose texts are escaped; a policy in the page forbids all
//! connections, and all scripts and styles without the page's nonce.

pub(crate) mod cause;
mod data;

use std::fmt::Write;

use crate::details::Details;
use crate::report::Report;

/// The markup, with a placeholder in double braces for each part.
const PAGE: &str = include_str!("page.html");

/// The style sheets.
const STYLES: [&str; 4] = [
    include_str!("base.css"),
    include_str!("views.css"),
    include_str!("graph.css"),
    include_str!("print.css"),
];

/// The scripts, which share one scope.
const SCRIPTS: [&str; 9] = [
    include_str!("model.js"),
    include_str!("dom.js"),
    include_str!("list.js"),
    include_str!("charts.js"),
    include_str!("overview.js"),
    include_str!("shaders.js"),
    include_str!("code.js"),
    include_str!("detail.js"),
    include_str!("main.js"),
];

/// Returns the page of a report, without details of single shaders.
pub fn render(report: &Report) -> String {
    render_with(report, &Details::default())
}

/// Returns the page of a report with the details of shaders.
pub fn render_with(report: &Report, details: &Details) -> String {
    let data = data::json(report, details);
    // What an input may contain cannot contain a hash of itself.
    let nonce = &blake3::hash(data.as_bytes()).to_hex()[..32];
    let size = details.pages.values().map(String::len).sum::<usize>();
    let mut page = String::with_capacity(data.len() + size + (128 << 10));
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            break;
        };
        // Writing to a string cannot fail.
        let _ = match name {
            "summary" => write!(page, "{}", report.totals),
            "nonce" => page.write_str(nonce),
            "styles" => STYLES.iter().try_for_each(|part| page.write_str(part)),
            "scripts" => SCRIPTS.iter().try_for_each(|part| page.write_str(part)),
            "data" => page.write_str(&data),
            "details" => write_details(&mut page, details),
            _ => write!(page, "{{{{{name}}}}}"),
        };
        rest = after;
    }
    page.push_str(rest);
    page
}

fn write_details(page: &mut String, details: &Details) -> std::fmt::Result {
    for (index, text) in &details.pages {
        writeln!(
            page,
            "<script type=\"text/plain\" id=\"detail-{index}\">{text}</script>"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
