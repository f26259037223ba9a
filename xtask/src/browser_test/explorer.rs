//! The page of the explorer: its engine runs in the browser.

mod links;

use std::path::Path;

use serde_json::json;

use super::checks::{Check, click, expect, expect_true};
use super::devtools::{Browser, Problem};

/// The checks of the explorer's page.
pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "explorer: stages and blocks",
        fragment: "#shader=fig_spaghetti.dxil",
        run: stages_and_blocks,
    },
    Check {
        name: "explorer: options",
        fragment: "#shader=fig_spaghetti.dxil",
        run: options,
    },
    Check {
        name: "explorer: files and links",
        fragment: "",
        run: files_and_links,
    },
    Check {
        name: "explorer: comparison",
        // A stage that removes a few of many blocks, so that most ids have other numbers.
        fragment: "#shader=path_tracer.dxil&compare=1&options={\"structurizer\":{\"stages\":{\"empty-blocks\":false}}}",
        run: comparison,
    },
    Check {
        name: "explorer: large graphs",
        fragment: "#shader=path_tracer.dxil",
        run: large_graphs,
    },
    Check {
        name: "explorer: keys and colours",
        fragment: "#shader=fig_spaghetti.dxil",
        run: keys_and_colours,
    },
    Check {
        name: "explorer: links of an open page",
        fragment: "#shader=collatz.dxil",
        run: links::of_an_open_page,
    },
    Check {
        name: "explorer: damaged links",
        fragment: "#shader=collatz.dxil&options={",
        run: links::damaged,
    },
    Check {
        name: "explorer: order of shaders",
        fragment: "#shader=collatz.dxil",
        run: links::order_of_shaders,
    },
    Check {
        name: "explorer: server",
        fragment: "#shader=collatz.dxil",
        run: links::server,
    },
    Check {
        name: "explorer: all shaders",
        fragment: "",
        run: all_shaders,
    },
];

/// True when the page shows a shader.
const READY: &str = "document.documentElement.dataset.ready && !document.getElementById('status').textContent.includes('converting')";

/// Pictures of the documentation: the name, the fragment, the colours.
pub(super) const PICTURES: [(&str, &str, &str); 2] = [
    (
        "explorer.png",
        "#shader=continue_in_switch_in_loop.dxil&panes=pseudo_code+output",
        "light",
    ),
    (
        "explorer-options.png",
        "#shader=fig_spaghetti.dxil&panes=pseudo_code+output",
        "dark",
    ),
];

/// Waits until the page shows what its fragment asks for.
pub(super) fn wait(browser: &mut Browser) -> Result<(), Problem> {
    browser.wait_for(READY)
}

fn stages_and_blocks(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    expect_true(browser, "document.querySelector('#graph svg')")?;
    expect_true(browser, "document.getElementById('message').hidden")?;
    // The result is shown first; Home leads to the input.
    browser.press("Home")?;
    let step = "document.querySelector('#steps [aria-current]').textContent";
    expect(browser, step, &json!("input"))?;
    browser.press("ArrowRight")?;
    expect_true(browser, &format!("{step} !== 'input'"))?;
    browser.press("End")?;
    // The graph can be made larger.
    let width = "document.querySelector('#graph svg').clientWidth";
    let before = browser.evaluate(width)?;
    browser.press("+")?;
    expect_true(browser, &format!("{width} > {before}"))?;
    browser.press("0")?;
    expect(browser, width, &before)?;
    // A block of the graph is kept in all texts.
    browser.evaluate(
        "document.querySelector('#graph [data-block=b18]').dispatchEvent(new MouseEvent('click', { bubbles: true }))",
    )?;
    for (pane, text) in [(0, "// b18 (%73)"), (1, "%b18 = OpLabel")] {
        let first = format!(
            "[...document.querySelectorAll('.text-pane')[{pane}].querySelectorAll('.row.kept')].sort((a, b) => a.dataset.index - b.dataset.index)[0]?.textContent"
        );
        browser.wait_for(&format!("{first}?.includes('{text}')"))?;
    }
    // A line of the DXIL leads to the same block.
    browser.press("Escape")?;
    expect_true(browser, "!document.querySelector('.kept, .tv-kept')")?;
    browser.evaluate(
        "[...document.querySelectorAll('.text-pane')[1].querySelectorAll('.tabs button')].find(button => button.textContent === 'DXIL').click()",
    )?;
    browser.evaluate(
        "document.querySelectorAll('.text-pane')[0].querySelectorAll('.row')[4].dispatchEvent(new MouseEvent('click', { bubbles: true }))",
    )?;
    browser.wait_for("document.querySelector('#graph .tv-kept')")?;
    browser.wait_for(
        "[...document.querySelectorAll('.text-pane')[1].querySelectorAll('.row.kept')].some(row => row.textContent.includes('label>:6'))",
    )
}

