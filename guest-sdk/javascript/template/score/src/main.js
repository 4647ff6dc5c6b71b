// {{Name}}: looks left and right, three times. It has a thread of its own: it may compute, sleep, and send ahead.

import { actuator, deg, log, ms, sleep } from 'choreography';

const headYaw = actuator('HeadYaw');

export function run() {
  for (let time = 0; time < 3; time++) {
    headYaw.to(deg(30)).eased('sine').over(ms(800));
    sleep(ms(900));
    headYaw.to(deg(-30)).eased('sine').over(ms(1600));
    sleep(ms(1700));
  }
  headYaw.to(0).eased('sine').over(ms(800));
  sleep(ms(800));
  log.info('it has looked');
}
