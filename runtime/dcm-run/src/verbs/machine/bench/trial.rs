//! One run of a loop for a bench: by the clock or in virtual time, with guests or without.
//! Called by `bench` for each period, and by `figures`. It ends after its turns, and nothing else ends it.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use description::Robot;
use guests::{Compiler, LoadOptions, THINKING};
use protocol::places::code_folder;
use robot::guest_policy::code_form;
use robot::guest_service::{GuestService, GuestServiceSettings, cache_in};
use robot::live::{
    Control, LoopSetup, LoopStatistics, Tempo, event_channel, live, request_channel,
};
use robot::realtime::{RealtimeOptions, RealtimeWarning};
use sensors::PageWriter;

use crate::choreography::guest_options::Piece;

/// What came of a run.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) statistics: LoopStatistics,
    /// What the machine did not grant.
    pub(super) lacks: Vec<RealtimeWarning>,
}

/// Runs the loop for so many turns, with so many guests of a choreography.
pub(super) fn play(
    robot: &Arc<Robot>,
    page: PageWriter,
    (tempo, realtime): (Tempo, Option<RealtimeOptions>),
    turns: u64,
    (piece, guests): (Option<&Piece>, usize),
) -> Result<Trial> {
    let settings = GuestServiceSettings {
        form: code_form(robot),
        lockstep: (tempo == Tempo::Fast).then_some(THINKING),
        compiler: Compiler::here(),
        cache: cache_in(code_folder().as_deref()).0,
        logged: false,
    };
    let started =
        GuestService::start(robot, page.window(), settings).map_err(|why| anyhow!(why))?;
    if let Some(piece) = piece {
        for _ in 0..guests {
            let entered =
                started
                    .service
                    .load(&piece.bytes, Some(&piece.file), LoadOptions::default());
            entered.with_context(|| format!("loading `{}`", piece.name))?;
        }
    }
    let (_sender, requests) = request_channel();
    let (events, _news) = event_channel();
    let control = Control::default();
    let setup = LoopSetup {
        realtime,
        page: Some(page),
        turns: Some(turns),
        arm: true,
        scheduler: Some(started.scheduler),
        ..LoopSetup::bare(tempo, requests, events, &control)
    };
    let mut lacks = Vec::new();
    let statistics = std::thread::scope(|scope| {
        let lacks = &mut lacks;
        let body = std::thread::Builder::new().name("loop".to_owned());
        let body = body.spawn_scoped(scope, move || {
            live(robot, setup, |had| *lacks = had.to_vec())
        });
        let body = body.context("starting the loop's thread")?;
        // A turn reports errors and does not panic; a panic is a bug, and is passed on.
        Ok::<_, anyhow::Error>(
            body.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?,
        )
    })?;
    Ok(Trial { statistics, lacks })
}
