//! What guests may see and do on this robot: makes their view of the body and their grants from the description.
//! Called when a loop starts, and for every load.
//! A choreography's grant is found by the name that the caller gives, or else by its file name, never by the
//! name in its manifest. If there is no such grant, the one named `default` applies, or else a small one.

use std::path::PathBuf;
use std::time::Duration;

use cycle::priority;
use guests::{BodyNames, CodeForm, CompileBudget, GUESTS, GuestBody, WasiAccess, WasiGrant};
use sensors::Window;

use description::{BodyTables, GrantSpec, GuestForm, Robot};

/// The default fuel for each call of a hook: about a millisecond. A script that sends a whole movement in one turn
/// takes half of it.
const FUEL: u64 = 3_000_000;

/// The default limit of memory, bytes.
const MEMORY: u64 = 64 << 20;

/// How guests of this robot reach sensors and commands.
pub fn code_form(robot: &Robot) -> CodeForm {
    match robot.machine.guests {
        GuestForm::InPlace => CodeForm::InPlace,
        GuestForm::Calls => CodeForm::Calls,
    }
}

/// What compiling may cost on this robot.
pub fn compile_budget(robot: &Robot) -> CompileBudget {
    let seconds = |n: u32| Duration::from_secs(n.into());
    CompileBudget {
        time: robot.machine.compile_time.map(seconds),
        memory: robot.machine.compile_memory,
    }
}

/// The most guests that this robot has lanes for, one of them kept for a swap.
pub fn most_guests(robot: &Robot) -> usize {
    let tables = BodyTables::of(robot);
    let plan = robot.plan(&tables.body());
    let rooms = plan.commands / robot.lane.room.max(1) as usize;
    plan.lanes.min(rooms).clamp(2, GUESTS)
}

/// The view of the body that all guests of this robot share; `window` shows its state.
pub fn guest_body(robot: &Robot, window: Window) -> GuestBody {
    let tables = BodyTables::of(robot);
    let numbered = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let others = |names: &[String], place: usize| -> Vec<(String, u32)> {
        let named = |name: &String| (name.clone(), numbered(place));
        names.iter().map(named).collect()
    };
    let actuators = robot.actuators.iter().enumerate();
    let sensors = robot.sensors.iter().enumerate();
    let alias = |(name, members): &(String, Vec<cycle::ActuatorId>)| {
        let members = members.iter().map(|member| u32::from(member.0)).collect();
        (name.clone(), members)
    };
    let names = BodyNames {
        actuators: actuators
            .flat_map(|actuator| others(&actuator.1.aliases, actuator.0))
            .collect(),
        sensors: sensors
            .flat_map(|sensor| others(&sensor.1.aliases, sensor.0))
            .collect(),
        aliases: robot.aliases.iter().map(alias).collect(),
    };
    GuestBody::new(&tables.body(), names, robot.settings.period, window)
}

/// Grants all of WASI that can be granted, without a folder, to every choreography: for simulations.
pub fn grant_wasi(robot: &mut Robot) {
    if !robot.grants.iter().any(|grant| grant.0 == "default") {
        robot
            .grants
            .push(("default".to_owned(), GrantSpec::default()));
    }
    for (_, grant) in &mut robot.grants {
        grant.wasi = ["clocks", "random"].map(str::to_owned).to_vec();
    }
}

/// The grant of a choreography of this name.
pub fn grant(robot: &Robot, name: &str) -> guests::Grant {
    let of = |name: &str| robot.grants.iter().find(|grant| grant.0 == name);
    let found = of(name).or_else(|| of("default")).map(|pair| &pair.1);
    let none = GrantSpec::default();
    let grant = found.unwrap_or(&none);
    let has = |word: &str| grant.wasi.iter().any(|item| item == word);
    guests::Grant {
        fuel: grant.fuel.unwrap_or(FUEL),
        memory: grant.memory.unwrap_or(MEMORY),
        priority: grant.priority.unwrap_or(priority::HIGH),
        actuators: grant
            .actuators
            .as_ref()
            .map(|ids| ids.iter().map(|id| u32::from(id.0)).collect()),
        wasi: WasiAccess {
            grant: WasiGrant {
                clocks: has("clocks"),
                random: has("random"),
            },
            folder: grant.folder.as_ref().map(PathBuf::from),
        },
    }
}
