//! The thread that writes the audit log.
//! The gate, plans and boot send it entries. Entries are written in order; a slow disk delays an act only
//! shortly; entries beyond the length of the queue are counted.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use protocol::people::{AuditEntries, AuditEntry};
use tokio::sync::oneshot;

use super::audit::AuditLog;

/// The maximum number of entries that wait for the disk.
const QUEUE_LENGTH: usize = 1024;

/// How long an act, or a reader of the log, waits for the disk.
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
    /// Starts the thread that writes this log.
    ///
    /// # Errors
    /// The thread cannot be started.
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

    /// Sends an entry, and waits until it is written, but not for long.
    pub async fn add(&self, act: AuditEntry) {
        let (done, is_done) = oneshot::channel();
        if self
            .commands
            .try_send(WriterCommand::Add(act, done))
            .is_err()
        {
            self.unwritten.fetch_add(1, Ordering::Relaxed);
            return;
        }
        // After the timeout only the thread waits.
        let _ = tokio::time::timeout(WRITE_TIMEOUT, is_done).await;
    }

    /// Counts an attempt of an unknown caller that is not logged.
    pub fn pass_over(&self) {
        self.passed_over.fetch_add(1, Ordering::Relaxed);
    }

    /// The last entries; `None` if the disk is too slow.
    pub async fn last(&self, most: usize) -> Option<AuditEntries> {
        let (reply, answer) = oneshot::channel();
        self.commands
            .try_send(WriterCommand::Last(most, reply))
            .ok()?;
        let mut acts = tokio::time::timeout(READ_TIMEOUT, answer)
            .await
            .ok()?
            .ok()?;
        acts.lost += self.unwritten.load(Ordering::Relaxed);
        acts.passed_over = self.passed_over.load(Ordering::Relaxed);
        Some(acts)
    }
}

fn serve(mut audit: AuditLog, coming: &Receiver<WriterCommand>) {
    // A caller that has timed out does not receive the answer.
    for command in coming {
        match command {
            WriterCommand::Add(act, done) => {
                audit.add(&act);
                let _ = done.send(());
            }
            WriterCommand::Last(most, reply) => {
                let _ = reply.send(AuditEntries {
                    acts: audit.last(most),
                    lost: audit.lost,
                    passed_over: 0,
                });
            }
        }
    }
}
