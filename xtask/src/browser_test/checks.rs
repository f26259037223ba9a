//! What is checked in the browser.

use std::path::Path;

use serde_json::{Value, json};

use super::devtools::{Browser, Problem};
use super::pages::HOSTILE;

/// A check, on a page that was just opened.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) fragment: &'static str,
    pub(super) run: fn(&mut Browser) -> Result<(), Problem>,
}

/// The checks of the corpus's page.
pub(super) const OF_CORPUS: &[Check] = &[
    Check {
        name: "overview",
        fragment: "",
        run: overview,
    },
    Check {
        name: "sorting",
        fragment: "#view=shaders",
        run: sorting,
    },
    Check {
        name: "filters",
        fragment: "#view=shaders",
        run: filters,
    },
    Check {
        name: "keyboard",
        fragment: "",
        run: keyboard,
    },
    Check {
        name: "details",
        fragment: "#view=shaders&query=debug_information.zi.dxil",
        run: details,
    },
    Check {
        name: "failures",
        fragment: "#view=failures",
        run: failures,
    },
    Check {
        name: "address",
        fragment: "#view=shaders&query=waves&sort=time&down=1",
        run: address,
    },
    Check {
        name: "colours",
        fragment: "",
        run: colours,
    },
    Check {
        name: "roles",
        fragment: "#view=shaders",
        run: roles,
    },
];

/// A promise of the second frame from now.
pub(super) const AFTER_FRAMES: &str =
    "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";

/// Limits of the large page, in milliseconds: several times what a desktop of 2020 needs, so that a busy
/// machine passes, and a page that draws all rows does not.
const MAX_SORT: f64 = 250.0;
const MAX_FILTER: f64 = 150.0;
/// The page's own work for a frame of scrolling, on average: within it, the next frame is in time.
const MAX_WORK: f64 = 16.0;

/// Frames that are scrolled.
const FRAMES: u32 = 120;

/// Opens the page, runs the check, and requires that the page reported and requested nothing.
pub(super) fn run(check: &Check, browser: &mut Browser, page: &Path) -> Result<String, Problem> {
    browser.look((1440, 900), "light")?;
    browser.open(page, check.fragment)?;
    (check.run)(browser)?;
    quiet(browser)?;
    Ok(String::new())
}

/// Requires that nothing was reported and requested.
fn quiet(browser: &Browser) -> Result<(), Problem> {
    match browser.problems.first().or(browser.requests.first()) {
        Some(problem) => Err(format!("the page was not quiet: {problem}")),
        None => Ok(()),
    }
}

/// An expression with the page's data as `data` and `shaders`, which the page's scripts keep to themselves.
pub(super) fn in_data(expression: &str) -> String {
    format!(
        "(() => {{ const data = JSON.parse(document.getElementById('data').textContent), shaders = data.shaders; return {expression}; }})()"
    )
}

/// Requires that an expression has a value.
pub(super) fn expect(
    browser: &mut Browser,
    expression: &str,
    expected: &Value,
) -> Result<(), Problem> {
    let found = browser.evaluate(expression)?;
    if found == *expected {
        return Ok(());
    }
    Err(format!("{expression}: expected {expected}, found {found}"))
}

pub(super) fn expect_true(browser: &mut Browser, condition: &str) -> Result<(), Problem> {
    expect(browser, &format!("Boolean({condition})"), &json!(true))
}

pub(super) fn click(browser: &mut Browser, selector: &str) -> Result<(), Problem> {
    browser.evaluate(&format!(
        "document.querySelector({}).click()",
        json!(selector)
    ))?;
    Ok(())
}

/// The texts of a column of the rows in sight.
fn column(number: usize) -> String {
    format!(
        "[...document.querySelectorAll('.canvas > .row')].sort((a, b) => a.dataset.at - b.dataset.at).map(row => row.children[{number}].textContent)"
    )
}

