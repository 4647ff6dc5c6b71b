//! One turn as a sequence of steps.
//! The owner of the cycle calls it once in every period.
//! A turn cannot fail. Each step handles its own faults, and the turn returns a report.

use crate::body::{Kind, SensorId, derive};
use crate::cycle::Cycle;
use crate::event_log::Event;
use crate::frame::{Answer, Incoming, Outgoing};
use crate::joint_monitor;
use crate::limits;
use crate::monitor::graver;
use crate::ports::{Board, Hooks, Inbox, Ports, Publisher};
use crate::safety::{Input, Safety, State};
use crate::stage::Stage;
use crate::time::{Instant, Span};
use crate::timeline::TurnTimes;

/// The report of one turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// The number of the turn, counted from 1.
    pub turn: u64,
    /// Its instant.
    pub now: Instant,
    /// The time since the previous turn.
    pub elapsed: Span,
    /// Whether it was late.
    pub late: bool,
    /// Whole periods that passed without a turn.
    pub missed: u64,
    /// The safety state after it.
    pub state: State,
    /// The factor on gains and stiffnesses.
    pub power: f64,
    /// Number of values that a limit changed.
    pub clips: u32,
    /// Number of triggers fired.
    pub fired: u32,
    /// Number of boards that did not answer.
    pub missing: u32,
}

