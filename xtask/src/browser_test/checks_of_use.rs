//! More of what is checked in the page of a batch: the way back, graphs, what is missing, narrow windows, paper.

use serde_json::json;

use super::checks::{AFTER_FRAMES, Check, click, expect, expect_true, in_data};
use super::devtools::{Browser, Problem};

/// The checks of the corpus's page.
pub(super) const OF_CORPUS: &[Check] = &[
    Check {
        name: "graphs",
        fragment: "#view=shaders&query=else_if_ladder_effects",
        run: graphs,
    },
    Check {
        name: "missing parts",
        fragment: "#view=shaders&query=vectors/longest.dxil",
        run: missing_parts,
    },
    Check {
        name: "narrow windows",
        fragment: "#view=shaders&query=fig_spaghetti.dxil",
        run: narrow,
    },
    Check {
        name: "paper",
        fragment: "#view=shaders&query=control_flow/",
        run: paper,
    },
    Check {
        name: "wrong addresses",
        fragment: "#view=shaders&sort=__proto__&constructor=1",
        run: wrong_addresses,
    },
    Check {
        name: "structure",
        fragment: "#view=structure",
        run: structure,
    },
    Check {
        name: "links",
        fragment: "",
        run: links,
    },
];

/// The checks of the page of many shaders.
pub(super) const OF_MANY: &[Check] = &[
    Check {
        name: "way back",
        fragment: "#view=shaders",
        run: way_back,
    },
    Check {
        name: "commands",
        fragment: "#shader=0",
        run: commands,
    },
    Check {
        name: "long paper",
        fragment: "#view=shaders",
        run: long_paper,
    },
];

/// The check of a page of two shaders.
pub(super) const QUANTILES: Check = Check {
    name: "quantiles",
    fragment: "",
    run: quantiles,
};

/// Of two values the median is the lower one.
fn quantiles(browser: &mut Browser) -> Result<(), Problem> {
    expect(
        browser,
        "[...document.querySelectorAll('.facts')].map(facts => { const [median, , , most] = \
         [...facts.querySelectorAll('dd')].map(value => value.textContent); return median === most; })",
        &json!([false, false, false]),
    )
}

/// Opens the only shader in sight.
fn open_only(browser: &mut Browser) -> Result<(), Problem> {
    browser.press("Enter")?;
    browser.wait_for("document.querySelector('.tabpanel[data-tab]')")?;
    browser.evaluate(AFTER_FRAMES)?;
    Ok(())
}

/// The entry block is in sight, and what is in the middle stays there.
fn graphs(browser: &mut Browser) -> Result<(), Problem> {
    open_only(browser)?;
    expect(
        browser,
        "[...document.querySelectorAll('.scroll')].map(scroll => { const outer = scroll.getBoundingClientRect(), \
         box = scroll.querySelector('.tv-node').getBoundingClientRect(); \
         return box.left > outer.left && box.right < outer.right && box.top > outer.top && box.top < outer.top + 40; })",
        &json!([true, true]),
    )?;
    let middle = "(() => { const scroll = [...document.querySelectorAll('.scroll')].at(1), \
                  outer = scroll.getBoundingClientRect(), box = scroll.firstChild.getBoundingClientRect(); \
                  return [(outer.left + outer.width / 2 - box.left) / box.width, (outer.top + outer.height / 2 - box.top) / box.height]; })()";
    browser.evaluate(&format!(
        "document.querySelectorAll('.scroll')[1].scrollBy(20, 300); window.was = {middle}; \
         document.querySelectorAll('[aria-label^=Larger]')[1].click()"
    ))?;
    expect_true(
        browser,
        &format!("{middle}.every((part, i) => Math.abs(part - window.was[i]) < 0.01)"),
    )
}

/// The tab of a part that could not be made says why.
fn missing_parts(browser: &mut Browser) -> Result<(), Problem> {
    open_only(browser)?;
    expect(
        browser,
        "document.querySelector('[aria-selected=true]').textContent",
        &json!("DXIL"),
    )?;
    for key in ["1", "2"] {
        browser.press(key)?;
        expect_true(
            browser,
            "document.querySelector('.tabpanel').textContent.includes('Not available: ')",
        )?;
    }
    Ok(())
}

/// Nothing is wider than the window.
fn narrow(browser: &mut Browser) -> Result<(), Problem> {
    browser.look((400, 800), "light")?;
    open_only(browser)?;
    expect_true(
        browser,
        "document.getElementById('main').scrollWidth <= 400 && document.documentElement.scrollWidth <= 400",
    )?;
    expect(
        browser,
        "[...document.querySelectorAll('.pane > header')].map(head => head.scrollWidth <= head.clientWidth)",
        &json!([true, true]),
    )?;
    // Tabs scroll sideways only.
    browser.look((900, 700), "light")?;
    expect(
        browser,
        "[...document.querySelectorAll('.tabs')].map(tabs => getComputedStyle(tabs).overflowY)",
        &json!(["hidden", "hidden"]),
    )
}

/// Sets the medium that the page is shown on.
fn set_medium(browser: &mut Browser, medium: &str) -> Result<(), Problem> {
    let medium = json!({ "media": medium });
    browser.call("Emulation.setEmulatedMedia", &medium)?;
    Ok(())
}

