//! Writes the Python export of Choregraphe. Called by `lib`.
//! A motion of lines alone becomes the simplified export, any other the one with handles;
//! what is written is data and the one call that plays it.

use crate::fault::{WriteFailure, quoted};
use crate::motion::{JointTrack, KeySide, KeyedMotion};
use crate::text::number::shortest;
use crate::units::{ValueUnit, key_seconds, seconds};

const FORMAT: &str = "a Python export of Choregraphe";

/// Writes a motion.
pub(crate) fn write(motion: &KeyedMotion) -> Result<String, WriteFailure> {
    let simple = crate::curves::is_straight(motion);
    let kind = if simple { "simplified" } else { "bezier" };
    let mut out = format!(
        "# Choregraphe {kind} export in Python.\nfrom naoqi import ALProxy\n\
         names = list()\ntimes = list()\nkeys = list()\n"
    );
    for track in &motion.tracks {
        write_track(track, simple, &mut out)?;
    }
    let call = if simple {
        "motion.angleInterpolation(names, keys, times, True)"
    } else {
        "motion.angleInterpolationBezier(names, times, keys)"
    };
    out.push_str(&format!(
        "\ntry:\n  motion = ALProxy(\"ALMotion\")\n  {call}\n\
         except BaseException as err:\n  print(err)\n"
    ));
    Ok(out)
}

fn write_track(track: &JointTrack, simple: bool, out: &mut String) -> Result<(), WriteFailure> {
    let no_room = |what: String| WriteFailure::NoRoom {
        format: FORMAT,
        what,
    };
    let joint = &track.joint;
    if track.unit != ValueUnit::Native {
        let joint = quoted(joint);
        return Err(no_room(format!(
            "{joint} has values in another unit than rad"
        )));
    }
    if joint.contains(['"', '\\', '\n', '\r']) {
        return Err(no_room(format!("the name {}", quoted(joint))));
    }
    let times: Vec<_> = track.keys.iter().map(|key| key_seconds(key.time)).collect();
    let mut keys = Vec::with_capacity(track.keys.len());
    for key in &track.keys {
        if simple {
            keys.push(shortest(key.value));
            continue;
        }
        let (Some(arrive), Some(leave)) = (handle(key.arrive), handle(key.leave)) else {
            return Err(no_room(format!("a spline or easing, of {}", quoted(joint))));
        };
        keys.push(format!("[{}, {arrive}, {leave}]", shortest(key.value)));
    }
    out.push_str(&format!(
        "\nnames.append(\"{joint}\")\ntimes.append([{}])\nkeys.append([{}])\n",
        times.join(", "),
        keys.join(", ")
    ));
    Ok(())
}

fn handle(side: KeySide) -> Option<String> {
    match side {
        KeySide::Step => Some("[0, 0, 0]".to_owned()),
        KeySide::Linear => Some("[1, 0, 0]".to_owned()),
        KeySide::Bezier(handle) => {
            let (time, value) = (seconds(handle.time), shortest(handle.value));
            Some(format!("[3, {time}, {value}]"))
        }
        KeySide::Spline | KeySide::Ease(_) => None,
    }
}
