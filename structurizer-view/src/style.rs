//! Colours and lines, for light and dark, and the legend.
//!
//! Programs that draw SVG without support for `@media` or variables show the light colours.

/// Rules for every picture. Class names begin with `tv-`, so that they can be in a page of
/// others.
pub const LIGHT: &str = "\
.tv-bg{fill:#fff}
.tv-text{fill:#1c2530;font-family:Helvetica,Arial,sans-serif;font-size:12px}
.tv-title{font-size:16px;font-weight:bold}
.tv-name{font-weight:bold;text-anchor:middle}
.tv-detail{fill:#55626f;font-size:10.5px;text-anchor:middle}
.tv-small{fill:#55626f;font-size:11px}
.tv-box{fill:#fff;stroke:#66758a;stroke-width:1.2}
.tv-bar{fill:none}
.tv-loop .tv-box{fill:#dbe9ff;stroke:#2563eb}
.tv-loop .tv-bar{fill:#2563eb}
.tv-selection .tv-box{fill:#f0ebfa}
.tv-selection .tv-bar{fill:#7c5cbf}
.tv-inserted .tv-box{fill:#ffedc7;stroke:#a16207;stroke-dasharray:5 2.5}
.tv-changed .tv-box{stroke:#d9480f;stroke-width:2.6;stroke-dasharray:none}
.tv-dot{fill:#d9480f}
.tv-hot .tv-box{stroke:#e11d48;stroke-width:4;stroke-dasharray:none}
.tv-flow{fill:none;stroke:#45525f;stroke-width:1.3}
.tv-back{fill:none;stroke:#2563eb;stroke-width:1.5}
.tv-merge{fill:none;stroke:#7c5cbf;stroke-width:1.3;stroke-dasharray:6 4}
.tv-continue{fill:none;stroke:#0f7b6c;stroke-width:1.8;stroke-dasharray:1.5 3.5;stroke-linecap:round}
.tv-tip-flow{fill:#45525f}
.tv-tip-back{fill:#2563eb}
.tv-tip-merge{fill:#7c5cbf}
.tv-tip-continue{fill:#0f7b6c}
";

/// Rules that follow for dark colours.
pub const DARK: &str = "\
.tv-bg{fill:#14181d}
.tv-text{fill:#e4e9ef}
.tv-detail,.tv-small{fill:#a3b0bd}
.tv-box{fill:#1f262e;stroke:#8494a6}
.tv-loop .tv-box{fill:#17305c;stroke:#6ea1ff}
.tv-loop .tv-bar{fill:#6ea1ff}
.tv-selection .tv-box{fill:#2f2745}
.tv-selection .tv-bar{fill:#b197f0}
.tv-inserted .tv-box{fill:#4a3a12;stroke:#e0b34c}
.tv-changed .tv-box{stroke:#ff8a50}
.tv-dot{fill:#ff8a50}
.tv-hot .tv-box{stroke:#ff5c83}
.tv-flow{stroke:#aab6c2}
.tv-back{stroke:#6ea1ff}
.tv-merge{stroke:#b197f0}
.tv-continue{stroke:#45c9b5}
.tv-tip-flow{fill:#aab6c2}
.tv-tip-back{fill:#6ea1ff}
.tv-tip-merge{fill:#b197f0}
.tv-tip-continue{fill:#45c9b5}
";

/// A sample of the legend: classes of a box, or the class of a line.
pub(crate) enum Sample {
    Box(&'static str),
    Line(&'static str),
}

/// The entries of the legend.
pub(crate) const LEGEND: [(Sample, &str); 8] = [
    (Sample::Box("tv-loop"), "loop header"),
    (Sample::Box("tv-selection"), "selection header"),
    (Sample::Box("tv-inserted"), "inserted"),
    (Sample::Box("tv-changed"), "this stage has a remark"),
    (Sample::Line("flow"), "control flow"),
    (Sample::Line("back"), "back edge"),
    (Sample::Line("merge"), "header to merge block"),
    (Sample::Line("continue"), "header to continue target"),
];