/// Printed are all rows, lines and graphs. They are as they were afterwards.
fn paper(browser: &mut Browser) -> Result<(), Problem> {
    // Those that the scripts of the page add are called before these.
    browser.evaluate(
        "addEventListener('beforeprint', () => { window.printed = document.querySelectorAll('.canvas > .row, .codeline').length; })",
    )?;
    let rows = browser.evaluate("parseInt(document.getElementById('found').textContent)")?;
    let in_sight = "document.querySelectorAll('.canvas > .row').length";
    let before = browser.evaluate(in_sight)?;
    browser.call("Page.printToPDF", &json!({}))?;
    expect(browser, "window.printed", &rows)?;
    expect(browser, in_sight, &before)?;
    set_medium(browser, "print")?;
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")?;
    let is_whole = "[...document.querySelectorAll('main, .rows, .code, .scroll')].every(box => \
                    box.scrollHeight <= box.clientHeight + 2 && box.scrollWidth <= box.clientWidth + 2)";
    expect_true(browser, is_whole)?;
    browser.evaluate("dispatchEvent(new Event('afterprint'))")?;
    open_only(browser)?;
    browser.wait_for("document.querySelector('.scroll > svg')")?;
    browser.evaluate(AFTER_FRAMES)?;
    // Wider than the pane.
    browser.evaluate("for (let i = 0; i < 6; i++) document.querySelectorAll('[aria-label^=Larger]').forEach(button => button.click())")?;
    expect_true(browser, is_whole)?;
    click(browser, "#tab-spirv")?;
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")?;
    expect_true(
        browser,
        "window.printed === parseInt(document.querySelector('.codebar .dim').textContent)",
    )?;
    expect_true(browser, is_whole)?;
    browser.evaluate("dispatchEvent(new Event('afterprint'))")?;
    set_medium(browser, "")
}

/// A printed list ends after some rows, and says so.
fn long_paper(browser: &mut Browser) -> Result<(), Problem> {
    expect(
        browser,
        "(() => { dispatchEvent(new Event('beforeprint')); \
         const found = [document.querySelectorAll('.canvas > .row').length, document.querySelector('.canvas > .note').textContent]; \
         dispatchEvent(new Event('afterprint')); return found; })()",
        &json!([2000, "8,000 more rows: not printed."]),
    )?;
    expect(
        browser,
        "document.querySelectorAll('.canvas > .note').length",
        &json!(0),
    )
}

/// What all objects have is not an order.
fn wrong_addresses(browser: &mut Browser) -> Result<(), Problem> {
    expect_true(
        browser,
        "document.querySelectorAll('.canvas > .row').length > 10",
    )
}

/// The totals are the sums of the shaders, and the counter of switches is one of them.
fn structure(browser: &mut Browser) -> Result<(), Problem> {
    let sums = "data.counters.map((name, number) => { let sum = 0; for (const list of shaders.counts) \
                for (let at = 0; at < list.length; at += 2) if (list[at] === number) sum += list[at + 1]; \
                return [name, sum.toLocaleString('en')]; })";
    let sums = browser.evaluate(&in_data(sums))?;
    expect(
        browser,
        "[...document.querySelectorAll('.plain tbody tr')].map(row => [row.querySelector('th').firstChild.textContent, row.querySelector('td').textContent])",
        &sums,
    )?;
    expect_true(
        browser,
        "[...document.querySelectorAll('.plain .link')].some(link => link.textContent === 'switches')",
    )
}

/// What can be clicked has a colour of its own.
fn links(browser: &mut Browser) -> Result<(), Problem> {
    for scheme in ["light", "dark"] {
        browser.look((1440, 900), scheme)?;
        expect_true(
            browser,
            "[...document.querySelectorAll('.link')].every(link => getComputedStyle(link).color !== getComputedStyle(document.body).color)",
        )?;
    }
    Ok(())
}

/// The place in a list and in the overview is kept while a shader is open.
fn way_back(browser: &mut Browser) -> Result<(), Problem> {
    browser.evaluate("document.querySelector('.rows').scrollTop = 20000")?;
    browser.evaluate(AFTER_FRAMES)?;
    let place = "[document.querySelector('.rows')?.scrollTop, document.querySelector('[aria-selected=true]')?.id]";
    for back in [
        "document.querySelector('.crumbs button').click()",
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))",
        "history.back()",
    ] {
        let row = "document.getElementById('row-600')";
        browser.evaluate(&format!("{row}.click()"))?;
        expect_true(browser, "document.querySelector('.shader')")?;
        browser.evaluate(back)?;
        browser.wait_for("document.querySelector('.rows')")?;
        expect(browser, place, &json!([20000, "row-600"]))?;
    }
    // From a shader of the overview, Escape leads back there, and the button to its row in the list.
    browser.press("1")?;
    let main = "document.getElementById('main').scrollTop";
    browser.evaluate(&format!("{main} = 200"))?;
    click(browser, ".bars .link")?;
    browser.press("Escape")?;
    expect(
        browser,
        "document.querySelector('[aria-current]').textContent",
        &json!("Overview"),
    )?;
    expect(browser, main, &json!(200))?;
    let name = browser.evaluate("document.querySelector('.bars .link').title")?;
    click(browser, ".bars .link")?;
    click(browser, ".crumbs button")?;
    expect(
        browser,
        "document.querySelector('[aria-selected=true] .path').textContent",
        &name,
    )
}

/// The command that converts a shader has the options of the batch, and a long name of an output is wrapped.
fn commands(browser: &mut Browser) -> Result<(), Problem> {
    browser.wait_for("document.querySelectorAll('.command').length === 5")?;
    expect(
        browser,
        "[...document.querySelectorAll('.command code')].at(-1).textContent.split(' --entry ')[1]",
        &json!("main --target vulkan1.1 --shift 'srv=1 2' --asm"),
    )?;
    expect_true(
        browser,
        "document.getElementById('main').scrollWidth <= innerWidth",
    )
}