fn overview(browser: &mut Browser) -> Result<(), Problem> {
    let count = browser.evaluate(&in_data("shaders.input.length.toLocaleString('en')"))?;
    expect(
        browser,
        "document.querySelector('.tile dd').textContent",
        &count,
    )?;
    expect_true(
        browser,
        "document.querySelectorAll('.chart .bin').length > 20",
    )?;
    expect_true(browser, "document.querySelectorAll('.cause').length > 3")?;
    expect_true(
        browser,
        "document.querySelector('.cause .todo').textContent.length > 30",
    )?;
    // A click on a bar shows the shaders of that bin.
    let bin = "[...document.querySelectorAll('.bin')].at(3)";
    let wanted = browser.evaluate(&format!(
        "{bin}.getAttribute('aria-label').match(/: ([\\d,]+)/)[1]"
    ))?;
    browser.evaluate(&format!(
        "{bin}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
    ))?;
    expect(
        browser,
        "document.getElementById('found').textContent.split(' ')[0]",
        &wanted,
    )?;
    expect(
        browser,
        "document.querySelectorAll('.chip').length",
        &json!(1),
    )
}

fn sorting(browser: &mut Browser) -> Result<(), Problem> {
    let header = |name: &str| {
        format!(
            "[...document.querySelectorAll('.head button')].find(b => b.textContent.startsWith('{name}'))"
        )
    };
    let largest = browser.evaluate(&in_data(
        "shaders.input[shaders.words.indexOf(Math.max(...shaders.words))].split('/').at(-1)",
    ))?;
    browser.evaluate(&format!("{}.click()", header("SPIR-V")))?;
    expect(
        browser,
        "document.querySelector('[aria-sort=descending]').textContent",
        &json!("SPIR-V↓"),
    )?;
    expect(
        browser,
        "document.querySelector('#row-0 .file').textContent",
        &largest,
    )?;
    browser.evaluate(&format!("{}.click()", header("SPIR-V")))?;
    expect(
        browser,
        "document.querySelectorAll('[aria-sort=ascending]').length",
        &json!(1),
    )?;
    browser.evaluate(&format!("{}.click()", header("Shader")))?;
    let names = browser.evaluate(&column(1))?;
    let names: Vec<&str> = names
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if names.len() < 10 || !names.is_sorted() {
        return Err(format!("the names are not sorted: {names:?}"));
    }
    Ok(())
}

fn filters(browser: &mut Browser) -> Result<(), Problem> {
    let failed = browser.evaluate(&in_data("data.totals.failed"))?;
    browser.evaluate("[...document.querySelectorAll('.choices button')].find(b => b.textContent.startsWith('Failed')).click()")?;
    expect(
        browser,
        "+document.getElementById('found').textContent.split(' ')[0]",
        &failed,
    )?;
    expect_true(
        browser,
        &format!("{}.every(text => text === 'failed')", column(0)),
    )?;
    // The hostile name is text.
    browser.press("/")?;
    browser.write("onerror=")?;
    expect(
        browser,
        "document.getElementById('found').textContent.split(' ')[0]",
        &json!("1"),
    )?;
    expect_true(
        browser,
        &format!(
            "document.querySelector('#row-0 .path').textContent.includes({})",
            json!(HOSTILE)
        ),
    )?;
    expect(browser, "document.images.length", &json!(0))?;
    // Escape clears the search; what is sought and does not exist is said.
    browser.press("Escape")?;
    expect(
        browser,
        "+document.getElementById('found').textContent.split(' ')[0]",
        &failed,
    )?;
    browser.press("/")?;
    browser.write("no such shader")?;
    expect(
        browser,
        "document.querySelectorAll('.canvas > .row').length",
        &json!(0),
    )?;
    expect_true(browser, "document.querySelector('.rows.none')")
}

fn keyboard(browser: &mut Browser) -> Result<(), Problem> {
    browser.press("?")?;
    expect_true(browser, "document.getElementById('help').open")?;
    browser.evaluate("document.getElementById('help').close()")?;
    browser.press("2")?;
    for key in ["j", "ArrowDown", "ArrowDown", "k"] {
        browser.press(key)?;
    }
    expect(
        browser,
        "document.querySelector('[aria-selected=true]').id",
        &json!("row-2"),
    )?;
    let name = browser.evaluate("document.querySelector('#row-2 .file').textContent")?;
    browser.press("Enter")?;
    expect_true(
        browser,
        &format!("document.querySelector('.shader > h2').textContent.includes({name})"),
    )?;
    browser.wait_for("document.querySelector('[role=tab][aria-selected=true]')")?;
    // Digits choose tabs, `j` the next shader, Escape leads back to its row.
    browser.press("2")?;
    expect(
        browser,
        "document.querySelector('[role=tab][aria-selected=true]').textContent",
        &json!("Pseudo-code"),
    )?;
    browser.press("j")?;
    expect_true(
        browser,
        &format!("!document.querySelector('.shader > h2').textContent.includes({name})"),
    )?;
    browser.press("Escape")?;
    expect(
        browser,
        "document.querySelector('[aria-selected=true]').id",
        &json!("row-3"),
    )?;
    browser.press("End")?;
    let last = browser.evaluate(&in_data("`row-${shaders.input.length - 1}`"))?;
    expect(
        browser,
        "document.querySelector('[aria-selected=true]').id",
        &last,
    )
}

