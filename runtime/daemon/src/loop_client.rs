//! The server's connections to the loop's socket, used from threads that may wait.
//! Used by every route that concerns the body or its guests. The law: so many ask at once and no more; a
//! press of stop waits for none of them.

use std::sync::{Arc, Mutex};

use api::error::ErrorCode;
use api::lock;
use socket::{Ask, CallError, Caller, LoopInfo, OperationWord, ReplyBody, Trouble};
use tokio::sync::{Semaphore, oneshot};

/// Connections to the loop at the same time; it takes more callers than that.
const CONNECTIONS_MAX: usize = 16;

/// A pool of connections to the loop.
#[derive(Clone, Debug)]
pub struct LoopClient(Arc<LoopConnections>);

#[derive(Debug)]
struct LoopConnections {
    name: String,
    free: Mutex<Vec<Caller>>,
    turn: Arc<Semaphore>,
    /// A connection that is kept for stop: the loop may have no place for another.
    stop: Mutex<Option<Caller>>,
}

impl LoopClient {
    /// Connections to the loop of this name.
    pub fn to(name: &str) -> LoopClient {
        LoopClient(Arc::new(LoopConnections {
            name: name.to_owned(),
            free: Mutex::new(Vec::new()),
            turn: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            stop: Mutex::new(None),
        }))
    }

    /// Who is there; from now on a connection is kept for stop.
    ///
    /// # Errors
    /// Nobody is.
    pub fn here(&self) -> Result<LoopInfo, CallError> {
        let caller = Caller::reach(Some(&self.0.name))?;
        let here = caller.here.clone();
        *lock(&self.0.stop) = Some(caller);
        Ok(here)
    }

    /// Asks the loop.
    ///
    /// # Errors
    /// It would not, or is not there.
    pub async fn ask(&self, ask: Ask) -> Result<ReplyBody, Trouble> {
        self.hand_over(ask, Vec::new()).await
    }

    /// Asks the loop for something that is to be done with a choreography's bytes.
    ///
    /// # Errors
    /// It would not, or is not there.
    pub async fn hand_over(&self, ask: Ask, bytes: Vec<u8>) -> Result<ReplyBody, Trouble> {
        if ask == Ask::Operate(OperationWord::Press) {
            return self.press().await;
        }
        let shared = Arc::clone(&self.0);
        let turn = Arc::clone(&self.0.turn).acquire_owned().await;
        let asked = tokio::task::spawn_blocking(move || {
            // Whoever asked may have gone; the connection is taken until the loop has answered.
            let _turn = turn;
            shared.ask(ask, &bytes)
        });
        asked.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Stop goes on a thread and a connection of its own: all others may be waiting for a disk.
    async fn press(&self) -> Result<ReplyBody, Trouble> {
        let shared = Arc::clone(&self.0);
        let (tell, told) = oneshot::channel();
        let press = move || {
            let pressed = shared.press();
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

impl LoopConnections {
    fn press(&self) -> Result<ReplyBody, CallError> {
        let ask = || Ask::Operate(OperationWord::Press);
        let kept = lock(&self.stop).take();
        if let Some(mut caller) = kept
            && let Ok(told) = caller.ask(ask())
        {
            *lock(&self.stop) = Some(caller);
            return Ok(told);
        }
        // Somebody else presses as well, or that connection is broken.
        let mut caller = Caller::reach(Some(&self.name))?;
        let told = caller.ask(ask())?;
        lock(&self.stop).get_or_insert(caller);
        Ok(told)
    }

    fn ask(&self, ask: Ask, bytes: &[u8]) -> Result<ReplyBody, Trouble> {
        let free = || lock(&self.free);
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
            // The loop closes a connection whose bytes it would not read.
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
    ErrorCode::NoLoop
        .trouble("the request to the loop was lost")
        .fix("try again")
}

fn away(error: CallError) -> Trouble {
    ErrorCode::NoLoop
        .trouble(format!("the loop cannot be asked: {error}"))
        .fix("it is starting or ending; try again in a moment")
}
