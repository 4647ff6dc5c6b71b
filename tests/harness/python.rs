//! The Python that tests the page's Python reader. Without numpy it is installed once, or the test fails and
//! says what to do.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A Python that has numpy: the system's, or a virtual environment below `target`.
pub fn python() -> &'static Path {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| {
        let has_numpy = |python: &Path| {
            let imported = Command::new(python).args(["-c", "import numpy"]).output();
            imported.is_ok_and(|imported| imported.status.success())
        };
        let systems = ["python3", "/usr/bin/python3"].map(PathBuf::from);
        if let Some(python) = systems.iter().find(|system| has_numpy(system)) {
            return python.clone();
        }
        let own = Path::new(ROOT).join("target/python");
        let python = own.join("bin/python3");
        if !has_numpy(&python) {
            let make = |words: &[&str]| Command::new(words[0]).args(&words[1..]).output();
            let (folder, of_own) = (own.display().to_string(), python.display().to_string());
            let made = make(&["python3", "-m", "venv", &folder])
                .and_then(|_| make(&[&of_own, "-m", "pip", "install", "--quiet", "numpy"]));
            assert!(
                made.is_ok_and(|value| value.status.success()) && has_numpy(&python),
                "the page's Python reader is tested with numpy, and none could be had; install it by \
                 apt-get install python3-numpy, or python3 -m pip install numpy"
            );
        }
        python
    })
}
