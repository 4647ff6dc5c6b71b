// Waves with the right arm, from any position of the arm, and puts it back.

import { group, joints, ms, param, sleepUntil, strike } from 'choreography';

const { RShoulderPitch, RShoulderRoll, RElbowYaw, RElbowRoll, RWristYaw, HeadYaw } = joints(
  'RShoulderPitch', 'RShoulderRoll', 'RElbowYaw', 'RElbowRoll', 'RWristYaw', 'HeadYaw',
);
const chest = group('ChestLeds');
const speed = param('speed', 0.5, 1.0, 1.5);
const times = param('times', 1, 3, 10);

/** The pose of the arm for waving: up, and a little out. */
const RAISED = [
  [RShoulderPitch, -1.3],
  [RShoulderRoll, -0.35],
  [RElbowYaw, 0.35],
  [RElbowRoll, 0.7],
  [RWristYaw, 0],
  [HeadYaw, -0.25],
];

export function run() {
  sleepUntil(wave());
}

/** Sends a whole wave. Returns when it ends. */
function wave() {
  const beat = Math.round(ms(400) / speed.get());

  // The arm goes up smoothly, from any position: a longer way takes longer.
  let at = strike(RAISED, 0.4, beat * 2);
  chest.to(1).at(at);

  // The forearm goes out and in, as often as it waves.
  const bend = (from, to) => RElbowRoll.to(to).eased('sine').from(from);
  for (let time = 0; time < Math.floor(times.get()); time++) {
    bend(0.7, 0.2).starting(at).over(beat);
    bend(0.2, 0.7).starting(at + beat).over(beat);
    at += beat * 2;
  }

  // The arm returns to rest.
  const last = at + beat * 3;
  for (const [joint, up] of RAISED) {
    joint.to(joint.limits().rest).eased('jerkless').from(up).starting(at).at(last);
  }
  chest.to(0).at(last);
  return last;
}
