//! The table of a run as one HTML page: the verdicts on Trellis, DXC's SPIR-V and the interpreter
//! for each case. Nothing is loaded from anywhere.

use std::fmt::Write;

use trellis_corpus::junit::Escaped;

use crate::table::{Outcome, Row, Table, Verdict};

/// The style sheet, for light and dark colour schemes. Rows have the class `failed` or
/// `converted`, numbers `n`, messages `error`.
const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:14px/1.5 system-ui,sans-serif;margin:2rem}
h1{font-size:1.3rem}
dl{display:flex;flex-wrap:wrap;gap:.5rem 2rem}
dt{opacity:.7}dd{margin:0;font-size:1.2rem;font-variant-numeric:tabular-nums}
input[type=search]{width:24rem;max-width:100%;padding:.4rem}
table{border-collapse:collapse;margin-top:1rem;width:100%}
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #8884;vertical-align:top}
th{position:sticky;top:0;background:Canvas}
.n{text-align:right;font-variant-numeric:tabular-nums}
.failed td:first-child{border-left:4px solid #d33}
.converted td:first-child{border-left:4px solid #3a3}
.error{font-family:ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
";

/// Hides the rows that do not contain the text in the element `text` and, if `only` is checked, the
/// rows that did not fail; `count` shows the number of visible rows.
const SCRIPT: &str = "\
const rows=[...document.querySelectorAll('tbody tr')],text=document.getElementById('text'),
only=document.getElementById('only'),count=document.getElementById('count');
function show(){const t=text.value.toLowerCase();let n=0;
for(const r of rows){const on=(!only.checked||r.className==='failed')&&r.textContent.toLowerCase().includes(t);r.hidden=!on;n+=on}
count.textContent=n+' of '+rows.length}
text.oninput=only.onchange=show;show();
";

/// Colours of the three columns.
const CELLS: &str = "\
.passed td:first-child{border-left:4px solid #3a3}
.skipped td:first-child{border-left:4px solid #888}
td.ok{color:#3a3}td.bad{color:#d33;font-weight:bold}td.not{opacity:.6}
";

/// Makes the page.
pub fn render(table: &Table) -> String {
    let mut page = String::with_capacity(4096 + 256 * table.rows.len());
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, table);
    page
}

fn write_page(page: &mut String, table: &Table) -> std::fmt::Result {
    let summary = table.summary();
    let validation = if table.validated { "on" } else { "off" };
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Trellis on a device: {summary}</title>\n<style>{STYLE}{CELLS}</style></head><body>\n\
         <h1>{summary}</h1>\n<dl><div><dt>device</dt><dd>{}</dd></div><div><dt>validation layer</dt><dd>{validation}</dd></div>",
        Escaped(&table.device)
    )?;
    for (index, name) in [
        "ours agrees",
        "DXC\u{2019}s SPIR-V agrees",
        "the interpreter agrees",
    ]
    .into_iter()
    .enumerate()
    {
        let agrees = table
            .rows
            .iter()
            .filter(|row| *row.verdicts()[index].1 == Verdict::Agrees)
            .count();
        write!(page, "<div><dt>{name}</dt><dd>{agrees}</dd></div>")?;
    }
    page.push_str(
        "</dl>\n<p><input type=\"search\" id=\"text\" placeholder=\"filter by any text\" aria-label=\"filter\"> \
         <label><input type=\"checkbox\" id=\"only\"> failed only</label> <span id=\"count\"></span></p>\n\
         <table><thead><tr><th>case</th><th>ours</th><th>DXC</th><th>interpreter</th><th class=\"n\">ms</th><th>notes</th></tr></thead>\n<tbody>\n",
    );
    for row in &table.rows {
        write_row(page, row)?;
    }
    write!(
        page,
        "</tbody></table>\n<script>{SCRIPT}</script></body></html>\n"
    )
}

fn write_row(page: &mut String, row: &Row) -> std::fmt::Result {
    let class = match row.outcome() {
        Outcome::Passed => "passed",
        Outcome::Skipped => "skipped",
        Outcome::Failed => "failed",
    };
    write!(
        page,
        "<tr class=\"{class}\"><td>{}</td>",
        Escaped(&row.name)
    )?;
    for (_, verdict) in row.verdicts() {
        let class = match verdict {
            Verdict::Agrees => "ok",
            Verdict::Differs(_) => "bad",
            Verdict::NotRun(_) => "not",
        };
        write!(page, "<td class=\"{class}\">{}</td>", verdict.word())?;
    }
    write!(
        page,
        "<td class=\"n\">{}</td><td class=\"error\">",
        row.time.as_millis()
    )?;
    let mut first = true;
    for (who, verdict) in row.verdicts() {
        let lines = match verdict {
            Verdict::Agrees => &[],
            Verdict::Differs(lines) => lines.as_slice(),
            Verdict::NotRun(reason) => std::slice::from_ref(reason),
        };
        for line in lines {
            write!(
                page,
                "{}{who}: {}",
                if first { "" } else { "\n" },
                Escaped(line)
            )?;
            first = false;
        }
    }
    page.push_str("</td></tr>\n");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn names_stay_text_and_nothing_is_loaded() {
        let omitted = || Verdict::NotRun("no <b>".to_owned());
        let ours = Verdict::Differs(vec!["byte 4: expected 1 & found 2".to_owned()]);
        let row = Row {
            name: "<script>".to_owned(),
            ours,
            dxc: Verdict::Agrees,
            interpreter: omitted(),
            time: Duration::from_millis(2),
        };
        let page = render(&Table {
            device: "\"d\"".to_owned(),
            validated: false,
            rows: vec![row],
        });
        assert!(
            page.contains("<tr class=\"failed\"><td>&lt;script&gt;</td><td class=\"bad\">FAIL</td><td class=\"ok\">ok</td><td class=\"not\">-</td>"),
            "{page}"
        );
        assert!(
            page.contains("ours: byte 4: expected 1 &amp; found 2\nthe interpreter: no &lt;b&gt;"),
            "{page}"
        );
        assert_eq!(page.matches("<script>").count(), 1, "only our own");
        for external in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(external), "{external}");
        }
    }
}
