//! Links of the explorer, and shaders that cannot be read.

use serde_json::json;

use super::super::checks::{click, expect, expect_true};
use super::super::devtools::{Browser, Problem};
use super::wait;

/// What is said above the panes; empty if nothing is.
const MESSAGE: &str = "byId('message').hidden ? '' : byId('message').textContent";

/// The name of the shader that is shown, and of that in the list.
const SHOWN: &str =
    "[state.name, byId('sample').value, byId('status').textContent.split(':')[0]].join()";

/// Follows a link in the open page, and waits until it is shown.
fn follow(browser: &mut Browser, link: &str) -> Result<(), Problem> {
    // The page answers the event, which comes later, and then writes its own link.
    let follow = format!(
        "new Promise(done => {{ addEventListener('hashchange', () => done(), {{ once: true }}); location.hash = {}; }})",
        json!(link)
    );
    browser.evaluate(&follow)?;
    wait(browser)
}

/// Waits until a shader is shown, with this name in the link.
fn is_shown(browser: &mut Browser, name: &str) -> Result<(), Problem> {
    browser.wait_for(&format!(
        "{SHOWN} === '{name},{name},{name}' && location.hash.includes('shader={name}')"
    ))
}

pub(super) fn of_an_open_page(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    is_shown(browser, "collatz.dxil")?;
    follow(
        browser,
        "#shader=bubble_sort.dxil&step=0&compare=1&options={\"target\":\"vulkan1.1\"}&panes=input+source",
    )?;
    is_shown(browser, "bubble_sort.dxil")?;
    let form = "[graph.now, byId('compare').checked, byId('target').value, ...panes.map(pane => pane.root.dataset.view)].join()";
    // A link of two panes leaves the third one as it is by default.
    expect(browser, form, &json!("0,true,vulkan1.1,input,source,input"))?;
    // What a link does not name is the default.
    follow(browser, "#shader=fig_spaghetti.dxil")?;
    is_shown(browser, "fig_spaghetti.dxil")?;
    let usual =
        format!("{form} === graph.steps.length - 1 + ',false,vulkan1.3,pseudo_code,output,input'");
    expect_true(browser, &usual)?;
    // Back returns to the shader before, also to one that is too large for a link.
    browser.evaluate("openSample('collatz.dxil')")?;
    is_shown(browser, "collatz.dxil")?;
    browser.evaluate("history.back()")?;
    is_shown(browser, "fig_spaghetti.dxil")?;
    let random =
        "openFile(new File([crypto.getRandomValues(new Uint8Array(60000))], 'large.dxil'))";
    browser.evaluate(random)?;
    browser.wait_for("location.hash.includes('name=large.dxil')")?;
    browser.evaluate("openSample('collatz.dxil')")?;
    is_shown(browser, "collatz.dxil")?;
    browser.evaluate("history.back()")?;
    browser.wait_for("state.name === 'large.dxil' && state.bytes.length === 60000")?;
    // An entry point that the shader does not have can be corrected.
    follow(browser, "#shader=collatz.dxil&entry=elsewhere")?;
    browser.wait_for("byId('message').textContent.includes('no entry point `elsewhere`')")?;
    expect_true(
        browser,
        "byId('entry').offsetWidth && byId('entry').value === 'elsewhere'",
    )?;
    browser.evaluate(
        "(() => { const list = byId('entry'); list.value = 'main'; list.dispatchEvent(new Event('change')); })()",
    )?;
    browser.wait_for("byId('message').hidden")?;
    expect(browser, "byId('entry').offsetWidth", &json!(0))
}

