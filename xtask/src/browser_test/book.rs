//! The book of `cargo xtask book`: the page with the explorer in it.

use std::path::Path;

use super::devtools::{Browser, Problem};

/// Opens the page of the built book that embeds the explorer, and uses it there.
pub(super) fn check(browser: &mut Browser, book: &Path) -> Result<String, Problem> {
    let book = book.canonicalize().map_err(|error| error.to_string())?;
    browser.problems.clear();
    browser.requests.clear();
    browser.open(&book.join("explorer.html"), "")?;
    let ready = "document.documentElement.dataset.ready && document.querySelector('#graph svg')";
    browser.wait_for_in_frame(ready)?;
    browser.wait_for_in_frame("document.getElementById('message').hidden")?;
    // Another shader is converted in the frame.
    let choose = "(() => { const list = document.getElementById('sample'); list.value = [...list.options].at(-1).value; \
        return list.dispatchEvent(new Event('change', { bubbles: true })); })()";
    browser.wait_for_in_frame(choose)?;
    let name = "[...document.getElementById('sample').options].at(-1).textContent.trim()";
    browser.wait_for_in_frame(&format!(
        "document.getElementById('status').textContent.startsWith({name})"
    ))?;
    if !browser.problems.is_empty() {
        return Err(browser.problems.join("; "));
    }
    let folder = format!("file://{}/", book.display());
    let local = |address: &String| address.starts_with(&folder) || address.starts_with("data:");
    match browser.requests.iter().find(|address| !local(address)) {
        Some(address) => Err(format!("the page requests {address}")),
        None => Ok(String::new()),
    }
}
