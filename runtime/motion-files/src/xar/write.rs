//! Writes a project of Choregraphe that has nothing but timelines. Called by `lib`.
//! A key lies on a frame of the motion's own rate, or it cannot be written.

use crate::fault::{WriteFailure, quoted};
use crate::motion::{JointKey, JointTrack, KeySide, KeyedMotion};
use crate::text::number::shortest;
use crate::units::ValueUnit;

const FORMAT: &str = "a project of Choregraphe";
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n\
    <ChoregrapheProject xmlns=\"http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd\" \
    xar_version=\"3\">\n\
    \x20 <Box name=\"root\" id=\"-1\" localization=\"8\" tooltip=\"\" x=\"0\" y=\"0\">\n\
    \x20   <Timeline enable=\"0\">\n\
    \x20     <BehaviorLayer name=\"behavior_layer1\">\n\
    \x20       <BehaviorKeyframe name=\"keyframe1\" index=\"1\">\n\
    \x20         <Diagram>\n";
const TAIL: &str = "          </Diagram>\n        </BehaviorKeyframe>\n      </BehaviorLayer>\n    \
    </Timeline>\n  </Box>\n</ChoregrapheProject>\n";

/// Writes motions, each as a box with a timeline.
pub(crate) fn write(motions: &[KeyedMotion]) -> Result<String, WriteFailure> {
    let mut out = HEAD.to_owned();
    for (number, motion) in motions.iter().enumerate() {
        let rate = motion.rate.unwrap_or(25.0);
        let size = (motion.end() as f64 * rate / 1e9).round();
        out.push_str(&format!(
            "            <Box name=\"{}\" id=\"{}\" localization=\"8\" tooltip=\"\" \
             x=\"0\" y=\"0\">\n\
             \x20             <Timeline enable=\"1\" fps=\"{}\" start_frame=\"1\" \
             end_frame=\"-1\" size=\"{size}\">\n\
             \x20               <ActuatorList model=\"{}\">\n",
            escaped(&motion.name),
            number + 2,
            shortest(rate),
            escaped(&motion.body),
        ));
        for track in &motion.tracks {
            write_track(track, rate, &mut out)?;
        }
        out.push_str(
            "                </ActuatorList>\n              </Timeline>\n            </Box>\n",
        );
    }
    out.push_str(TAIL);
    Ok(out)
}

fn write_track(track: &JointTrack, rate: f64, out: &mut String) -> Result<(), WriteFailure> {
    let no_room = |what: String| WriteFailure::NoRoom {
        format: FORMAT,
        what: format!("{what}, of {}", quoted(&track.joint)),
    };
    let unit = match track.unit {
        ValueUnit::Degree => 0,
        ValueUnit::Native => 1,
        _ => {
            return Err(no_room(
                "values that are neither degrees nor 0..1".to_owned(),
            ));
        }
    };
    out.push_str(&format!(
        "                  <ActuatorCurve name=\"value\" actuator=\"{}\" recordable=\"1\" \
         mute=\"0\" unit=\"{unit}\">\n",
        escaped(&track.joint)
    ));
    for key in &track.keys {
        let frame = (key.time as f64 * rate / 1e9).round();
        if (frame * 1e9 / rate).round() as u64 != key.time {
            let time = crate::units::key_seconds(key.time);
            return Err(no_room(format!("a key at {time} s, which is no frame")));
        }
        out.push_str(&format!(
            "                    <Key frame=\"{frame}\" value=\"{}\"",
            shortest(key.value)
        ));
        let tangents = tangents(key, rate).ok_or_else(|| no_room("an easing".to_owned()))?;
        if tangents.is_empty() {
            out.push_str(" />\n");
        } else {
            out.push_str(">\n");
            out.push_str(&tangents);
            out.push_str("                    </Key>\n");
        }
    }
    out.push_str("                  </ActuatorCurve>\n");
    Ok(())
}

fn tangents(key: &JointKey, rate: f64) -> Option<String> {
    let mut out = String::new();
    for (side, of) in [("left", key.arrive), ("right", key.leave)] {
        let (kind, frames, value) = match of {
            KeySide::Spline => continue,
            KeySide::Linear => ("linear", 0.0, 0.0),
            KeySide::Step => ("constant", 0.0, 0.0),
            KeySide::Bezier(handle) => ("bezier", handle.time as f64 * rate / 1e9, handle.value),
            KeySide::Ease(_) => return None,
        };
        out.push_str(&format!(
            "                      <Tangent side=\"{side}\" interpType=\"{kind}\" \
             abscissaParam=\"{}\" \
             ordinateParam=\"{}\" />\n",
            shortest(frames),
            shortest(value)
        ));
    }
    Some(out)
}

/// A text inside the quotes of an attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => out.push_str(&format!("&#{};", u32::from(letter))),
            _ => out.push(letter),
        }
    }
    out
}
