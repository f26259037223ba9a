//! One page of HTML that steps through the stages that changed the graph. It loads no other files,
//! and shows all stages one below the other if scripts are disabled.

use std::fmt::Write as _;

use trellis_structurizer::Remark;

use crate::escape::Xml;
use crate::figure::Figure;
use crate::picture::{Picture, legend_alone};
use crate::stages::{about, title};
use crate::style::CSS;

/// A step of a [`page`].
#[derive(Clone, Debug)]
pub struct Step {
    /// The graph after the stage.
    pub figure: Figure,
    /// Its picture.
    pub picture: Picture,
    /// Decisions since the previous step.
    pub remarks: Vec<Remark>,
    /// The function that it belongs to; shown if steps belong to several.
    pub function: String,
}

const PAGE_CSS: &str = "\
:root{color-scheme:light dark}
body{margin:0;font:15px/1.45 system-ui,Helvetica,Arial,sans-serif;background:#fff;color:#1c2530}
header{padding:.8em 1.2em .4em;border-bottom:1px solid #d5dce4}
h1{font-size:1.15em;margin:0 0 .4em}h2{font-size:1.1em;margin:.2em 0}
nav{display:flex;flex-wrap:wrap;gap:.3em;align-items:center}
nav a,nav button{font:inherit;font-size:.9em;padding:.15em .6em;border:1px solid #b9c4d0;border-radius:5px;background:none;color:inherit;text-decoration:none;cursor:pointer}
nav a[aria-current]{background:#2563eb;border-color:#2563eb;color:#fff}
section{display:grid;grid-template-columns:minmax(0,1fr) minmax(17em,24em);gap:1em;padding:1em 1.2em}
section[hidden]{display:none}
.graph{overflow:auto}.graph svg{max-width:none;display:block;margin:auto}
.about{margin:.2em 0 .8em}
ol{padding-left:0;list-style:none;margin:0}
li{border-top:1px solid #e1e7ed}
li button{all:unset;display:block;box-sizing:border-box;width:100%;padding:.35em .4em;cursor:pointer;border-radius:4px}
li button:hover,li button[aria-pressed=true]{background:#fdeef2}li button:focus-visible,nav :focus-visible{outline:2px solid #2563eb}
code{font:.92em ui-monospace,Consolas,monospace;font-weight:600}
footer{padding:0 1.2em 1em}
@media (max-width:52em){section{grid-template-columns:1fr}}
@media (prefers-color-scheme:dark){
body{background:#14181d;color:#e4e9ef}header{border-color:#313b46}nav a,nav button{border-color:#4a5866}li{border-color:#2a333d}
li button:hover,li button[aria-pressed=true]{background:#46202c}nav a[aria-current]{background:#2f5fc4;border-color:#2f5fc4}}
";

const SCRIPT: &str = "\
(() => {
  const steps = [...document.querySelectorAll('section')], links = [...document.querySelectorAll('nav a')];
  let now = 0;
  const show = (n, push) => {
    now = Math.max(0, Math.min(steps.length - 1, n));
    steps.forEach((s, i) => { s.hidden = i !== now; });
    links.forEach((a, i) => { if (i === now) a.setAttribute('aria-current', 'step'); else a.removeAttribute('aria-current'); });
    if (push) history.replaceState(null, '', '#' + steps[now].id);
  };
  const light = (button, on) => {
    const found = button.closest('section').querySelectorAll('g[data-block=\"' + button.dataset.block + '\"]');
    found.forEach(g => g.classList.toggle('tv-hot', on || button.getAttribute('aria-pressed') === 'true'));
    return found[0];
  };
  document.querySelectorAll('li button').forEach(b => {
    b.addEventListener('mouseenter', () => light(b, true));
    b.addEventListener('mouseleave', () => light(b, false));
    b.addEventListener('focus', () => light(b, true));
    b.addEventListener('blur', () => light(b, false));
    b.addEventListener('click', () => {
      const on = b.getAttribute('aria-pressed') !== 'true';
      b.closest('section').querySelectorAll('li button[aria-pressed=true]').forEach(o => { o.setAttribute('aria-pressed', 'false'); light(o, false); });
      b.setAttribute('aria-pressed', String(on));
      const g = light(b, on);
      if (g && on) g.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  });
  links.forEach((a, i) => a.addEventListener('click', e => { e.preventDefault(); show(i, true); }));
  document.getElementById('back').addEventListener('click', () => show(now - 1, true));
  document.getElementById('next').addEventListener('click', () => show(now + 1, true));
  addEventListener('keydown', e => {
    if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length - 1 }[e.key];
    if (to !== undefined) { e.preventDefault(); show(to, true); }
  });
  const start = steps.findIndex(s => '#' + s.id === location.hash);
  show(start < 0 ? 0 : start, false);
})();
";

/// Returns a page about a shader or graph of this name, with a step for each stage.
pub fn page(name: &str, steps: &[Step]) -> String {
    let several = steps
        .windows(2)
        .any(|pair| pair[0].function != pair[1].function);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{0}: control flow</title>\n<style>\n{CSS}{PAGE_CSS}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n<nav>\
         <button id=\"back\" aria-label=\"previous stage\">←</button><button id=\"next\" aria-label=\"next stage\">→</button>\n",
        Xml(name)
    );
    for (index, step) in steps.iter().enumerate() {
        let short = step.figure.stage.map_or("input", |stage| stage.name());
        let function = if several {
            format!("{}: ", step.function)
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "<a href=\"#step{index}\">{}{short}</a>",
            Xml(&function)
        );
    }
    out.push_str("</nav>\n</header>\n<main>\n");
    for (index, step) in steps.iter().enumerate() {
        section(&mut out, index, step, several);
    }
    let _ = write!(
        out,
        "</main>\n<footer>\n{}</footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        legend_alone(1100.0)
    );
    out
}

fn section(out: &mut String, index: usize, step: &Step, several: bool) {
    let heading = title(step.figure.stage);
    let heading = if several {
        format!("{} of {}", heading, step.function)
    } else {
        heading
    };
    let _ = write!(
        out,
        "<section id=\"step{index}\">\n<div class=\"graph\">\n{}</div>\n<div>\n",
        step.picture.inline(&step.figure)
    );
    let _ = write!(
        out,
        "<h2>{}</h2>\n<p class=\"about\">{}</p>\n",
        Xml(&heading),
        Xml(about(step.figure.stage))
    );
    match step.remarks.len() {
        0 => out.push_str("<p>No remarks.</p>\n"),
        1 => out.push_str("<p>1 remark</p>\n<ol>\n"),
        count => {
            let _ = writeln!(out, "<p>{count} remarks</p>\n<ol>");
        }
    }
    for remark in &step.remarks {
        let block = remark.block;
        let _ = writeln!(
            out,
            "<li><button data-block=\"{block}\" aria-pressed=\"false\"><code>{block}</code> {}</button></li>",
            Xml(&remark.sentence())
        );
    }
    if !step.remarks.is_empty() {
        out.push_str("</ol>\n");
    }
    out.push_str("</div>\n</section>\n");
}