fn options(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    click(browser, "#compare")?;
    click(browser, "#stages input[name=conditions]")?;
    click(browser, "#stages input[name=switch-order]")?;
    click(browser, "#stages input[name=loop-ends]")?;
    wait(browser)?;
    browser.wait_for(
        "document.querySelector('.row.added') && document.querySelector('.row.removed')",
    )?;
    browser.wait_for("location.hash.includes('switch-order')")?;
    // What is not JSON is said, and what is not an option.
    for (text, message) in [("{", "not JSON"), ("{ \"no\": 1 }", "unknown field `no`")] {
        browser.evaluate(&format!(
            "(() => {{ const json = document.getElementById('json'); json.value = {}; json.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
            json!(text)
        ))?;
        browser.wait_for(&format!(
            "document.getElementById('message').textContent.includes('{message}')"
        ))?;
    }
    click(browser, "#reset")?;
    browser.wait_for("document.getElementById('message').hidden")?;
    browser.wait_for("!document.querySelector('.row.added')")
}

fn comparison(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    // Ids do not count as differences. There are more edits than one search makes.
    let count = |kind: &str| {
        format!(
            "panes[1].rows.filter(row => row.kind === '{kind}' && row.text.includes('Op')).length"
        )
    };
    expect_true(browser, &format!("{} > 5000", count(" ")))?;
    for kind in ["+", "-"] {
        expect_true(browser, &format!("{0} > 10 && {0} < 700", count(kind)))?;
    }
    // Texts that are the same are not compared again.
    let again = "(async () => { const list = name => lastDifference.get(name).list; const before = list('output'); \
        await run(); return list('output') === before && panes[0].texts.output.rows === panes[1].rows; })()";
    expect(browser, again, &json!(true))?;
    // The differences of texts lead from one to the other, and a long insertion moves nothing.
    let check = "(() => { \
        let seed = 1; const random = count => { seed = (seed * 1103515245 + 12345) % 2147483648; return (seed >> 8) % count; }; \
        const lines = (count, kinds) => Array.from({ length: count }, () => String(random(kinds))); \
        const same = (old, now) => { const list = difference(old, now); \
          const before = list.filter(([kind]) => kind !== '+').map(([kind, line]) => kind === '-' ? old[line] : now[line]); \
          const after = list.filter(([kind]) => kind !== '-').map(([, line]) => now[line]); \
          if (before.join() !== old.join() || after.join() !== now.join()) throw new Error('wrong'); \
          return list.filter(([kind]) => kind === ' ').length; }; \
        for (let index = 0; index < 300; index++) same(lines(random(12), 5), lines(random(12), 5)); \
        same(lines(4000, 30), lines(4000, 30)); \
        const old = lines(3000, 30).map((line, index) => index % 7 ? line : 'once ' + index); \
        return same(old, old.toSpliced(1000, 0, ...lines(3500, 30))); })()";
    expect(browser, check, &json!(3000))
}

/// True if a block is in the part of the graph that is seen.
fn is_seen(block: &str) -> String {
    format!(
        "(() => {{ const pane = document.getElementById('graph').getBoundingClientRect(); \
        const box = graph.block('{block}').getBoundingClientRect(); \
        return box.left >= pane.left && box.right <= pane.right && box.top >= pane.top && box.bottom <= pane.bottom; }})()"
    )
}

