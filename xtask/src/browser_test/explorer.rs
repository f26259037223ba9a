//! The page of the explorer: its engine runs in the browser.

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
    click(browser, "#stages input[name=copies]")?;
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
    browser.evaluate("openSample('collatz.dxil')")?;
    browser.wait_for("document.getElementById('message').hidden")
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
            for stage in ["conditions", "copies", "switch-order"] {
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
