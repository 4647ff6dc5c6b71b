//! Requests about guests: load, swap, list, end, pause, tune.
//! Called by the request handler.
//! The bytes that a request announces are read completely or not at all.

use std::io::Read;
use std::time::Instant;

use cycle::{NotNow, Span};
use guests::{GuestError, GuestId, GuestLife, GuestStatus, HOOKS, Hook, LoadOptions, PrepareError};

use super::following_bytes::receive;
use super::handler::RequestHandler;
use super::parse::{actuators, no_guest};
use crate::guest_service::{AdmittedGuest, GuestService};
use crate::live::{LoopAnswer, LoopRequest};
use crate::states::{phrase, way_to_running};
use ::protocol::{
    Ask, ErrorCode, Fuel, Guest, GuestOptions, Loaded, Operation, ReplyBody, RequestError,
};
use description::Robot;

/// The longest text about where a guest came from, in letters; what follows is cut off.
const FROM_MAX: usize = 256;

impl RequestHandler {
    /// Answers a request about guests. The bytes that it announces are read from `more`.
    pub(super) fn guests(&self, ask: Ask, more: &mut dyn Read) -> Result<ReplyBody, RequestError> {
        let service = self.service().ok_or_else(no_guests)?;
        let find = |guest: &str| find(service, guest);
        match ask {
            Ask::Load { bytes, options } => {
                let component = receive(bytes, more)?;
                let loaded = self.check_and_bring_in(service, &component, options)?;
                Ok(ReplyBody::Loaded(loaded))
            }
            Ask::Swap {
                guest,
                bytes,
                in_ns,
                options,
            } => {
                let component = receive(bytes, more)?;
                let old = find(&guest)?;
                let file = options.file.clone().or(Some(guest));
                let known = GuestOptions {
                    file: file.clone(),
                    ..options.clone()
                };
                load_options(self.robot(), known.clone())?;
                self.check(&component, &known)?;
                let fade = Span::from_nanos(in_ns);
                let options = load_options(self.robot(), options)?;
                let admitted = service.swap(old, &component, file.as_deref(), options, fade);
                let admitted = admitted.map_err(request_error)?;
                Ok(ReplyBody::Loaded(loaded(admitted)))
            }
            Ask::Guests => Ok(ReplyBody::Guests(
                service.list().into_iter().map(guest_report).collect(),
            )),
            Ask::End { guest, soft } => {
                let guests = match guest {
                    Some(guest) => vec![find(&guest)?],
                    None => service.playing(),
                };
                if soft {
                    return self.end_softly(&guests, service).map(|()| ReplyBody::Done);
                }
                let ended = guests
                    .into_iter()
                    .try_for_each(|guest| service.manager().end(guest));
                ended.map(|()| ReplyBody::Done).map_err(request_error)
            }
            Ask::Own { guest } => find(&guest).map(|_| ReplyBody::Done),
            Ask::Pause { guest } => pause(service, find(&guest)?, true),
            Ask::ResumeGuest { guest } => {
                let guest = find(&guest)?;
                self.body_can_move("resumed", "")?;
                pause(service, guest, false)
            }
            Ask::Tune {
                guest,
                params,
                priority,
                weight,
            } => {
                let guest = find(&guest)?;
                let tuned = service.manager().tune(guest, &params, priority, weight);
                tuned.map(ReplyBody::Tuned).map_err(request_error)
            }
            _ => Err(ErrorCode::NotHere.error("this request does not concern guests")),
        }
    }

    /// Gives the body force, or lets it follow its lanes again. Whoever does that is shown which guests there are.
    pub(super) fn let_move(&self, operation: Operation) -> Result<ReplyBody, RequestError> {
        let reply = self.carry_out(LoopRequest::Operate(operation), None)?;
        let ReplyBody::State(state) = reply else {
            return Ok(reply);
        };
        let listed = self.service().into_iter().flat_map(GuestService::list);
        let guests = listed
            .map(guest_report)
            .filter(|guest| guest.life != "gone")
            .collect();
        Ok(ReplyBody::MayMove { state, guests })
    }