/// Number of panes in sight that show a line of what is pointed at.
const PANES_WITH_HOT: &str = "panes.filter(({ root, scroller }) => { const pane = scroller.getBoundingClientRect(); \
    return [...root.querySelectorAll('.row.hot')].some(row => { const box = row.getBoundingClientRect(); \
    return pane.height && box.top >= pane.top && box.bottom <= pane.bottom; }); }).length";

fn large_graphs(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    // The entry is seen first, in all stages, and what is seen stays when the picture becomes larger.
    expect_true(browser, &is_seen("b0"))?;
    browser.press("Home")?;
    expect_true(browser, &is_seen("b0"))?;
    browser.evaluate("graph.bring(graph.block('b100'))")?;
    browser.press("+")?;
    expect_true(browser, &is_seen("b100"))?;
    // The other panes scroll to a block that is pointed at.
    let point = |block: &str, pane: &str| {
        format!(
            "document.querySelector('#{pane} [data-block={block}]').dispatchEvent(new MouseEvent('mousemove', {{ bubbles: true }}))"
        )
    };
    browser.evaluate(&point("b100", "graph"))?;
    browser.wait_for(&format!("{PANES_WITH_HOT} === 2"))?;
    browser.press("End")?;
    let remark =
        browser.evaluate("document.querySelector('#remarks [data-block]').dataset.block")?;
    let remark = remark.as_str().unwrap_or_default();
    browser.evaluate(&point(remark, "remarks"))?;
    browser.wait_for(&format!("{PANES_WITH_HOT} === 2 && {}", is_seen(remark)))?;
    // Unless something is kept.
    browser.evaluate("light.keep(['0:b0'])")?;
    browser.evaluate("panes[0].scroller.scrollTop = 0")?;
    browser.evaluate(&point("b100", "graph"))?;
    browser.evaluate("new Promise(done => setTimeout(done, 2 * MOMENT))")?;
    expect(browser, "panes[0].scroller.scrollTop", &json!(0))?;
    // A wide window has a third text.
    expect(browser, "panes[2].root.clientWidth", &json!(0))?;
    browser.look((1700, 900), "light")?;
    expect_true(browser, "panes[2].root.clientWidth > 200")?;
    browser.press("Escape")?;
    browser.evaluate(&point("b200", "graph"))?;
    browser.wait_for(&format!("{PANES_WITH_HOT} === 3"))
}

fn keys_and_colours(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    // Tab stops at one block, the arrows lead to the others, and Enter keeps one.
    let stops = "[...document.querySelectorAll('#graph [tabindex=\"0\"]')].map(block => block.dataset.block).join()";
    expect(browser, stops, &json!("b0"))?;
    browser.evaluate("document.querySelector('#graph [tabindex=\"0\"]').focus()")?;
    browser.press("ArrowDown")?;
    let focused = browser.evaluate("document.activeElement.dataset.block")?;
    expect_true(browser, &format!("{focused} && {focused} !== 'b0'"))?;
    expect(browser, stops, &focused)?;
    browser.press("Enter")?;
    browser.wait_for("document.querySelector('.row.kept')")?;
    expect(
        browser,
        "document.querySelector('.tv-kept').dataset.block",
        &focused,
    )?;
    // The focus stays in the graph when the stage changes.
    browser.press("Home")?;
    let step = "document.querySelector('#steps [aria-current]').textContent";
    expect(browser, step, &json!("input"))?;
    expect_true(browser, "document.activeElement.dataset.block")?;
    // These keys scroll a text that has the focus.
    browser.evaluate("panes[0].scroller.focus()")?;
    browser.press("End")?;
    browser.press("ArrowRight")?;
    expect(browser, step, &json!("input"))?;
    // The choice of colours is kept, and is that of the graph, too.
    let colours = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('#graph .tv-text')).fill].join()";
    let light = browser.evaluate(colours)?;
    click(browser, "#theme")?;
    expect(browser, "keptTheme()", &json!("dark"))?;
    expect_true(
        browser,
        &format!(
            "{colours}.split(')').every((part, index) => part !== {light}.split(')')[index] || !part)"
        ),
    )?;
    click(browser, "#theme")?;
    expect(browser, "keptTheme()", &json!(null))?;
    expect(browser, colours, &light)
}

