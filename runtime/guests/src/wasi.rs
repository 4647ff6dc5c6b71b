//! What a score may have of WASI, if its grant in `robot.toml` says so: clocks, random numbers, standard
//! output, one folder. Never a hook.
//! The law: what was not granted is not there: `contract` refuses its import, and here nothing is open.

use std::path::PathBuf;

use wasmtime::component::{Linker, ResourceTable};
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use crate::answer::Level;
use crate::contract::WasiGrant;
use crate::host::{Host, Line};

/// Bytes that a score may print.
const PRINTED: usize = 1 << 20;

/// What is given.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The words of the grant.
    pub grant: WasiGrant,
    /// The folder, seen by the score as `/`.
    pub folder: Option<PathBuf>,
}

/// A score's own part of it.
pub(crate) struct Wasi {
    ctx: WasiCtx,
    table: ResourceTable,
    printed: MemoryOutputPipe,
    /// Bytes of it that were told.
    told: usize,
}

impl std::fmt::Debug for Wasi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wasi")
    }
}

impl Wasi {
    pub(crate) fn new(access: &Access) -> wasmtime::Result<Wasi> {
        let printed = MemoryOutputPipe::new(PRINTED);
        let mut builder = WasiCtxBuilder::new();
        // No network, no environment, no arguments, no input: as the builder begins.
        builder.allow_blocking_current_thread(true);
        if access.grant.stdout {
            builder.stdout(printed.clone()).stderr(printed.clone());
        }
        if let Some(folder) = access.folder.as_ref().filter(|_| access.grant.files) {
            builder.preopened_dir(folder, "/", FsPerms::ReadWrite)?;
        }
        Ok(Wasi {
            ctx: builder.build(),
            table: ResourceTable::new(),
            printed,
            told: 0,
        })
    }

    /// The lines that it has printed since it was last asked; at its end, also what is not a whole line.
    pub(crate) fn printed(&mut self, ended: bool) -> Vec<String> {
        let all = self.printed.contents();
        let news = all.get(self.told..).unwrap_or(&[]);
        let last = news
            .iter()
            .rposition(|it| *it == b'\n')
            .map_or(0, |it| it + 1);
        let whole = if ended { news } else { &news[..last] };
        self.told += whole.len();
        let text = String::from_utf8_lossy(whole);
        text.lines().map(str::to_owned).collect()
    }
}

impl Host {
    /// Writes down what a score has printed, as lines of its log.
    pub(crate) fn tell_printed(&mut self, ended: bool) {
        let now = self.scene.window.now().nanos();
        let printed = self.wasi.as_mut().map(|it| it.printed(ended));
        for line in printed.unwrap_or_default() {
            // As for any line: if nobody reads them, no more are kept.
            let _ = self.lines.push(Line::new(now, Level::Info, &line));
        }
    }
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let wasi = self.wasi.get_or_insert_with(|| {
            // Without a grant no import of it was let in, so nobody asks. If somebody did, this is empty.
            Wasi {
                ctx: WasiCtx::builder().build(),
                table: ResourceTable::new(),
                printed: MemoryOutputPipe::new(0),
                told: 0,
            }
        });
        WasiCtxView {
            ctx: &mut wasi.ctx,
            table: &mut wasi.table,
        }
    }
}

/// Gives a linker WASI; which parts of it a score may import was decided before.
pub(crate) fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_sync(linker)
}