    /// Refuses a start while the body cannot move, unless it is to wait.
    fn can_start(&self, options: &GuestOptions) -> Result<(), RequestError> {
        if options.when_running {
            return Ok(());
        }
        let or = "; or start it with `--when-running`, and it waits until the body runs";
        self.body_can_move("started", or)
    }

    /// Refuses what would move the body only after somebody arms it, who would not expect it.
    fn body_can_move(&self, what: &str, or: &str) -> Result<(), RequestError> {
        let LoopAnswer::NotNow(NotNow::State(state)) = self.ask_the_loop(LoopRequest::CanStart)?
        else {
            return Ok(());
        };
        let (state, way) = (phrase(state), way_to_running(state));
        let sentence = format!("the body is {state}, so nothing can be {what}");
        Err(ErrorCode::NotNow.error(sentence).fix(format!("{way}{or}")))
    }

    /// The guest of this name or number.
    pub(super) fn guest_of(&self, guest: &str) -> Option<GuestId> {
        find(self.service()?, guest).ok()
    }

    /// Ends a guest softly whose owner's connection has closed.
    pub(super) fn owner_has_gone(&self, guest: GuestId) {
        let Some(service) = self.service() else {
            return;
        };
        if !service.playing().contains(&guest) {
            return;
        }
        tracing::info!(guest = guest.0, "its owner has gone: it ends softly");
        if let Err(why) = self.end_softly(&[guest], service) {
            tracing::warn!("a guest whose owner has gone did not end: {}", why.sentence);
        }
    }

    /// Checks a choreography before it is loaded, unless its options say otherwise.
    fn check(&self, component: &[u8], options: &GuestOptions) -> Result<(), RequestError> {
        let Some(checker) = self.checker().filter(|_| !options.unchecked) else {
            return Ok(());
        };
        let _span = tracing::info_span!("check", file = options.file).entered();
        let began = Instant::now();
        let checked = checker.check(component, options);
        let took_ms = began.elapsed().as_millis();
        match &checked {
            Ok(()) => tracing::info!(took_ms, "the check has passed"),
            Err(why) => tracing::warn!(took_ms, "the check has refused it: {}", why.sentence),
        }
        checked
    }

    /// Loads a guest that was checked before, from bytes in memory.
    ///
    /// # Errors
    /// Why it was not loaded.
    pub fn load(&self, component: &[u8], options: GuestOptions) -> Result<Loaded, RequestError> {
        let service = self.service().ok_or_else(no_guests)?;
        self.bring_in(service, component, options)
    }

    /// Loads a guest after its check, if the body can move before and after that: a check may take minutes.
    fn check_and_bring_in(
        &self,
        service: &GuestService,
        component: &[u8],
        options: GuestOptions,
    ) -> Result<Loaded, RequestError> {
        load_options(self.robot(), options.clone())?;
        self.can_start(&options)?;
        self.check(component, &options)?;
        self.can_start(&options)?;
        let admitted = self.bring_in(service, component, options.clone())?;
        // The body may have lost its force while the guest came in.
        if let Err(refusal) = self.can_start(&options) {
            let _ = service.manager().end(GuestId(admitted.id));
            return Err(refusal);
        }
        Ok(admitted)
    }

    fn bring_in(
        &self,
        service: &GuestService,
        component: &[u8],
        options: GuestOptions,
    ) -> Result<Loaded, RequestError> {
        let file = options.file.clone();
        let options = load_options(self.robot(), options)?;
        let admitted = service.load(component, file.as_deref(), options);
        Ok(loaded(admitted.map_err(request_error)?))
    }
}

/// The guest of this name or number; an error names a similar one.
fn find(service: &GuestService, guest: &str) -> Result<GuestId, RequestError> {
    service.manager().find(guest).map_err(|_| {
        let all = service.list();
        let alive = all
            .iter()
            .filter(|status| status.figures.life != GuestLife::Gone);
        no_guest(guest, alive.map(|value| value.name.as_str()))
    })
}

