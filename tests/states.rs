//! The help for the body's states agrees with the cycle: every verb in the table leaves its state, every other verb
//! does not, and the way to `running` leads there.

use cycle::{Input, State};
use robot::states::{STATES, help, table};

/// The input that this verb is, in this state.
fn input(state: State, verb: &str) -> Input {
    match verb {
        "arm" => Input::Arm,
        "disarm" => Input::Disarm,
        // On the way to the safe pose it is another input with the same name.
        "hold" if state == State::Safe => Input::Stay,
        "hold" => Input::Hold,
        "resume" => Input::Resume,
        "retreat" => Input::Retreat,
        "clear" => Input::Clear,
        "estop" => Input::Press,
        "estop --release" => Input::Release,
        other => panic!("`{other}` is no verb"),
    }
}

const VERBS: [&str; 8] = [
    "arm",
    "disarm",
    "hold",
    "resume",
    "retreat",
    "clear",
    "estop",
    "estop --release",
];

#[test]
fn each_state_lists_exactly_the_verbs_that_are_possible_there() {
    assert_eq!(STATES.map(|state| state.state), State::ALL);
    for state in State::ALL {
        for verb in VERBS {
            let leads = state.after(input(state, verb)).is_some();
            assert_eq!(
                help(state).verbs.contains(&verb),
                leads,
                "{verb} in {}",
                state.name()
            );
        }
    }
}

#[test]
fn the_way_to_running_leads_there() {
    for state in State::ALL {
        let mut at = state;
        let way = help(state).to_running;
        for verb in way.split('`').skip(1).step_by(2) {
            at = settled(at);
            at = at
                .after(input(at, verb))
                .unwrap_or_else(|| panic!("{}: `{verb}` in {}", state.name(), at.name()));
        }
        assert_eq!(settled(at), State::Running, "{}: {way}", state.name());
    }
}

/// Where a body gets by itself after a while.
fn settled(state: State) -> State {
    match state {
        State::Boot => settled(state.after(Input::Ready).expect("it boots")),
        State::Armed => state.after(Input::FadedIn).expect("it fades in"),
        other => other,
    }
}

#[test]
fn the_readme_has_the_same_table() {
    let readme = std::fs::read_to_string(format!("{}/README.md", crate::ROOT)).expect("the README");
    for state in STATES {
        let verbs: Vec<_> = state.verbs.iter().map(|verb| format!("`{verb}`")).collect();
        let row = format!(
            "| {} | {} | {} | {} |",
            state.state.name(),
            state.does,
            verbs.join(", "),
            state.to_running
        );
        assert!(readme.contains(&row), "README.md lacks\n{row}");
    }
    let table = table();
    for state in STATES {
        assert!(
            table.contains(&format!("  {:<9} {}\n", state.state.name(), state.does)),
            "{table}"
        );
    }
    assert!(
        table.lines().all(|line| line.chars().count() <= 80),
        "{table}"
    );
}
