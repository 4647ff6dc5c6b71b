//! The server's lines to the loop: its socket, asked from threads that may wait.
//! Used by every route that concerns the body or its guests. The law: so many ask at once and no more; a
//! press of stop waits for none of them.

use std::sync::{Arc, Mutex, PoisonError};

use socket::{Ask, CallError, Caller, Here, OperationWord, Told, Trouble};
use tokio::sync::{Semaphore, oneshot};

/// Lines to the loop at the same time; it takes more callers than that.
const LINES: usize = 16;

/// The lines.
#[derive(Clone, Debug)]
pub struct Line(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    name: String,
    free: Mutex<Vec<Caller>>,
    turn: Semaphore,
}

impl Line {
    /// Lines to the loop of this name.
    pub fn to(name: &str) -> Line {
        Line(Arc::new(Shared {
            name: name.to_owned(),
            free: Mutex::new(Vec::new()),
            turn: Semaphore::new(LINES),
        }))
    }

    /// Who is there.
    ///
    /// # Errors
    /// Nobody is.
    pub fn here(&self) -> Result<Here, CallError> {
        Ok(Caller::reach(Some(&self.0.name))?.here)
    }

    /// Asks the loop.
    ///
    /// # Errors
    /// It would not, or is not there.
    pub async fn ask(&self, ask: Ask) -> Result<Told, Trouble> {
        self.hand_over(ask, Vec::new()).await
    }

    /// Asks the loop for something that is to be done with a choreography's bytes.
    ///
    /// # Errors
    /// It would not, or is not there.
    pub async fn hand_over(&self, ask: Ask, bytes: Vec<u8>) -> Result<Told, Trouble> {
        if ask == Ask::Operate(OperationWord::Press) {
            return self.press().await;
        }
        let shared = Arc::clone(&self.0);
        let _turn = self.0.turn.acquire().await;
        let asked = tokio::task::spawn_blocking(move || shared.ask(ask, &bytes));
        asked.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Stop goes on a thread and a line of its own: all others may be waiting for a disk.
    async fn press(&self) -> Result<Told, Trouble> {
        let name = self.0.name.clone();
        let (tell, told) = oneshot::channel();
        let press = move || {
            let ask = Ask::Operate(OperationWord::Press);
            let pressed = Caller::reach(Some(&name)).and_then(|mut it| it.ask(ask));
            // Whoever asked may have gone; it is pressed all the same.
            let _ = tell.send(pressed.map_err(|error| match error {
                CallError::Trouble(trouble) => trouble,
                other => away(other),
            }));
        };
        let thread = std::thread::Builder::new().name("stop".to_owned());
        thread
            .stack_size(256 << 10)
            .spawn(press)
            .map_err(|_| lost())?;
        told.await.unwrap_or_else(|_| Err(lost()))
    }
}

impl Shared {
    fn ask(&self, ask: Ask, bytes: &[u8]) -> Result<Told, Trouble> {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = free().pop();
        let mut caller = match kept {
            Some(caller) => caller,
            None => Caller::reach(Some(&self.name)).map_err(away)?,
        };
        let told = if bytes.is_empty() {
            caller.ask(ask)
        } else {
            caller.hand_over(ask, bytes)
        };
        match told {
            Ok(told) => {
                free().push(caller);
                Ok(told)
            }
            // The loop closes a line whose bytes it would not read.
            Err(CallError::Trouble(trouble)) if bytes.is_empty() => {
                free().push(caller);
                Err(trouble)
            }
            Err(CallError::Trouble(trouble)) => Err(trouble),
            Err(error) => Err(away(error)),
        }
    }
}

fn lost() -> Trouble {
    Trouble::new("no-loop", "the question to the loop was lost").fix("ask again")
}

fn away(error: CallError) -> Trouble {
    Trouble::new("no-loop", format!("the loop cannot be asked: {error}"))
        .fix("it is on its way up or down; try again in a moment")
}