/// All tabs of a shader with embedded HLSL.
fn details(browser: &mut Browser) -> Result<(), Problem> {
    browser.press("Enter")?;
    browser.wait_for("document.querySelector('.scroll > svg')")?;
    expect(
        browser,
        "document.querySelectorAll('.scroll > svg').length",
        &json!(2),
    )?;
    expect_true(
        browser,
        "document.querySelectorAll('.pane:last-of-type .tv-node').length > 3",
    )?;
    click(browser, "aside li button")?;
    expect_true(browser, "document.querySelectorAll('.tv-hot').length > 0")?;
    for (tab, text) in [
        ("tree", "if"),
        ("hlsl", "float4 main"),
        ("dxil", "define void @main"),
        ("spirv", "OpEntryPoint Fragment"),
        ("operations", "StoreOutput"),
    ] {
        click(browser, &format!("#tab-{tab}"))?;
        expect(
            browser,
            "document.querySelector('.tabpanel').dataset.tab",
            &json!(tab),
        )?;
        if tab != "operations" {
            browser.evaluate(&format!("{{ const find = document.querySelector('.find'); find.value = {}; find.dispatchEvent(new Event('input')); }}", json!(text)))?;
        }
        expect_true(
            browser,
            &format!(
                "document.querySelector('.tabpanel').textContent.includes({})",
                json!(text)
            ),
        )?;
    }
    Ok(())
}

fn failures(browser: &mut Browser) -> Result<(), Problem> {
    let causes = browser.evaluate(&in_data("data.causes.length"))?;
    expect(
        browser,
        "document.querySelectorAll('.cause').length",
        &causes,
    )?;
    // The largest group comes first, and leads to its shaders.
    let count =
        browser.evaluate("document.querySelector('.cause > .link').textContent.split(' ')[0]")?;
    click(browser, ".cause > .link")?;
    expect(
        browser,
        "document.getElementById('found').textContent.split(' ')[0]",
        &count,
    )?;
    expect_true(
        browser,
        &format!("{}.every(text => text === 'failed')", column(0)),
    )?;
    browser.press("Enter")?;
    expect_true(
        browser,
        "document.querySelector('.failure').textContent.includes('What to do')",
    )
}

/// The address has the state, and the browser's back button works.
fn address(browser: &mut Browser) -> Result<(), Problem> {
    expect(
        browser,
        "document.getElementById('search').value",
        &json!("waves"),
    )?;
    expect(
        browser,
        "document.querySelectorAll('[aria-sort=descending]').length",
        &json!(1),
    )?;
    expect_true(
        browser,
        &format!("{}.every(text => text.includes('waves'))", column(1)),
    )?;
    browser.press("Enter")?;
    expect_true(browser, "/query=waves.*shader=\\d+/.test(location.hash)")?;
    browser.evaluate("history.back()")?;
    browser.wait_for("document.querySelector('.rows') && !document.querySelector('.shader')")?;
    expect(
        browser,
        "document.getElementById('search').value",
        &json!("waves"),
    )
}

fn colours(browser: &mut Browser) -> Result<(), Problem> {
    let light = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] > 128";
    expect(browser, light, &json!(true))?;
    browser.look((1440, 900), "dark")?;
    expect(browser, light, &json!(false))?;
    // The button's choice is stronger than the system's.
    click(browser, "#theme")?;
    expect(browser, light, &json!(true))?;
    click(browser, "#theme")?;
    browser.look((1440, 900), "light")?;
    expect(browser, light, &json!(false))?;
    browser.press("t")?;
    expect(
        browser,
        "document.documentElement.dataset.theme",
        &json!("auto"),
    )
}

