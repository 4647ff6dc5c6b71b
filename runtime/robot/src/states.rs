//! The safety states as people meet them: what the body does in each, what may be asked, and the way to running.
//! Told by errors and by `--help`; the README shows the same table. The law: `tests/states.rs` compares every word
//! of it with what `cycle` does.

use cycle::State;

/// A state, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHelp {
    /// The state.
    pub state: State,
    /// What the body does.
    pub does: &'static str,
    /// The verbs that lead out of it.
    pub verbs: &'static [&'static str],
    /// How it comes to running.
    pub to_running: &'static str,
}

/// All states, in the order in which a body goes through them.
pub const STATES: [StateHelp; 8] = [
    StateHelp {
        state: State::Boot,
        does: "is limp, until its sensors are read",
        verbs: &["estop"],
        to_running: "wait a moment, then `arm`",
    },
    StateHelp {
        state: State::Disarmed,
        does: "is limp",
        verbs: &["arm", "estop"],
        to_running: "`arm`",
    },
    StateHelp {
        state: State::Armed,
        does: "holds where it is, and its force fades in",
        verbs: &["hold", "retreat", "disarm", "estop"],
        to_running: "wait: it runs by itself",
    },
    StateHelp {
        state: State::Running,
        does: "does what it is asked",
        verbs: &["hold", "retreat", "disarm", "estop"],
        to_running: "it runs",
    },
    StateHelp {
        state: State::Holding,
        does: "stays where it is",
        verbs: &["resume", "retreat", "disarm", "estop"],
        to_running: "`resume`",
    },
    StateHelp {
        state: State::Safe,
        does: "goes to its safe pose, and lets go there",
        verbs: &["hold", "disarm", "estop"],
        to_running: "`disarm`, then `arm`",
    },
    StateHelp {
        state: State::Fault,
        does: "lets go, because something broke",
        verbs: &["clear", "estop"],
        to_running: "mend it, `clear`, then `arm`",
    },
    StateHelp {
        state: State::Estop,
        does: "is frozen by the emergency stop",
        verbs: &["estop --release", "disarm"],
        to_running: "`estop --release`, then `resume`; if it was limp before, arm",
    },
];

/// What is told of a state.
pub fn help(state: State) -> &'static StateHelp {
    let found = STATES.iter().find(|it| it.state == state);
    found.unwrap_or(&STATES[0])
}

/// What to do in this state for the body to move.
pub fn way_to_running(state: State) -> String {
    format!("to let it move: {}", help(state).to_running)
}

/// The verbs that mean something in this state, and how it comes to running.
pub fn possible(state: State) -> String {
    let verbs = help(state).verbs.iter().map(|it| format!("`{it}`"));
    let verbs = format!(
        "what may be asked now: {}",
        verbs.collect::<Vec<_>>().join(", ")
    );
    if state == State::Running {
        verbs
    } else {
        format!("{verbs}; {}", way_to_running(state))
    }
}

/// The table, as lines of text.
pub fn table() -> String {
    let mut text =
        String::from("States of the body, what may be asked in each, and how it comes to move:\n");
    for it in STATES {
        let verbs = it.verbs.join(", ");
        let way = it.to_running.replace('`', "");
        text += &format!(
            "  {:<9} {:<42} {verbs:<30} {way}\n",
            it.state.name(),
            it.does
        );
    }
    text
}
