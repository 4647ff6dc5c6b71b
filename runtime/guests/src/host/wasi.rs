//! What a score may have of WASI. Standard output goes to its log. Clocks and random numbers need a grant in
//! `robot.toml`, and so does a folder. The rest is there, because toolchains always import it, but reaches nothing: no
//! environment, no input, no file, no network. Hooks never have WASI.
//! What was not granted reaches nothing. `load::contract` refuses its import, or here it is not opened.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use wasmtime::component::{Component, HasData, Linker, ResourceTable};
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView};
use wasmtime_wasi::p2::bindings::io::error;
use wasmtime_wasi::p2::bindings::{cli, clocks, filesystem, random, sync};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::Host;
use super::poll::{PollData, PollTable};
use crate::shared::guest_body::GuestBody;
use crate::shared::log::{LinePrinter, LogQueue};

/// What a component may use besides the contract.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct WasiGrant {
    /// Clocks.
    pub clocks: bool,
    /// Random numbers.
    pub random: bool,
}

/// What a score is given of WASI.
#[derive(Clone, Debug, Default)]
pub struct WasiAccess {
    /// The words of the grant.
    pub grant: WasiGrant,
    /// The folder, seen by the score as `/`.
    pub folder: Option<PathBuf>,
}

/// StreamTable, files and the like that a score can hold.
const RESOURCES: usize = 1024;

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
        // The builder begins with no address that may be reached, no environment, no arguments and no input.
        builder.allow_blocking_current_thread(true);
        let [stdout, stderr] = [(); 2].map(|()| LinePrinter::new(queue, body));
        builder.stdout(stdout.clone()).stderr(stderr.clone());
        if let Some(folder) = access.folder.as_ref() {
            builder.preopened_dir(folder, "/", FsPerms::ReadWrite)?;
        }
        let mut table = ResourceTable::new();
        table.set_max_capacity(RESOURCES);
        Ok(Wasi {
            ctx: builder.build(),
            table,
            printers: vec![stdout, stderr],
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

/// How the streams find their table.
struct StreamTable;

impl HasData for StreamTable {
    type Data<'a> = &'a mut ResourceTable;
}

/// Adds WASI to a linker, without sockets and HTTP; the contract's check has decided which parts of it a score may
/// import.
pub(crate) fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    let l = linker;
    error::add_to_linker::<Host, StreamTable>(l, |host| host.ctx().table)?;
    sync::io::poll::add_to_linker::<Host, PollData>(l, |host| {
        let report = host.cancel.clone();
        let table = host.ctx().table;
        PollTable { table, report }
    })?;
    sync::io::streams::add_to_linker::<Host, StreamTable>(l, |host| host.ctx().table)?;
    clocks::wall_clock::add_to_linker::<Host, WasiClocks>(l, Host::clocks)?;
    clocks::monotonic_clock::add_to_linker::<Host, WasiClocks>(l, Host::clocks)?;
    random::random::add_to_linker::<Host, WasiRandom>(l, Host::random)?;
    random::insecure::add_to_linker::<Host, WasiRandom>(l, Host::random)?;
    random::insecure_seed::add_to_linker::<Host, WasiRandom>(l, Host::random)?;
    filesystem::preopens::add_to_linker::<Host, WasiFilesystem>(l, Host::filesystem)?;
    sync::filesystem::types::add_to_linker::<Host, WasiFilesystem>(l, Host::filesystem)?;
    cli::exit::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::environment::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::stdin::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::stdout::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::stderr::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_input::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_output::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_stdin::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_stdout::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    cli::terminal_stderr::add_to_linker::<Host, WasiCli>(l, Host::cli)?;
    Ok(())
}

/// A linker for a score that imports sockets or HTTP, as some toolchains always do: whoever calls one of them traps.
pub(crate) fn link_inert(
    linker: &Linker<Host>,
    component: &Component,
) -> wasmtime::Result<Linker<Host>> {
    let mut linker = linker.clone();
    linker.define_unknown_imports_as_traps(component)?;
    Ok(linker)
}

/// The parts of WASI that need no grant: without a folder they reach nothing.
pub(crate) const FREE: &[&str] = &[
    "wasi:io/",
    "wasi:cli/environment",
    "wasi:cli/exit",
    "wasi:cli/stdin",
    "wasi:cli/stdout",
    "wasi:cli/stderr",
    "wasi:cli/terminal-",
    "wasi:filesystem/",
];

/// The parts that can be imported, but not called.
pub(crate) const INERT: &[&str] = &["wasi:sockets/", "wasi:http/"];