/// Converts a client's options into those of `guests`, which have numbers in place of names.
///
/// # Errors
/// Its mask names an actuator that this robot does not have.
pub fn load_options(robot: &Robot, options: GuestOptions) -> Result<LoadOptions, RequestError> {
    let mask = options.mask.map(|names| {
        let mut mask = Vec::new();
        for name in names {
            mask.extend(
                actuators(robot, &name)?
                    .iter()
                    .map(|actuator| u32::from(actuator.0)),
            );
        }
        Ok(mask)
    });
    let from = options.from.unwrap_or_default();
    let from = from.chars().take(FROM_MAX);
    Ok(LoadOptions {
        name: options.name,
        from: from.map(printable::printable_char).collect(),
        priority: options.priority,
        weight: options.weight,
        mask: mask.transpose()?,
        params: options.params.into_iter().collect(),
        keep: options.keep,
    })
}

fn no_guests() -> RequestError {
    let error = ErrorCode::NotHere.error("this loop cannot load guests");
    error.fix("start it with `dcm-run run`, and read its warning about guests")
}

fn pause(service: &GuestService, guest: GuestId, paused: bool) -> Result<ReplyBody, RequestError> {
    let done = service.manager().pause(guest, paused);
    done.map(|()| ReplyBody::Done).map_err(request_error)
}

fn loaded(guest: AdmittedGuest) -> Loaded {
    Loaded {
        id: guest.id.0,
        name: guest.name,
        world: guest.world.name().to_owned(),
        form: guest.form.name().to_owned(),
        tier: guest.tier.name().to_owned(),
        cached: guest.cached,
        digest: guest.digest,
        took_ns: u64::try_from(guest.took.as_nanos()).unwrap_or(u64::MAX),
    }
}

/// The status of a guest, for the socket.
pub fn guest_report(status: GuestStatus) -> Guest {
    let figures = status.figures;
    let fuel = |hook: Hook| {
        let value = figures.hooks[hook as usize];
        let fuel = Fuel {
            calls: value.calls,
            last: value.last,
            most: value.most,
            total: value.total,
            turn: value.turn,
        };
        (hook.name().to_owned(), fuel)
    };
    let called = |hook: &Hook| figures.hooks[*hook as usize].calls > 0;
    debug_assert_eq!(Hook::ALL.len(), HOOKS);
    Guest {
        id: status.id.0,
        name: status.name,
        world: status.world.name().to_owned(),
        life: figures.life.name().to_owned(),
        end: figures.end.words().to_owned(),
        fault: figures.end.is_fault(),
        form: status.form.name().to_owned(),
        digest: status.digest,
        from: status.from,
        priority: figures.priority,
        weight: figures.weight,
        fuel: status.fuel,
        hooks: Hook::ALL.into_iter().filter(called).map(fuel).collect(),
        commands: figures.commands,
        late: figures.late,
        clipped: figures.clipped,
        refused: figures.refused,
        deferred: figures.deferred,
        missed_events: figures.missed_events,
        since: figures.since,
        played_ns: figures.played,
        lasts_ns: status.lasts.map(|value| (value.max(0.0) * 1e9) as u64),
        loops: status.loops,
        details: figures.details,
        params: status
            .params
            .into_iter()
            .map(|(parameter, value)| {
                (parameter.name, [parameter.lowest, value, parameter.highest])
            })
            .collect(),
    }
}

pub(super) fn request_error(error: GuestError) -> RequestError {
    let code = match &error {
        GuestError::Prepare(PrepareError::Compile(_)) => ErrorCode::NotCompiled,
        GuestError::Prepare(_) => ErrorCode::Breach,
        GuestError::NoGuest(_) => ErrorCode::NotFound,
        GuestError::Full(_) => ErrorCode::Full,
        GuestError::Busy => ErrorCode::Busy,
        GuestError::Priority { .. } => ErrorCode::Forbidden,
        GuestError::Figure(_) => ErrorCode::Figure,
        GuestError::NoParam(_) => ErrorCode::NoParameter,
        GuestError::NoSwap => ErrorCode::NoSwap,
        GuestError::Failed(_) => ErrorCode::Failed,
    };
    let text = error.to_string();
    match text.split_once("; fix: ") {
        Some((sentence, fix)) => code.error(sentence).fix(fix),
        None => code.error(text),
    }
}
