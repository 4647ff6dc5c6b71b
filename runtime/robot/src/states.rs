//! Help for the safety states: what the body does in each state, the possible verbs, and how to get to `running`.
//! Shown by errors and by `--help`; the README has the same table. `tests/states.rs` compares the table with
//! what `cycle` does.

use cycle::State;

/// The help for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHelp {
    /// The state.
    pub state: State,
    /// What the body does.
    pub does: &'static str,
    /// The verbs that leave the state.
    pub verbs: &'static [&'static str],
    /// How to get to `running`.
    pub to_running: &'static str,
}

/// All states, in the order in which a body passes through them.
pub const STATES: [StateHelp; 8] = [
    StateHelp {
        state: State::Boot,
        does: "is limp until its sensors are read",
        verbs: &["estop"],
        to_running: "wait about 1 s, until it is disarmed, then `arm`",
    },
    StateHelp {
        state: State::Disarmed,
        does: "is limp",
        verbs: &["arm", "estop"],
        to_running: "`arm`",
    },
    StateHelp {
        state: State::Armed,
        does: "holds its position, and its force fades in",
        verbs: &["hold", "retreat", "disarm", "estop"],
        to_running: "wait about 2 s; it starts running by itself",
    },
    StateHelp {
        state: State::Running,
        does: "follows commands",
        verbs: &["hold", "retreat", "disarm", "estop"],
        to_running: "nothing: it is running",
    },
    StateHelp {
        state: State::Holding,
        does: "stays where it is",
        verbs: &["resume", "retreat", "disarm", "estop"],
        to_running: "`resume`",
    },
    StateHelp {
        state: State::Safe,
        does: "goes to its safe pose, then goes limp",
        verbs: &["hold", "disarm", "estop"],
        to_running: "`disarm`, then `arm`",
    },
    StateHelp {
        state: State::Fault,
        does: "goes limp because of a fault",
        verbs: &["clear", "estop"],
        to_running: "repair it, `clear`, then `arm`",
    },
    StateHelp {
        state: State::Estop,
        does: "is frozen by the emergency stop",
        verbs: &["estop --release", "disarm"],
        to_running: "`estop --release`, then `resume`; if it was limp before, arm",
    },
];

/// The help for this state.
pub fn help(state: State) -> &'static StateHelp {
    let found = STATES.iter().find(|item| item.state == state);
    found.unwrap_or(&STATES[0])
}

/// The state as the end of a sentence: "the body is holding", "the body is in the state `estop`".
pub fn phrase(state: State) -> &'static str {
    match state {
        State::Boot => "in the state `boot`",
        State::Safe => "in the state `safe`",
        State::Fault => "in the state `fault`",
        State::Estop => "in the state `estop`",
        State::Disarmed | State::Armed | State::Running | State::Holding => state.name(),
    }
}

/// What to do in this state so that the body moves.
pub fn way_to_running(state: State) -> &'static str {
    help(state).to_running
}

/// What to do in this state: one of its verbs, and the way to `running`.
pub fn possible(state: State) -> String {
    let verbs: Vec<_> = help(state)
        .verbs
        .iter()
        .map(|verb| format!("`{verb}`"))
        .collect();
    let verbs = match verbs.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        all => all.concat(),
    };
    if state == State::Running {
        format!("use {verbs}")
    } else {
        format!("use {verbs}; to let it move, {}", way_to_running(state))
    }
}

/// The table, as lines of text that fit into 80 columns.
pub fn table() -> String {
    let mut text =
        String::from("States of the body, the possible verbs, and how to get to `running`:\n");
    for state in STATES {
        let verbs = state.verbs.join(", ");
        let way = state.to_running.replace('`', "");
        text += &format!("  {:<9} {}\n", state.state.name(), state.does);
        text += &format!("{:12}possible: {verbs}\n", "");
        if state.state != State::Running {
            text += &format!("{:12}to run:   {way}\n", "");
        }
    }
    text
}
