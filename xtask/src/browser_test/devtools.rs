//! A headless Chromium that is driven through the DevTools protocol.
//!
//! The protocol's messages are JSON that ends in a zero byte, on the file descriptors 3 and 4 of the browser
//! (`--remote-debugging-pipe`): nothing listens on a port. A shell makes those of its standard input and
//! output. <https://chromedevtools.github.io/devtools-protocol/>

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Names of the browser, in the order in which they are looked for.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// The longest that an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What went wrong, as a sentence.
pub(super) type Problem = String;

/// Returns the path of an installed browser.
pub(super) fn find() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let paths = NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}

/// A browser with one page. It ends when this is dropped.
pub(super) struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: String,
    next: u64,
    /// Exceptions, errors on the console, and what the browser logged, since the page was opened.
    pub(super) problems: Vec<String>,
    /// Addresses that the page requested, without its own.
    pub(super) requests: Vec<String>,
}

impl Browser {
    /// Starts the browser, with its files in `folder`.
    pub(super) fn start(program: &Path, folder: &Path) -> Result<Self, Problem> {
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >&2 2>/dev/null",
            ])
            .arg(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
            ])
            .args([
                "--no-first-run",
                "--disable-dev-shm-usage",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err("the browser has no pipes".to_owned());
        };
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for part in BufReader::new(output).split(0) {
                let message = part
                    .ok()
                    .and_then(|part| serde_json::from_slice(&part).ok());
                let Some(message) = message else { break };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            child,
            input,
            messages,
            session: String::new(),
            next: 0,
            problems: Vec::new(),
            requests: Vec::new(),
        };
        browser.attach()?;
        Ok(browser)
    }

    /// Makes a page, and asks for its events.
    fn attach(&mut self) -> Result<(), Problem> {
        let target = self.call("Target.createTarget", &json!({ "url": "about:blank" }))?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call("Target.attachToTarget", &attach)?;
        session["sessionId"]
            .as_str()
            .unwrap_or_default()
            .clone_into(&mut self.session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), &json!({}))?;
        }
        Ok(())
    }

    /// Calls a method and returns its result.
    pub(super) fn call(&mut self, method: &str, parameters: &Value) -> Result<Value, Problem> {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let sent = self
            .input
            .write_all(&bytes)
            .and_then(|()| self.input.flush());
        sent.map_err(|error| format!("the browser does not listen: {error}"))?;
        let answer = self.until(method, |message| message["id"] == id)?;
        match answer.get("error") {
            Some(error) => Err(format!("{method}: {error}")),
            None => Ok(answer["result"].clone()),
        }
    }

    /// Takes messages until one is wanted, and keeps what events report.
    fn until(&mut self, what: &str, is_wanted: impl Fn(&Value) -> bool) -> Result<Value, Problem> {
        let end = Instant::now() + PATIENCE;
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            let message = self
                .messages
                .recv_timeout(rest)
                .map_err(|error| match error {
                    RecvTimeoutError::Timeout => format!("{what}: no answer in {PATIENCE:?}"),
                    RecvTimeoutError::Disconnected => format!("{what}: the browser has ended"),
                })?;
            self.note(&message);
            if is_wanted(&message) {
                return Ok(message);
            }
        }
    }

    fn note(&mut self, message: &Value) {
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                let details = &parameters["exceptionDetails"];
                let text = &details["exception"]["description"];
                self.problems
                    .push(format!("exception: {} {text}", details["text"]));
            }
            Some("Runtime.consoleAPICalled") => {
                self.problems
                    .push(format!("console: {}", parameters["args"]));
            }
            Some("Log.entryAdded") => {
                let entry = &parameters["entry"];
                self.problems
                    .push(format!("log: {} {}", entry["level"], entry["text"]));
            }
            Some("Network.requestWillBeSent") => {
                let address = parameters["request"]["url"].as_str().unwrap_or_default();
                if parameters["type"] != "Document" {
                    self.requests.push(address.to_owned());
                }
            }
            _ => {}
        }
    }

    /// Opens a file, and waits until it is loaded.
    pub(super) fn open(&mut self, file: &Path, fragment: &str) -> Result<(), Problem> {
        // The same file with another fragment would not be loaded again.
        self.call("Page.navigate", &json!({ "url": "about:blank" }))?;
        self.until("about:blank", |message| {
            message["method"] == "Page.loadEventFired"
        })?;
        let url = format!("file://{}{fragment}", file.display());
        self.call("Page.navigate", &json!({ "url": url }))?;
        self.until("the page", |message| {
            message["method"] == "Page.loadEventFired"
        })?;
        Ok(())
    }

    /// Evaluates an expression in the page, waits for its promise, and returns the value.
    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value, Problem> {
        let parameters =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", &parameters)?;
        if let Some(details) = answer.get("exceptionDetails") {
            return Err(format!(
                "{expression}: {}",
                details["exception"]["description"]
            ));
        }
        Ok(answer["result"]["value"].clone())
    }

    /// Waits until an expression about the document in the page's first frame is true. The expression does not
    /// see the variables of the frame's scripts.
    pub(super) fn wait_for_in_frame(&mut self, condition: &str) -> Result<(), Problem> {
        let end = Instant::now() + PATIENCE;
        loop {
            // The frame is there once it is being loaded, and its document changes then.
            let tree = self.call("Page.getFrameTree", &json!({}))?;
            let frame = &tree["frameTree"]["childFrames"][0]["frame"]["id"];
            if frame.is_string() {
                let world = self.call("Page.createIsolatedWorld", &json!({ "frameId": frame }))?;
                let parameters = json!({
                    "expression": format!("Boolean({condition})"),
                    "contextId": world["executionContextId"],
                    "returnByValue": true,
                });
                if let Ok(answer) = self.call("Runtime.evaluate", &parameters)
                    && answer["result"]["value"] == json!(true)
                {
                    return Ok(());
                }
            }
            if Instant::now() > end {
                return Err(format!(
                    "this did not become true in the frame: {condition}"
                ));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until an expression is true.
    pub(super) fn wait_for(&mut self, condition: &str) -> Result<(), Problem> {
        let end = Instant::now() + PATIENCE / 4;
        while self.evaluate(&format!("Boolean({condition})"))? != json!(true) {
            if Instant::now() > end {
                return Err(format!("this did not become true: {condition}"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Presses and releases a key: a character, or a name such as `Enter`.
    pub(super) fn press(&mut self, key: &str) -> Result<(), Problem> {
        let mut event = json!({ "type": "keyDown", "key": key });
        match key {
            "Enter" => {
                event["text"] = json!("\r");
                event["windowsVirtualKeyCode"] = json!(13);
            }
            _ if key.chars().count() == 1 => event["text"] = json!(key),
            _ => {}
        }
        self.call("Input.dispatchKeyEvent", &event)?;
        event["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", &event)?;
        Ok(())
    }

    /// Types a text into what has the focus.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Problem> {
        self.call("Input.insertText", &json!({ "text": text }))
            .map(|_| ())
    }

    /// Sets the size of the page and the colours that its user prefers.
    pub(super) fn look(
        &mut self,
        (width, height): (u32, u32),
        scheme: &str,
    ) -> Result<(), Problem> {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", &size)?;
        let feature = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", &feature)
            .map(|_| ())
    }

    /// Returns a picture of the page as text (base64 of a PNG).
    pub(super) fn picture(&mut self) -> Result<String, Problem> {
        let picture = self.call("Page.captureScreenshot", &json!({ "format": "png" }))?;
        Ok(picture["data"].as_str().unwrap_or_default().to_owned())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.clear();
        // A browser that does not answer is ended.
        if self.call("Browser.close", &json!({})).is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
