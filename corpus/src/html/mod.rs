//! Renders a report as one self-contained HTML page, which works from a file.
//!
//! It is a page of `trellis-explorer`: the report is in it as JSON (`data.rs`), the details of shaders as
//! the explorer's answers.

pub(crate) mod cause;
mod data;

use trellis_explorer::page::of_report;

use crate::details::Details;
use crate::report::Report;

/// Returns the page of a report, without details of single shaders.
pub fn render(report: &Report) -> String {
    render_with(report, &Details::default())
}

/// Returns the page of a report with the details of shaders.
pub fn render_with(report: &Report, details: &Details) -> String {
    let summary = report.totals.to_string();
    of_report(&summary, &data::Data::of(report, details), &details.pages)
}

#[cfg(test)]
mod tests;
