//! Writes the bindings of all SDKs into their files: `cargo run -p bindings`.

use std::path::Path;
use std::process::ExitCode;

use bindings::{Contract, outputs};

fn main() -> ExitCode {
    match write(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(root: &Path) -> Result<(), String> {
    for output in outputs(&Contract::read(&root.join("wit"))?) {
        let path = root.join(output.path);
        let wanted = output.wanted(root)?;
        let is_new = std::fs::read_to_string(&path).is_ok_and(|string| string == wanted);
        if !is_new {
            if let Some(folder) = path.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            let told = |error| format!("{}: {error}", path.display());
            std::fs::write(&path, wanted).map_err(told)?;
            println!("{} is written", output.path);
        }
    }
    Ok(())
}
