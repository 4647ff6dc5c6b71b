// Generated from wit/ by guest-sdk/bindings; do not edit.

/* global dcm */

export const Answer = Object.freeze({
  done: 0,
  unknown: 1,
  forbidden: 2,
  full: 3,
  notFinite: 4,
  outOfReach: 5,
  insideATurn: 6,
  taken: 7,
  wrongKind: 8,
  tooMuch: 9,
  ending: 10,
});

export const State = Object.freeze({
  boot: 0,
  disarmed: 1,
  armed: 2,
  running: 3,
  holding: 4,
  safe: 5,
  fault: 6,
  estop: 7,
});

export const body = {
  findActuator: dcm[0],
  findSensor: dcm[1],
  aliasLength: dcm[2],
  aliasMember: dcm[3],
  lowest: dcm[4],
  highest: dcm[5],
  velocity: dcm[6],
  acceleration: dcm[7],
  rest: dcm[8],
  period: dcm[9],
};

export const Merge = Object.freeze({
  merge: 0,
  clearAll: 1,
  clearAfter: 2,
  clearBefore: 3,
});

export const commands = {
  set: dcm[10],
  put: dcm[11],
  clear: dcm[12],
  waiting: dcm[13],
};

export const bulk = {
  setAll: dcm[14],
};

export const lane = {
  setPriority: dcm[15],
  setWeight: dcm[16],
  setWeightOn: dcm[17],
  drive: dcm[18],
  setGains: dcm[19],
  sent: dcm[20],
  bodyState: dcm[21],
  isHidden: dcm[22],
  finish: dcm[23],
};

export const sensors = {
  read: dcm[24],
  age: dcm[25],
  acknowledged: dcm[26],
};

export const clock = {
  now: dcm[27],
  turn: dcm[28],
  sleepUntil: dcm[29],
};

export const events = {
  topic: dcm[30],
  post: dcm[31],
  next: dcm[32],
  currentTopic: dcm[33],
  currentValue: dcm[34],
};

export const params = {
  declare: dcm[35],
  get: dcm[36],
};

export const state = {
  keep: dcm[37],
  kept: dcm[38],
};

export const Level = Object.freeze({
  debug: 0,
  info: 1,
  warning: 2,
});

export const log = {
  write: dcm[39],
};

export const Outcome = Object.freeze({
  waiting: 0,
  arrived: 1,
  clipped: 2,
  missed: 3,
  cleared: 4,
  cancelled: 5,
  dropped: 6,
  unknown: 7,
});

export const requests = {
  begin: dcm[40],
  left: dcm[41],
  outcomeOf: dcm[42],
  cancel: dcm[43],
};

/** Ends the guest; the text says why. */
export const fail = dcm[44];
/** Sends a piece of a curve. */
export const follow = dcm[45];
/** Sends the commands of a group. */
export const sendGroup = dcm[46];

/** Gives the engine the hooks of a choreography: the exports of its main module. */
export function install(hooks) {
  let has = 0;
  ['start', 'preProcess', 'postProcess', 'isAlive', 'stop', 'run'].forEach((name, place) => {
    if (typeof hooks[name] === 'function') {
      dcm[47 + place] = hooks[name];
      has |= 1 << place;
    }
  });
  dcm[53] = has;
}
