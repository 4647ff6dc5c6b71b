//! The server's connections to the loop's socket, used on threads that may block.
//! Used by every route that concerns the body or its guests. The number of connections is limited; a stop
//! does not wait for the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use network::lock;
use protocol::{
    Ask, CallError, Caller, ErrorCode, Loaded, LongNames, LoopInfo, Operation, ReplyBody,
    ReplyContents, RequestError,
};
use tokio::sync::{Semaphore, oneshot};

use crate::request_log;

/// The maximum number of connections. The loop accepts more.
const CONNECTIONS_MAX: usize = 16;

/// A pool of connections to the loop.
#[derive(Clone, Debug)]
pub struct LoopClient(Arc<LoopConnections>);

#[derive(Debug)]
struct LoopConnections {
    name: String,
    free: Mutex<Vec<Caller>>,
    turn: Arc<Semaphore>,
}

impl LoopClient {
    /// A pool for the loop of this name.
    pub fn to(name: &str) -> LoopClient {
        LoopClient(Arc::new(LoopConnections {
            name: name.to_owned(),
            free: Mutex::new(Vec::new()),
            turn: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
        }))
    }

    /// The loop's self-description.
    ///
    /// # Errors
    /// There is no loop.
    pub fn here(&self) -> Result<LoopInfo, CallError> {
        Ok(Caller::reach(Some(&self.0.name))?.here)
    }

    /// The types and addresses of boards and of what hangs on them, by their keys.
    ///
    /// # Errors
    /// There is no loop.
    pub fn devices(&self) -> Result<BTreeMap<String, String>, CallError> {
        let names: LongNames = Caller::reach(Some(&self.0.name))?.get(Ask::Names)?;
        Ok(names.devices)
    }

    /// Sends a request to the loop.
    ///
    /// # Errors
    /// The loop refuses it, or cannot be reached.
    pub async fn ask(&self, ask: Ask) -> Result<ReplyBody, RequestError> {
        let (ask, packed) = ask.packed();
        self.send(ask, packed).await
    }

    /// Sends a request to the loop and returns the contents of its reply.
    ///
    /// # Errors
    /// The loop refuses it, cannot be reached, or gives another kind of reply.
    pub async fn get<T: ReplyContents>(&self, ask: Ask) -> Result<T, RequestError> {
        contents(self.ask(ask).await?)
    }

    /// Hands a choreography to the loop, which loads it.
    ///
    /// # Errors
    /// The loop refuses it, or cannot be reached.
    pub async fn hand_over(&self, ask: Ask, bytes: Vec<u8>) -> Result<Loaded, RequestError> {
        contents(self.send(ask, bytes).await?)
    }

    /// Sends a request, followed by these bytes.
    async fn send(&self, ask: Ask, bytes: Vec<u8>) -> Result<ReplyBody, RequestError> {
        if ask == Ask::Operate(Operation::Press) {
            return self.press().await;
        }
        let shared = Arc::clone(&self.0);
        let turn = Arc::clone(&self.0.turn).acquire_owned().await;
        let request = request_log::current();
        let reply = tokio::task::spawn_blocking(move || {
            // The caller may have hung up; the connection stays in use until the loop has answered.
            let _turn = turn;
            shared.ask(request, ask, &bytes)
        });
        reply.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Stops the body, on a thread of its own: all others may be waiting for a disk.
    async fn press(&self) -> Result<ReplyBody, RequestError> {
        let shared = Arc::clone(&self.0);
        let (reply, answer) = oneshot::channel();
        let press = move || {
            let pressed = protocol::press(Some(&shared.name)).map(|(_, reply)| reply);
            // The caller may have hung up; the body stops all the same.
            let _ = reply.send(pressed.map_err(|error| match error {
                CallError::Refused(error) => error,
                CallError::Silent(..) => {
                    away(error).fix("press the robot's stop button or cut its power")
                }
                other => away(other),
            }));
        };
        let thread = std::thread::Builder::new().name("stop".to_owned());
        thread
            .stack_size(256 << 10)
            .spawn(press)
            .map_err(|_| lost())?;
        answer.await.unwrap_or_else(|_| Err(lost()))
    }
}

impl LoopConnections {
    fn ask(
        &self,
        request: Option<String>,
        ask: Ask,
        bytes: &[u8],
    ) -> Result<ReplyBody, RequestError> {
        let free = || lock(&self.free);
        // A guest is loaded over a connection of its own, whose thread in the loop is not nice yet.
        let kept = free().pop_if(|_| bytes.is_empty());
        let mut caller = match kept {
            Some(caller) => caller,
            None => Caller::reach(Some(&self.name)).map_err(away)?,
        };
        caller.request = request;
        let told = if bytes.is_empty() {
            caller.ask(ask)
        } else {
            caller.hand_over(ask, bytes)
        };
        match told {
            Ok(told) => {
                if bytes.is_empty() {
                    free().push(caller);
                }
                Ok(told)
            }
            // The loop closes a connection whose bytes it refused.
            // The loop has no place for this connection, and closes it.
            Err(CallError::Refused(error)) if bytes.is_empty() && error.code != "busy" => {
                free().push(caller);
                Err(error)
            }
            Err(CallError::Refused(error)) => Err(error),
            Err(error) => Err(away(error)),
        }
    }
}

/// The contents of a reply of the kind that was asked for.
fn contents<T: ReplyContents>(reply: ReplyBody) -> Result<T, RequestError> {
    T::of(reply).map_err(|other| {
        let error = ErrorCode::NoLoop.error(format!("the loop gave an unexpected answer: {other}"));
        error.fix("restart `dcm-run serve`: loop and server must have the same version")
    })
}

fn lost() -> RequestError {
    ErrorCode::NoLoop
        .error("the request to the loop was lost")
        .fix("try again")
}

fn away(error: CallError) -> RequestError {
    let text = error.to_string();
    let (sentence, fix) = text.split_once("; fix: ").unwrap_or((&text, ""));
    match error {
        CallError::OtherVersion(..) | CallError::Silent(..) => {
            ErrorCode::NoLoop.error(sentence).fix(fix)
        }
        _ => ErrorCode::NoLoop
            .error(format!("the loop cannot be asked: {sentence}"))
            .fix("it is starting or ending; try again in a moment"),
    }
}