impl Cycle<'_> {
    /// Runs one turn. It cannot fail; faults are in the report, the event log and the page.
    pub fn turn<I: Inbox, H: Hooks, B: Board, P: Publisher>(
        &mut self,
        now: Instant,
        ports: &mut Ports<'_, I, H, B, P>,
    ) -> Report {
        let late = self.wake(now);
        self.stage.adopt_readings(&self.settings);
        self.stage.edge();
        ports.inbox.take_in(&mut self.stage);
        ports.hooks.pre_process(&mut self.stage);
        self.stage.sample();
        self.stage.blend();
        self.aim();
        self.stage.forget_directs();
        self.limit();
        self.exchange(ports.board);
        ports.page.publish(&self.view());
        ports.hooks.post_process(&mut self.stage);
        self.judge(late);
        self.stage.taken_list.end();
        self.report(late)
    }

    // ---- The steps, in their order ----

    /// Takes the time, unless the clock stood still or went back. Returns whether the turn is late.
    fn wake(&mut self, now: Instant) -> bool {
        let stage = &mut self.stage;
        let before = if stage.turn == 0 {
            now.before(self.settings.period)
        } else {
            stage.turn_times.now
        };
        let now = now.max(before).min(Instant::LAST);
        if stage.turn == 0 {
            stage.begin(now);
        }
        stage.turn_times = TurnTimes { now, before };
        let elapsed = now - before;
        stage.lost = self
            .settings
            .thresholds
            .lost_time(elapsed, self.settings.period);
        stage.turn += 1;
        stage.events.turn_to(stage.turn, now);
        if now == before {
            stage.events.note(Event::ClockStood);
        }
        let late = elapsed > self.settings.thresholds.late_after;
        if late {
            stage.events.note(Event::Overrun);
        }
        late
    }

    /// Computes each actuator's command from the blend and the safety state.
    fn aim(&mut self) {
        let stage = &mut self.stage;
        // A trigger's value is the one that fired last.
        for fire in &stage.fires[..stage.fired] {
            let trigger = &stage.body.actuators[fire.actuator.index()];
            let value = trigger.calibration.value(fire.counts);
            stage.tracks[fire.actuator.index()].held = trigger.range.clamp(value);
        }
        let (now, ramps) = (stage.turn_times.now, self.settings.ramps);
        let before = stage.turn_times.before + stage.lost;
        stage.safety.fade(now, now - before, &ramps);
        let Safety {
            state,
            since,
            power,
        } = stage.safety;
        let seconds = believed(now - stage.turn_times.before, self.settings.period).seconds();
        let retreated = (now - since).share_of(ramps.retreat);
        let stalled = stage.lost > Span::ZERO;
        let gains_asked = state == State::Running && stage.gains_were_asked();
        for (place, actuator) in stage.body.actuators.iter().enumerate() {
            let mut blend = stage.take_blend(place);
            if let (true, Some(blend)) = (stalled, &mut blend) {
                // Where the lanes have moved it in a stall is far away: it returns there.
                blend.moved = 0.0;
            }
            if let Some(own) = actuator.gains.filter(|_| state != State::Estop) {
                let gains = if gains_asked {
                    stage.blend_gains(place, own)
                } else {
                    own
                };
                stage.tracks[place].gains = gains.scaled(power);
            }
            let track = &mut stage.tracks[place];
            track.coverage = blend.map_or(0.0, |blend| blend.coverage);
            let reach = ramps.return_step(actuator, seconds);
            if let Some(blend) = &blend
                && track.leaps(blend, reach)
            {
                track.begin_return(actuator.kind);
            }
            let blended = blend.map(|blend| blend.value);
            track.pace = f64::INFINITY;
            track.commanded = match (actuator.kind, state) {
                (Kind::Light, _) => blended.unwrap_or(track.held),
                // A wheel that nobody drives stands still.
                (Kind::Wheel, _) => blended.unwrap_or(actuator.range.clamp(0.0)),
                (Kind::Trigger, _) => track.held,
                (_, State::Running) => match blend {
                    // Where the sensor has it. It may have force from the next turn on.
                    Some(_) if track.slack => track.held,
                    Some(asked) if track.returning => {
                        track.step_back(actuator, &asked, reach, seconds)
                    }
                    Some(asked) => asked.value,
                    None => {
                        track.returning = false;
                        track.stay(actuator.kind)
                    }
                },
                (_, State::Safe) if power > 0.0 => {
                    actuator.safe.map_or(track.stay(actuator.kind), |pose| {
                        track.on_the_way(pose, retreated)
                    })
                }
                _ => track.stay(actuator.kind),
            };
        }
    }

    /// Applies the limits to every value, then converts it to the board's counts.
    fn limit(&mut self) {
        let Stage {
            body,
            tracks,
            safety,
            values,
            turn_times,
            ..
        } = &mut self.stage;
        let (frozen, all_limp) = (safety.state == State::Estop, safety.is_limp());
        let brakes = turn_times.now - safety.since < limits::LONGEST_STOP;
        let runs = safety.state == State::Running;
        let seconds = believed(turn_times.now - turn_times.before, self.settings.period).seconds();
        for (place, actuator) in body.actuators.iter().enumerate() {
            let track = &mut tracks[place];
            let slows_down = brakes && limits::is_stopping(actuator, track);
            if frozen && actuator.kind != Kind::Light && !slows_down {
                track.freeze(actuator);
            } else {
                let is_driven = runs && track.coverage > 0.0;
                let follows_lanes = is_driven && !track.returning && !track.stopping;
                limits::limit(actuator, track, follows_lanes, seconds);
                track.stopping &= !track.is_at_rest();
                if let Some(heat) = &actuator.heat {
                    limits::cool(heat, values[heat.sensor.index()], track);
                }
                if let Some(current) = &actuator.current {
                    limits::restrain(current, values[current.sensor.index()], track);
                }
            }
            track.round(
                actuator,
                track.allowed(actuator),
                safety.power,
                &mut self.targets[place],
            );
            track.slacken(actuator, all_limp);
            if let Kind::Stiffness { joint } = actuator.kind {
                let track_sent = track.sent;
                let loosened = track.commanded <= 0.0;
                let unstiff = track_sent <= 0.0;
                tracks[joint.index()].unstiff = unstiff;
                tracks[joint.index()].loosened = loosened;
                tracks[joint.index()].weak = track_sent < 0.5;
                tracks[joint.index()].slacken(&body.actuators[joint.index()], all_limp);
            }
        }
        self.couple(seconds);
    }

    /// Keeps driven actuators in the ranges that their drivers allow.
    fn couple(&mut self, seconds: f64) {
        let Stage {
            body,
            tracks,
            safety,
            ..
        } = &mut self.stage;
        let actuators = body.actuators;
        let ramps = (safety.state, &self.settings.ramps);
        let frozen = safety.state == State::Estop;
        for coupling in body.couplings {
            let (driver, driven) = (coupling.driver.index(), coupling.driven.index());
            let rests = tracks[driver].is_at_rest() && tracks[driven].is_at_rest();
            // Wherever a hand has put it, it stays there until the body runs.
            let stays = safety.state == State::Armed || tracks[driven].limp;
            if stays || (frozen && rests) {
                continue;
            }
            if frozen {
                limits::stop_before_coupled_range_ends(coupling, actuators, tracks);
            } else {
                limits::couple(coupling, actuators, tracks, ramps, seconds);
            }
            let range = tracks[driver].allowed(&actuators[driver]);
            let target = &mut self.targets[driver];
            tracks[driver].round(&actuators[driver], range, safety.power, target);
            // On its way back into a range that has moved, it is outside.
            let range = coupling.range_at(tracks[driver].sent);
            let range = range.including(tracks[driven].limited);
            let target = &mut self.targets[driven];
            tracks[driven].round(&actuators[driven], range, safety.power, target);
        }
    }

    /// Sends the targets and receives the readings.
    fn exchange<B: Board>(&mut self, board: &mut B) {
        let stage = &mut self.stage;
        self.answers.fill(Answer::default());
        let out = Outgoing {
            turn: stage.turn,
            now: stage.turn_times.now,
            powered: !stage.safety.is_limp(),
            targets: self.targets,
            fires: &stage.fires[..stage.fired],
        };
        board.exchange(
            &out,
            &mut Incoming {
                counts: self.counts,
                answers: self.answers,
            },
        );
        let mut any_later = false;
        let row = self.history.row(stage.turn).iter_mut();
        let all = stage.body.actuators.iter().zip(stage.tracks.iter_mut());
        for ((actuator, track), sent) in all.zip(row) {
            *sent = track.sent;
            let answer = &self.answers[usize::from(actuator.board.0)];
            if answer.answered {
                match answer.acknowledged == stage.turn {
                    true => track.acknowledged = track.sent,
                    false => any_later = true,
                }
            }
        }
        if any_later {
            let (body, tracks) = (stage.body, &mut *stage.tracks);
            self.history
                .acknowledge(stage.turn, self.answers, body, tracks);
        }
        let elapsed = stage.turn_times.now - stage.turn_times.before;
        for (link, answer) in self.links.iter_mut().zip(self.answers.iter()) {
            link.record_answer(*answer, elapsed);
        }
        for (place, sensor) in stage.body.sensors.iter().enumerate() {
            let is_read = sensor.derived.is_none();
            if is_read && self.answers[usize::from(sensor.board.0)].answered {
                stage.values[place] = sensor.calibration.value(self.counts[place]);
            }
        }
        for (actuator, track) in stage.body.actuators.iter().zip(stage.tracks.iter_mut()) {
            let Some(sensor) = actuator.sensor.map(SensorId::index) else {
                continue;
            };
            let board = usize::from(stage.body.sensors[sensor].board.0);
            track.is_read = self.answers[board].answered;
            if track.is_read && track.trim != 0.0 {
                stage.values[sensor] += track.trim;
            }
        }
        let tracks = &*stage.tracks;
        derive(stage.body.sensors, stage.values, elapsed, |id| {
            tracks[id.index()].gains
        });
    }

    /// Checks lateness, boards, joints and silent lanes, and changes the safety state accordingly.
    fn judge(&mut self, late: bool) {
        let stage = &mut self.stage;
        let reaction = self.monitor.judge(late, self.links, &mut stage.events);
        stage
            .link
            .record_answer(self.links, &self.settings.ramps, &self.settings.thresholds);
        // Before the first readings all values are 0.
        let doubted = (stage.link.readings > 0).then(|| {
            joint_monitor::judge(
                &self.settings.thresholds,
                stage.safety,
                stage.body,
                stage.tracks,
                stage.values,
                self.answers,
                &mut stage.events,
            )
        });
        let reaction = graver(reaction, doubted.flatten());
        let body_timeout = core::mem::take(&mut stage.body_timeout).then_some(Input::Retreat);
        let ready = stage.link.booted.then_some(Input::Ready);
        let faded_in = (stage.safety.power >= 1.0).then_some(Input::FadedIn);
        for input in [reaction, body_timeout, ready, faded_in]
            .into_iter()
            .flatten()
        {
            stage.enter(input);
        }
    }

    fn report(&self, late: bool) -> Report {
        let Stage {
            turn_times,
            tracks,
            safety,
            fired,
            turn,
            ..
        } = &self.stage;
        let elapsed = turn_times.now - turn_times.before;
        Report {
            turn: *turn,
            now: turn_times.now,
            elapsed,
            late,
            missed: (elapsed.nanos() / self.settings.period.nanos()).saturating_sub(1),
            state: safety.state,
            power: safety.power,
            clips: tracks
                .iter()
                .map(|track| u32::from(track.clipped_now))
                .map(u32::count_ones)
                .sum(),
            fired: *fired as u32,
            missing: self
                .answers
                .iter()
                .filter(|answer| !answer.answered)
                .count() as u32,
        }
    }
}

/// The time step of the limits. Boards reach their targets within a period, however late the turn is: so no step is
/// longer than one period.
fn believed(elapsed: Span, period: Span) -> Span {
    elapsed.min(period)
}