/// What programs that read pages aloud need.
fn roles(browser: &mut Browser) -> Result<(), Problem> {
    let count = browser.evaluate(&in_data("String(shaders.input.length + 1)"))?;
    expect(
        browser,
        "document.querySelector('[role=grid]').getAttribute('aria-rowcount')",
        &count,
    )?;
    expect_true(
        browser,
        "document.getElementById(document.querySelector('[role=grid]').getAttribute('aria-activedescendant'))",
    )?;
    expect(
        browser,
        "document.querySelectorAll('[role=columnheader][aria-sort]').length",
        &json!(7),
    )?;
    let nameless = "[...document.querySelectorAll('button,input,select,[role=button]')].filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).length";
    for view in ["1", "2", "3", "4", "5"] {
        browser.press(view)?;
        expect(browser, nameless, &json!(0))?;
    }
    Ok(())
}

/// Sorts, filters and scrolls the page of many shaders, and returns the times.
pub(super) fn speed(browser: &mut Browser, page: &Path, count: usize) -> Result<String, Problem> {
    browser.look((1440, 900), "light")?;
    browser.open(page, "#view=shaders")?;
    expect(browser, &in_data("shaders.input.length"), &json!(count))?;
    expect_true(
        browser,
        "document.querySelectorAll('.canvas > .row').length < 100",
    )?;
    let sort = slowest(
        browser,
        "[0, 1, 2, 3, 4, 5, 6].map(i => () => document.querySelectorAll('.head button')[i].click())",
    )?;
    let filter = slowest(
        browser,
        "['p', 'pa', 'pass_1', 'pass_1 7', 'not supported', ''].map(text => () => {\
         const search = document.getElementById('search'); search.value = text;\
         search.dispatchEvent(new Event('input')); })",
    )?;
    let (work, frame) = scrolling(browser)?;
    quiet(browser)?;
    for (what, time, limit) in [
        ("sorting", sort, MAX_SORT),
        ("filtering", filter, MAX_FILTER),
        ("the work for a frame of scrolling", work, MAX_WORK),
    ] {
        if time > limit {
            return Err(format!(
                "{what} took {time:.1} ms, at most {limit} ms are permitted"
            ));
        }
    }
    Ok(format!(
        ", {count} shaders: sorting {sort:.1} ms, filtering {filter:.1} ms, scrolling {work:.1} ms of work per \
         frame, the median frame after {frame:.1} ms"
    ))
}

/// Returns the time of the slowest action of a list, with its layout. Of three tries the fastest counts, as
/// other programs run.
fn slowest(browser: &mut Browser, actions: &str) -> Result<f64, Problem> {
    let expression = format!(
        "(() => {{ const actions = {actions}, best = actions.map(() => Infinity);\
         for (let run = 0; run < 3; run++) actions.forEach((action, i) => {{\
         const start = performance.now(); action(); document.querySelector('.rows').scrollHeight;\
         best[i] = Math.min(best[i], performance.now() - start); }});\
         return Math.max(...best); }})()"
    );
    let time = browser.evaluate(&expression)?;
    time.as_f64().ok_or_else(|| "no time".to_owned())
}

/// Scrolls, and returns the page's work per frame and the median time between frames, which includes
/// painting in software.
fn scrolling(browser: &mut Browser) -> Result<(f64, f64), Problem> {
    let before = work(browser)?;
    let frames = browser.evaluate(&format!(
        "new Promise(done => {{ const box = document.querySelector('.rows'), times = []; let last = performance.now();\
         const step = now => {{ times.push(now - last); last = now; box.scrollTop += 700;\
         if (times.length < {FRAMES}) requestAnimationFrame(step);\
         else done(times.sort((a, b) => a - b)[{FRAMES} / 2]); }};\
         requestAnimationFrame(step); }})"
    ))?;
    let after = work(browser)?;
    expect_true(browser, "document.querySelector('.rows').scrollTop > 50000")?;
    let frame = frames.as_f64().ok_or("no time")?;
    Ok((1e3 * (after - before) / f64::from(FRAMES), frame))
}

/// Returns how long the page's thread has worked, in seconds.
fn work(browser: &mut Browser) -> Result<f64, Problem> {
    // Of the processor, so that it does not count while other programs run.
    browser.call(
        "Performance.enable",
        &json!({ "timeDomain": "threadTicks" }),
    )?;
    let metrics = browser.call("Performance.getMetrics", &json!({}))?;
    let metrics = metrics["metrics"].as_array().into_iter().flatten();
    let mut named = metrics.filter(|metric| metric["name"] == "TaskDuration");
    let value = named.next().and_then(|metric| metric["value"].as_f64());
    value.ok_or_else(|| "the browser does not measure".to_owned())
}
