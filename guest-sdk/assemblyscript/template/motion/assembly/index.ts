// {{Name}}: looks to the left and to the right, and back. A motion: the loop calls its hooks in every turn.

import { Instant, deg, joint, ms, now, param } from "../sdk/choreography";

// The top level is the hook `start`. Here names are looked up: of joints, lights, groups, sensors, params, topics.
const HeadYaw = joint("HeadYaw");
const far = param("far", 5, 30, 60); // degrees: lowest, usual, highest; a person can change it while it plays

/** When it ends; 0 before the first turn. */
let end: Instant = 0;

/** Called in every turn, before the values are computed. There is also `postProcess`. */
export function preProcess(): void {
  if (end != 0) return;
  const angle = deg(far.get());
  HeadYaw.through().key(ms(800), angle).key(ms(2000), -angle).key(ms(2800), 0).now();
  end = now() + ms(2800);
}

/** Called in every turn; `false` ends the choreography. */
export function isAlive(): bool {
  return end == 0 || now() < end;
}