fn files_and_links(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    // A file that is dropped is in the link, with its bytes.
    let drop = "(() => { const data = new DataTransfer(); data.items.add(new File(['a: b c\\nb: d\\nc: d\\nd: ret\\n'], 'diamond.cfg')); dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })()";
    browser.evaluate(drop)?;
    browser.wait_for("document.getElementById('status').textContent.startsWith('diamond.cfg')")?;
    browser.wait_for("location.hash.includes('bytes=')")?;
    expect_true(
        browser,
        "document.querySelectorAll('#graph [data-block]').length === 4",
    )?;
    // The link alone shows the same.
    let link = browser.evaluate("location.hash")?;
    let again = format!(
        "(async () => {{ history.replaceState(null, '', {link}); await readLink(); return state.name; }})()"
    );
    expect(browser, &again, &json!("diamond.cfg"))?;
    // What is no shader is an error, and the page can be used after it.
    browser.evaluate("openFile(new File([new Uint8Array([68, 88, 66, 67, 1])], 'broken.dxil'))")?;
    browser.wait_for("document.getElementById('message').textContent.startsWith('read:')")?;
    // What has no graph does not choose the stage of the next.
    let empty = "openFile(new File([], 'empty.dxil'))";
    browser.evaluate(empty)?;
    browser
        .wait_for("document.getElementById('message').textContent === 'read: the file is empty'")?;
    browser.evaluate("openSample('collatz.dxil')")?;
    browser.wait_for("document.getElementById('message').hidden")?;
    expect_true(
        browser,
        "graph.now > 0 && graph.now === graph.steps.length - 1",
    )?;
    browser.evaluate("writeLink()")?;
    expect_true(browser, "!location.hash.includes('step=')")?;
    // A folder cannot be read.
    browser.evaluate(
        "(() => { const file = new File([], 'folder'); file.arrayBuffer = () => Promise.reject(new DOMException('not found', 'NotFoundError')); return openFile(file); })()",
    )?;
    expect(
        browser,
        "document.getElementById('message').textContent",
        &json!("folder cannot be read: not found"),
    )?;
    expect(browser, "byId('sample').value", &json!("collatz.dxil"))
}

fn all_shaders(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    let all = "(async () => { const bad = []; for (const sample of data.samples) { await openSample(sample.name); \
        if (!document.getElementById('message').hidden || !state.answer.functions.every(view => view.steps.every(step => step.svg))) bad.push(sample.name); } \
        return bad.join(' '); })()";
    expect(browser, all, &json!(""))
}

/// Returns the fragments and names of the pictures, after the page has been opened once.
pub(super) fn pictures(
    browser: &mut Browser,
    page: &Path,
    mut write: impl FnMut(&str, String) -> Result<(), Problem>,
) -> Result<(), Problem> {
    for (name, fragment, scheme) in PICTURES {
        browser.look((1440, 860), scheme)?;
        browser.open(page, fragment)?;
        wait(browser)?;
        if scheme == "dark" {
            click(browser, "#show-options")?;
            click(browser, "#compare")?;
            for stage in ["conditions", "loop-ends", "switch-order"] {
                click(browser, &format!("#stages input[name={stage}]"))?;
            }
            browser.wait_for("document.querySelector('.row.added')")?;
        } else {
            browser.evaluate(
                "document.querySelector('#graph [data-block=b3]').dispatchEvent(new MouseEvent('click', { bubbles: true }))",
            )?;
        }
        browser.evaluate(super::checks::AFTER_FRAMES)?;
        let picture = browser.picture()?;
        write(name, picture)?;
    }
    Ok(())
}
