// {{Name}}: turns the head to and fro. Its hooks are called by the robot's loop, in every turn.

import { actuator, now, param, s, seconds } from 'choreography';
import type { Instant } from 'choreography';

const headYaw = actuator('HeadYaw');
/** Radians to each side; change it while it plays: `dcm-run tune {{name}} width=0.5`. */
const width = param('width', 0, 0.3, 1);

/** When it begins to swing; undefined before its first turn. */
let begun: Instant | undefined;

/** In every turn, before the values are computed: what is commanded for now is sent in this turn. */
export function preProcess(): void {
  if (begun === undefined) {
    // From wherever the head is to the middle, in a second.
    headYaw.to(0).eased('sine').over(s(1));
    begun = now() + s(1);
  }
  if (now() >= begun) headYaw.to(width.get() * Math.sin(2 * seconds(now() - begun))).now();
}

/** Asked in every turn: it ends after ten movements. */
export function isAlive(): boolean {
  return begun === undefined || seconds(now() - begun) < 10 * Math.PI;
}
