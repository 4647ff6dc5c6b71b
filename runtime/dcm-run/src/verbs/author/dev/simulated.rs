//! A simulated robot in this process, for a session. Called by `dev` if no robot is running.
//! The robot ends with the session and the session with the robot, so that nothing is left behind.

use std::any::Any;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use anyhow::{Context, Result};
use recording::ArchiveOptions;

use super::session::DevSession;
use super::subject::Subject;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::verbs::play::run::{self, LoopArgs, SideService};

/// Runs the robot, with the session beside it, until Ctrl-C.
pub(super) fn run(
    description: &str,
    session: DevSession,
    subject: Subject,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let args = run::Args {
        driven: LoopArgs {
            robot: Some(description.to_owned()),
            sim: true,
            wasi: session.options.wasi,
            id: Some(session.robot.clone()),
            quiet: true,
            ..LoopArgs::default()
        },
        stay: true,
        ..run::Args::default()
    };
    let beside = BesideLoop(RefCell::new(Some((session, subject))));
    run::run_beside(&args, output, Some(&beside))
}

/// A session that waits for its loop.
struct BesideLoop(RefCell<Option<(DevSession, Subject)>>);

/// A session on a thread of its own.
struct SessionThread {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl SideService for BesideLoop {
    fn start(&self, _: &str, _: &Path) -> Result<Box<dyn Any>> {
        let waiting = self.0.borrow_mut().take();
        let (session, subject) = waiting.context("a session has one loop")?;
        let stop = Arc::clone(&session.options.stop);
        let body = move || {
            // It tells its failures itself.
            let _ = session.run(subject);
        };
        let thread = std::thread::Builder::new()
            .name("dev".to_owned())
            .spawn(body)?;
        let thread = Some(thread);
        Ok(Box::new(SessionThread { stop, thread }))
    }

    fn archive(&self, _: &str) -> Result<Option<ArchiveOptions>> {
        Ok(None)
    }

    fn tells(&self) -> bool {
        true
    }
}

impl Drop for SessionThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // A panic was printed by its thread.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
