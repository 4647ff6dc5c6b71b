//! Chromium without a window, controlled over its DevTools protocol: does what a person does with the dashboard.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use tests::process::{TIMEOUT, until};

/// A browser with one page open.
pub(crate) struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    next: u64,
    _folder: tempfile::TempDir,
}

/// The path of the browser, if there is one.
fn program() -> PathBuf {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().find_map(|name| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .map(|split_path| split_path.join(name))
            .find(|path| path.is_file())
    });
    found.expect("this test needs a browser: `apt-get install chromium`")
}

impl Browser {
    /// Opens this page in a window of this size, with a light or a dark colour scheme.
    pub(crate) fn open(url: &str, (width, height): (u32, u32), dark: bool) -> Browser {
        let folder = tempfile::tempdir().expect("a folder");
        let child = Command::new(program())
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-port=0",
                "--no-first-run",
            ])
            .args([
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--disable-background-networking",
            ])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .arg(format!("--window-size={width},{height}"))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let told = folder.path().join("DevToolsActivePort");
        let mut port = String::new();
        until("the browser listens", || {
            port = std::fs::read_to_string(&told).unwrap_or_default();
            port.lines().count() == 2
        });
        let mut lines = port.lines();
        let (port, path) = (lines.next().expect("a port"), lines.next().expect("a path"));
        let stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("a browser");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
        let url_of_it = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client(url_of_it, stream).expect("a browser");
        let mut browser = Browser {
            child,
            socket,
            session: String::new(),
            next: 0,
            _folder: folder,
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.ask("Target.attachToTarget", attach);
        browser.session = attached["sessionId"]
            .as_str()
            .expect("a session")
            .to_owned();
        browser.ask("Page.enable", json!({}));
        browser.ask("Runtime.enable", json!({}));
        let scheme = if dark { "dark" } else { "light" };
        browser.look((width, height), &[("prefers-color-scheme", scheme)]);
        browser.ask("Page.navigate", json!({ "url": url }));
        browser
    }

    /// Gives the window this size, and the page these preferences of its reader.
    pub(crate) fn look(&mut self, (width, height): (u32, u32), features: &[(&str, &str)]) {
        let phone = width < 600;
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.ask("Emulation.setDeviceMetricsOverride", size);
        let features = features.iter();
        let features = features.map(|(name, value)| json!({ "name": name, "value": value }));
        let media = json!({ "features": features.collect::<Vec<_>>() });
        self.ask("Emulation.setEmulatedMedia", media);
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let told = self.try_ask(method, params);
        told.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.next += 1;
        let mut call = json!({ "id": self.next, "method": method, "params": params });
        if !self.session.is_empty() {
            call["sessionId"] = json!(self.session);
        }
        self.socket
            .send(Message::text(call.to_string()))
            .expect("a browser");
        loop {
            let Message::Text(text) = self.socket.read().expect("a browser") else {
                continue;
            };
            let told: Value = serde_json::from_str(&text).expect("JSON");
            if told["id"] == self.next {
                return match &told["error"] {
                    Value::Null => Ok(told["result"].clone()),
                    error => Err(error.clone()),
                };
            }
        }
    }

    /// Evaluates this expression on the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
        });
        let told = loop {
            match self.try_ask("Runtime.evaluate", params.clone()) {
                Ok(told) => break told,
                // The page was loaded meanwhile: an expression without side effects can be evaluated again.
                Err(error)
                    if error.to_string().contains("navigated")
                        && !expression.contains(".click(") =>
                {
                    std::thread::sleep(Duration::from_millis(30));
                }
                Err(error) => panic!("{expression}: {error}"),
            }
        };
        assert!(
            told["exceptionDetails"].is_null(),
            "{expression}: {}",
            told["exceptionDetails"]
        );
        told["result"]["value"].clone()
    }

    /// Waits until this expression is true.
    pub(crate) fn until(&mut self, expression: &str) {
        let begun = std::time::Instant::now();
        // An error counts as false, because the page may still be loading.
        let calm = format!(
            "(() => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }})()"
        );
        while self.value(&calm) != true {
            if begun.elapsed() > TIMEOUT {
                let page = self.value("document.body.innerText");
                panic!(
                    "waited in vain until {expression}:\n{}",
                    page.as_str().unwrap_or_default()
                );
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Clicks the element of this selector.
    pub(crate) fn click(&mut self, selector: &str) {
        // A button that is not for this state yet would do nothing.
        self.until(&format!(
            "(it => it && !it.hidden && !it.disabled)(document.querySelector({selector:?}))"
        ));
        self.value(&format!("document.querySelector({selector:?}).click()"));
    }

    /// Types into the element of this selector.
    pub(crate) fn fill(&mut self, selector: &str, text: &str) {
        self.value(&format!("document.querySelector({selector:?}).focus()"));
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str, code: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut press = json!({ "type": kind, "key": key, "code": code });
            // Keys with names, such as Escape, write nothing.
            if key.chars().count() == 1 {
                press["text"] = json!(key);
            }
            self.ask("Input.dispatchKeyEvent", press);
        }
    }

    /// Clicks the element of this selector with the mouse, so that it gets the focus.
    pub(crate) fn point(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const it = document.querySelector({selector:?}); it.scrollIntoView({{ block: 'center' }}); \
             const {{ x, y, width, height }} = it.getBoundingClientRect(); \
             return {{ x: x + width / 2, y: y + height / 2 }}; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let press = json!({
                "type": kind, "x": place["x"], "y": place["y"], "button": "left", "clickCount": 1,
            });
            self.ask("Input.dispatchMouseEvent", press);
        }
    }

    /// Puts the page to sleep for so long, as a browser does with hidden tabs.
    pub(crate) fn sleep(&mut self, long: Duration) {
        self.ask("Page.setWebLifecycleState", json!({ "state": "frozen" }));
        std::thread::sleep(long);
        self.ask("Page.setWebLifecycleState", json!({ "state": "active" }));
    }

    /// Chooses a file in an input.
    pub(crate) fn choose(&mut self, selector: &str, file: &Path) {
        let document = self.ask("DOM.getDocument", json!({}));
        let root = document["root"]["nodeId"].clone();
        let node = self.ask(
            "DOM.querySelector",
            json!({ "nodeId": root, "selector": selector }),
        );
        // The browser accepts no path with `..`.
        let file = file.canonicalize().expect("a file");
        let params = json!({ "nodeId": node["nodeId"], "files": [file] });
        self.ask("DOM.setFileInputFiles", params);
    }

    /// Saves a screenshot in a file.
    pub(crate) fn picture(&mut self, path: &Path) {
        let reply = self.ask("Page.captureScreenshot", json!({ "format": "png" }));
        let data = reply["data"].as_str().expect("a picture");
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(data)
            .expect("a picture");
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
