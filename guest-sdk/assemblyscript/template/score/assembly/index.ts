// {{Name}}: looks to the left and to the right, and back. A score: one long run, which may sleep.

import { Ease, deg, joint, ms, param, sleep } from "../sdk/choreography";

// The top level is `run`. Commands that still wait at its end are dropped.
const HeadYaw = joint("HeadYaw");
const far = param("far", 5, 30, 60); // degrees: lowest, usual, highest; a person can change it while it plays

for (let times = 0; times < 2; times++) {
  const angle = deg(far.get());
  HeadYaw.to(angle).eased(Ease.Sine).over(ms(900));
  sleep(ms(1100));
  HeadYaw.to(-angle).eased(Ease.Sine).over(ms(1200));
  sleep(ms(1400));
}
HeadYaw.to(0).eased(Ease.Sine).over(ms(900));
sleep(ms(900));
