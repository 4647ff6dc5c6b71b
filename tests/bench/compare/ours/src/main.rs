//! Our contestants. Called by `run` with the name of the work and its size. Our work is built, loaded and
//! called as the benches of the project do it, with all of its checks, fuel and deadlines.

mod hook;
mod page;
mod record;
mod sample;
mod turns;
mod upload;

use guests::CodeForm;
use guests::{Choreography, Compiler};
use protocol::JOINTS;
use tests::busy::busy;
use tests::rig::{Plan, Rig, component, everything};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |place: usize| words.get(place).map_or("", String::as_str);
    let number = |place: usize| word(place).parse().expect("a number");
    match word(0) {
        "hook" => hook::contest(form(word(1)), word(2) == "written-out"),
        "sample" => sample::sampling_alone(number(1)),
        "sample-turn" => sample::whole_turn(number(1)),
        "turns" if word(1) == "native-hooks" => turns::native(number(2)),
        "turns" => turns::contest(form(word(1)), number(2)),
        "upload" => upload::contest(form(word(1))),
        "record" => record::contest(),
        "page" => page::read(),
        "page-writer" => page::write(word(1).as_ref()),
        other => panic!("there is no work {other:?}"),
    }
}

fn form(word: &str) -> CodeForm {
    CodeForm::of(word).expect("in-place or calls")
}

/// A rig as the bench of guests has it.
fn plan(form: CodeForm) -> Plan {
    Plan {
        joints: JOINTS,
        compiler: Compiler::here(),
        lanes: 65,
        ..Plan::of(form)
    }
}

/// The guest that reads all sensors and sends as many commands.
fn choreography(rig: &Rig<'_, '_>) -> Choreography {
    prepare(rig, &busy("pre-process", JOINTS, JOINTS))
}

fn prepare(rig: &Rig<'_, '_>, guest: &str) -> Choreography {
    let made = rig.prepare(&component(guest), &everything());
    made.unwrap_or_else(|error| panic!("{error}"))
}
