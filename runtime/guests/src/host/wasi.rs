//! What a score may have of WASI, if its grant in `robot.toml` says so: clocks, random numbers, standard output, one
//! folder. Hooks never have WASI.
//! The law: what was not granted is not there. `load::contract` refuses its import, and here it is not opened.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use wasmtime::component::{Linker, ResourceTable};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::Host;
use crate::shared::guest_body::GuestBody;
use crate::shared::log::{LinePrinter, LogQueue};

/// What a component may use besides the contract.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct WasiGrant {
    /// Clocks.
    pub clocks: bool,
    /// Random numbers.
    pub random: bool,
    /// Standard output, which goes to the log.
    pub stdout: bool,
    /// A folder.
    pub files: bool,
}

/// What a score is given of WASI.
#[derive(Clone, Debug, Default)]
pub struct WasiAccess {
    /// The words of the grant.
    pub grant: WasiGrant,
    /// The folder, seen by the score as `/`.
    pub folder: Option<PathBuf>,
}

/// A score's own part of it.
pub(crate) struct Wasi {
    ctx: WasiCtx,
    table: ResourceTable,
    /// Its two outputs; each has an unfinished line of its own.
    printers: Vec<LinePrinter>,
}

impl std::fmt::Debug for Wasi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wasi")
    }
}

impl Wasi {
    /// What it prints goes to this queue.
    pub(crate) fn new(
        access: &WasiAccess,
        queue: &Arc<Mutex<LogQueue>>,
        body: &Arc<GuestBody>,
    ) -> wasmtime::Result<Wasi> {
        let mut builder = WasiCtxBuilder::new();
        // The builder begins with no network, no environment, no arguments and no input.
        builder.allow_blocking_current_thread(true);
        let mut printers = Vec::new();
        if access.grant.stdout {
            let [stdout, stderr] = [(); 2].map(|()| LinePrinter::new(queue, body));
            builder.stdout(stdout.clone()).stderr(stderr.clone());
            printers.extend([stdout, stderr]);
        }
        if let Some(folder) = access.folder.as_ref().filter(|_| access.grant.files) {
            builder.preopened_dir(folder, "/", FsPerms::ReadWrite)?;
        }
        Ok(Wasi {
            ctx: builder.build(),
            table: ResourceTable::new(),
            printers,
        })
    }

    /// Ends its outputs: unfinished lines are written, and then the count of lost lines.
    pub(crate) fn end_printing(&mut self) {
        for printer in &self.printers {
            printer.end();
        }
    }
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let wasi = self.wasi.get_or_insert_with(|| {
            // Without a grant its imports were refused, so nobody calls this. If somebody did, it would find nothing.
            Wasi {
                ctx: WasiCtx::builder().build(),
                table: ResourceTable::new(),
                printers: Vec::new(),
            }
        });
        WasiCtxView {
            ctx: &mut wasi.ctx,
            table: &mut wasi.table,
        }
    }
}

/// Adds WASI to a linker; the contract's check has decided which parts of it a score may import.
pub(crate) fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_sync(linker)
}
