//! Judges all runs of a show together: whether it ends, stays within its fuel and time, and does anything at all.
//! Called once for a check, when all postures have been tried.

use description::{Robot, nearest};
use guests::{CheckedComponent, HOOKS, Hook, HookUsage};

use super::CheckInput;
use super::finding::{CheckFacts, CheckFinding, HookStats};
use super::format::seconds;
use super::rule::Rule;
use super::simulation::SimulationResult;
use super::trials::Trials;
use super::unjudged::{listed, waits_for_something};

/// The share of its fuel that a hook may use without a warning.
const FUEL_SHARE: f64 = 0.8;

/// Adds what is found when everything has been played.
pub(super) fn judge(robot: &Robot, component: Option<&CheckedComponent>, trials: &mut Trials) {
    if trials.was_played {
        let loops = component.is_some_and(|component| component.manifest.loops);
        let never_ends = (!trials.ends && !loops).then(|| never_ends(trials.play_for));
        trials.total.findings.extend(never_ends);
        let out_of_time = trials.out_of_time.then(|| out_of_time(trials.postures));
        trials.total.findings.extend(out_of_time);
    }
    judge_fuel(&mut trials.total);
    let failed = [Rule::Fault, Rule::Fuel, Rule::Endless];
    let failed = failed
        .iter()
        .any(|item| trials.total.findings.has(*item, ""));
    let moved = trials.total.moved || failed;
    if trials.was_played && !moved && !waits_for_something(&trials.total, component) {
        let sends_nothing = sends_nothing(robot, &trials.total);
        // It names the actuators itself.
        trials.total.unknown_names.clear();
        trials.total.findings.add(sends_nothing);
    }
    unknown_names(robot, &mut trials.total);
}

/// Names that it looked up in vain.
fn unknown_names(robot: &Robot, total: &mut SimulationResult) {
    let actuators = robot
        .actuators
        .iter()
        .map(|actuator| actuator.name.as_str());
    let sensors = robot.sensors.iter().map(|sensor| sensor.name.as_str());
    let aliases = robot.aliases.iter().map(|alias| alias.0.as_str());
    let actuators = (
        "actuator or alias",
        &total.unknown_names,
        actuators.chain(aliases).collect::<Vec<_>>(),
    );
    let sensors = ("sensor", &total.unknown_sensors, sensors.collect());
    for (kind, unknown, known) in [actuators, sensors] {
        for name in unknown {
            let sentence = format!("{} has no {kind} `{name}`, which it looks up", robot.name);
            let fix = match nearest(name, known.iter().copied()) {
                Some(near) => format!("use `{near}`, if that is meant"),
                None => format!("`dcm-run config show {}` lists the names", robot.name),
            };
            total.findings.add(CheckFinding {
                who: name.clone(),
                ..CheckFinding::new(Rule::Names, sentence, fix)
            });
        }
    }
}

fn never_ends(play_for: f64) -> CheckFinding {
    let lasted = seconds(play_for);
    let sentence =
        format!("it has not ended after {lasted}, and its manifest does not say that it loops");
    let fix = "end it, or say `loops = true` in its manifest";
    CheckFinding::new(Rule::Ends, sentence, fix)
}

fn out_of_time(postures: usize) -> CheckFinding {
    let untried = postures - 1;
    let sentence = format!("the time ran out before {untried} of {postures} postures were tried");
    CheckFinding::new(
        Rule::Hang,
        sentence,
        "give the check more time with --within",
    )
}

fn sends_nothing(robot: &Robot, total: &SimulationResult) -> CheckFinding {
    let missing = match total.unknown_names.as_slice() {
        [] if total.found_actuator => "no command to any of its actuators".to_owned(),
        [] => "it asks for no actuator".to_owned(),
        names => format!("{} does not have {}", robot.name, listed(names)),
    };
    let sentence = format!("it sends nothing: {missing}");
    let fix = "check it for the robot that it is made for, or use the names of this robot";
    CheckFinding::new(Rule::Nothing, sentence, fix)
}

/// What else is to be known of it; how long the check `took` is filled in at the end.
pub(super) fn facts(
    input: &CheckInput<'_>,
    component: Option<&CheckedComponent>,
    trials: &mut Trials,
) -> CheckFacts {
    let total = &mut trials.total;
    CheckFacts {
        digest: guests::digest(input.bytes),
        form: total.form.to_owned(),
        uses: component.map_or(Vec::new(), |component| component.imports.clone()),
        loops: component.is_some_and(|component| component.manifest.loops),
        lead: component.and_then(|component| component.manifest.lead),
        plays: std::mem::take(&mut total.plays),
        hooks: hook_stats(total),
        fuel: total.fuel_limit,
        margin: total.balance.margin.map(|margin| margin.0),
        moving_margin: total
            .balance
            .moving_margin
            .map(|moving_margin| moving_margin.0),
        tipping: total.balance.tipped,
        leaning: total.balance.leaned,
        simulated: total.simulated,
        loading: total.loading.as_secs_f64(),
        took: 0.0,
    }
}

/// A hook that takes most of its fuel in one call.
fn judge_fuel(total: &mut SimulationResult) {
    for (hook, used) in Hook::ALL.into_iter().zip(total.hooks) {
        let share = used.most as f64 / total.fuel_limit.max(1) as f64;
        let in_turn = matches!(hook, Hook::PreProcess | Hook::PostProcess | Hook::IsAlive);
        if in_turn && share > FUEL_SHARE && !total.findings.has(Rule::Fuel, "") {
            let percent = (share * 100.0).round();
            let sentence = format!(
                "{} used {} of {} fuel in one call: {percent} %",
                hook.name(),
                used.most,
                total.fuel_limit
            );
            total.findings.add(CheckFinding {
                who: hook.name().to_owned(),
                value: Some(used.most as f64),
                limit: Some(total.fuel_limit as f64 * FUEL_SHARE),
                ..CheckFinding::new(Rule::Fuel, sentence, Rule::Fuel.advice())
            });
        }
    }
}

/// What each hook used, over all runs.
fn hook_stats(total: &SimulationResult) -> Vec<HookStats> {
    let turn_hooks = [Hook::PreProcess, Hook::PostProcess, Hook::IsAlive];
    // Of a score only `run` is called, beside the turn.
    let name = |hook: Hook| match hook {
        Hook::Start if total.is_score => "run",
        hook => hook.name(),
    };
    let fuel: u64 = turn_hooks
        .iter()
        .map(|turn_hook| total.hooks[*turn_hook as usize].total)
        .sum();
    let ns = total.hook_time / fuel.max(1) as f64;
    let used = |hook: Hook, usage: &HookUsage| HookStats {
        hook: name(hook).to_owned(),
        calls: usage.calls,
        most: usage.most,
        average: usage.total as f64 / usage.calls.max(1) as f64,
        most_us: turn_hooks
            .contains(&hook)
            .then_some(usage.most as f64 * ns / 1e3),
    };
    let all: [HookUsage; HOOKS] = total.hooks;
    let called = Hook::ALL
        .into_iter()
        .zip(&all)
        .filter(|pair| pair.1.calls > 0);
    called.map(|(hook, item)| used(hook, item)).collect()
}