pub(super) fn damaged(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    // Damaged options are replaced by the defaults, and the page says so.
    let said = |what: &str| {
        format!(
            "({MESSAGE}).includes('options of the link are damaged') && ({MESSAGE}).includes({})",
            json!(what)
        )
    };
    browser.wait_for(&said("not JSON"))?;
    expect(browser, "byId('target').value", &json!("vulkan1.3"))?;
    browser.wait_for("location.hash && !location.hash.includes('options')")?;
    for (options, what) in [
        ("null", "the options are null, which is not an object"),
        ("5", "the options are 5"),
        ("[]", "the options are []"),
        ("{\"structurizer\":null}", "`structurizer` is null"),
        ("{\"structurizer\":5}", "`structurizer` is 5"),
        ("{\"structurizer\":{\"stages\":1}}", "`stages` is 1"),
        ("{\"target\":\"nowhere\"}", "there is no target \"nowhere\""),
    ] {
        follow(browser, &format!("#shader=collatz.dxil&options={options}"))?;
        browser.wait_for(&said(what))?;
        expect(browser, "byId('target').value", &json!("vulkan1.3"))?;
    }
    // A stage that does not exist is left to the engine. The note about the link is gone with the next change.
    follow(
        browser,
        "#shader=collatz.dxil&options={\"structurizer\":{\"stages\":{\"no\":false}}}",
    )?;
    browser.wait_for("byId('message').textContent.startsWith('options: ')")?;
    click(browser, "#reset")?;
    browser.wait_for("byId('message').hidden")?;
    // The same in the form.
    browser.evaluate(
        "(() => { byId('json').value = '{\"structurizer\":5}'; byId('json').dispatchEvent(new Event('change', { bubbles: true })); })()",
    )?;
    expect_true(
        browser,
        &format!("({MESSAGE}).includes('`structurizer` is 5')"),
    )?;
    click(browser, "#reset")?;
    // A shader that is damaged or missing is not replaced by another.
    for (link, what) in [
        ("#bytes=!!!!", "The shader of the link is damaged"),
        ("#bytes=AAAA", "The shader of the link is damaged"),
        ("#name=x&bytes=abc", "The shader of the link is damaged"),
        ("#name=x", "x is too large for a link"),
        ("#shader=nowhere.dxil", "There is no shader nowhere.dxil"),
    ] {
        follow(browser, link)?;
        browser.wait_for(&format!("({MESSAGE}).includes('{what}')"))?;
        expect(browser, SHOWN, &json!(",,"))?;
        expect_true(browser, "!document.querySelector('#graph svg, .row .k')")?;
        // The link is still there, to be corrected.
        expect(browser, "location.hash", &json!(link))?;
    }
    browser.evaluate("openSample('collatz.dxil')")?;
    is_shown(browser, "collatz.dxil")
}

pub(super) fn order_of_shaders(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    // The first of two is read last; it is not shown.
    let late = "(async () => { let arrive; const first = load('late.cfg', () => new Promise(done => { arrive = done; })); \
        await openSample('bubble_sort.dxil'); arrive({ bytes: new TextEncoder().encode('a: ret\\n') }); await first; })()";
    browser.evaluate(late)?;
    is_shown(browser, "bubble_sort.dxil")?;
    // A link that is followed while another shader is read is shown.
    browser.evaluate("void load('late.cfg', () => new Promise(done => setTimeout(done, 50, { bytes: new Uint8Array(3) })))")?;
    follow(browser, "#shader=fig_spaghetti.dxil")?;
    is_shown(browser, "fig_spaghetti.dxil")?;
    browser.evaluate("new Promise(done => setTimeout(done, 100))")?;
    is_shown(browser, "fig_spaghetti.dxil")
}

pub(super) fn server(browser: &mut Browser) -> Result<(), Problem> {
    wait(browser)?;
    is_shown(browser, "collatz.dxil")?;
    // The page as that of a server, whose answers are made here.
    let answers = |status: u16, body: &str| {
        format!(
            "data.engine = 'server'; globalThis.fetch = async () => new Response({}, {{ status: {status} }})",
            json!(body)
        )
    };
    browser.evaluate(&answers(500, "collatz.dxil: no such file\n"))?;
    browser.evaluate("openSample('bubble_sort.dxil')")?;
    expect(
        browser,
        MESSAGE,
        &json!("bubble_sort.dxil: collatz.dxil: no such file"),
    )?;
    expect(
        browser,
        SHOWN,
        &json!("collatz.dxil,collatz.dxil,collatz.dxil"),
    )?;
    browser.evaluate(&answers(413, "the shader is too large\n"))?;
    browser.evaluate("openFile(new File(['x'], 'x.dxil'))")?;
    expect(browser, MESSAGE, &json!("the shader is too large"))?;
    browser.evaluate(&answers(500, "a panic\n"))?;
    browser.evaluate("run()")?;
    expect_true(
        browser,
        &format!("({MESSAGE}).startsWith('This is a bug') && ({MESSAGE}).endsWith('a panic')"),
    )?;
    browser
        .evaluate("globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))")?;
    for act in ["run()", "openSample('bubble_sort.dxil')"] {
        browser.evaluate(act)?;
        expect_true(
            browser,
            &format!("({MESSAGE}).includes('The server does not answer')"),
        )?;
        expect_true(browser, "byId('sample').value === ''")?;
    }
    Ok(())
}
