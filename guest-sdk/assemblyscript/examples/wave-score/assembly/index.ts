// Waves with the right arm, from any position of the arm, and puts it back: as a score, which sends everything, and
// then sleeps until it is over.

import { Ease, Instant, Pose, group, joint, ms, param, sleepUntil, strike } from "../sdk/choreography";

// The top level is `run`: the whole score.
const RElbowRoll = joint("RElbowRoll");
const chest = group("ChestLeds");
const speed = param("speed", 0.5, 1, 1.5);
const times = param("times", 1, 3, 10);

/** The pose of the arm for waving: up, and a little out. */
const raised = new Pose()
  .with(joint("RShoulderPitch"), -1.3)
  .with(joint("RShoulderRoll"), -0.35)
  .with(joint("RElbowYaw"), 0.35)
  .with(RElbowRoll, 0.7)
  .with(joint("RWristYaw"), 0)
  .with(joint("HeadYaw"), -0.25);

sleepUntil(wave());

/** Sends a whole wave. Returns when it ends. */
function wave(): Instant {
  const beat = ms(400 / speed.get());

  // The arm goes up smoothly, from any position: a longer way takes longer.
  let at = strike(raised, 0.4, 2 * beat);
  chest.to(1).at(at);

  // The forearm goes out and in, as often as it waves.
  for (let waves = <i32>times.get(); waves > 0; waves--) {
    RElbowRoll.to(0.2).eased(Ease.Sine).from(0.7).starting(at).over(beat);
    RElbowRoll.to(0.7).eased(Ease.Sine).from(0.2).starting(at + beat).over(beat);
    at += 2 * beat;
  }

  // The arm returns to rest.
  const home = at + 3 * beat;
  for (let place = 0; place < raised.length; place++) {
    const joint = raised.actuators[place];
    joint.to(joint.limits().rest).eased(Ease.Jerkless).from(raised.values[place]).starting(at).at(home);
  }
  chest.to(0).at(home);
  return home;
}
