//! The thread that writes the audit log.
//! Given acts by the gate and by whatever acts by itself. The law: acts are written in the order in which they come;
//! nobody who acts waits long for a disk; what there is no room for is counted.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use api::people::{AuditEntries, AuditEntry};
use tokio::sync::oneshot;

use super::audit::AuditLog;

/// Acts that may wait for the disk.
const QUEUE_LENGTH: usize = 1024;

/// How long a slow disk may keep somebody who acts, or reads.
const WRITE_TIMEOUT: Duration = Duration::from_millis(100);
const READ_TIMEOUT: Duration = Duration::from_secs(10);

enum WriterCommand {
    Add(AuditEntry, oneshot::Sender<()>),
    Last(usize, oneshot::Sender<AuditEntries>),
}

/// Sends entries to the thread that writes the audit log.
#[derive(Debug)]
pub struct AuditWriter {
    commands: SyncSender<WriterCommand>,
    unwritten: AtomicU64,
    passed_over: AtomicU64,
}

impl AuditWriter {
    /// One who writes this log.
    ///
    /// # Errors
    /// There is no thread for it.
    pub fn of(audit: AuditLog) -> io::Result<AuditWriter> {
        let (commands, coming) = sync_channel(QUEUE_LENGTH);
        let thread = std::thread::Builder::new().name("audit".to_owned());
        thread.spawn(move || serve(audit, &coming))?;
        Ok(AuditWriter {
            commands,
            unwritten: AtomicU64::new(0),
            passed_over: AtomicU64::new(0),
        })
    }

    /// Writes down an act, and waits a moment until that is done.
    pub async fn add(&self, act: AuditEntry) {
        let (tell, told) = oneshot::channel();
        if self
            .commands
            .try_send(WriterCommand::Add(act, tell))
            .is_err()
        {
            self.unwritten.fetch_add(1, Ordering::Relaxed);
            return;
        }
        // Only the thread waits for a slow disk.
        let _ = tokio::time::timeout(WRITE_TIMEOUT, told).await;
    }

    /// What a stranger tries once more is counted alone.
    pub fn pass_over(&self) {
        self.passed_over.fetch_add(1, Ordering::Relaxed);
    }

    /// The last acts; nothing if the disk does not give them.
    pub async fn last(&self, most: usize) -> Option<AuditEntries> {
        let (tell, told) = oneshot::channel();
        self.commands
            .try_send(WriterCommand::Last(most, tell))
            .ok()?;
        let mut acts = tokio::time::timeout(READ_TIMEOUT, told).await.ok()?.ok()?;
        acts.lost += self.unwritten.load(Ordering::Relaxed);
        acts.passed_over = self.passed_over.load(Ordering::Relaxed);
        Some(acts)
    }
}

fn serve(mut audit: AuditLog, coming: &Receiver<WriterCommand>) {
    // Whoever asked may have gone.
    for command in coming {
        match command {
            WriterCommand::Add(act, tell) => {
                audit.add(&act);
                let _ = tell.send(());
            }
            WriterCommand::Last(most, tell) => {
                let _ = tell.send(AuditEntries {
                    acts: audit.last(most),
                    lost: audit.lost,
                    passed_over: 0,
                });
            }
        }
    }
}
