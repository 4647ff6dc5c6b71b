// Curves as pieces, which the host cuts into straight lines and sends (`follow` in `wit/script.wit`). Used by
// `choreography.js`.
// The law: the same curve gives the same lines as in the SDK of Rust (`curve.rs`, `ease.rs`, `keys.rs`, `flatten.rs`), to
// the last bit; change both or none.

import { Answer, follow, lane } from './contract.js';

/** How a movement goes from its start to its end. */
export const Ease = Object.freeze({
  /** Constant speed. */
  linear: 'linear',
  /** Smooth start and smooth end: right for most movements. */
  sine: 'sine',
  /** Smooth start, full speed at the end. */
  sineIn: 'sineIn',
  /** Full speed at the start, smooth end. */
  sineOut: 'sineOut',
  /** As `sine`, but slower at both ends. */
  cubic: 'cubic',
  /** As `sineIn`, but slower at the start. */
  cubicIn: 'cubicIn',
  /** As `sineOut`, but slower at the end. */
  cubicOut: 'cubicOut',
  /** Minimum jerk between two positions at rest. */
  jerkless: 'jerkless',
  /** Swings back a little first. */
  backIn: 'backIn',
  /** Overshoots a little, and comes back. */
  backOut: 'backOut',
});

/** How a curve passes its keys. */
export const Through = Object.freeze({
  /** On straight lines. */
  straight: 'straight',
  /** It stops at every key. */
  stops: 'stops',
  /** It passes smoothly without overshoot. */
  flows: 'flows',
  /** It passes smoothly and may overshoot. */
  swings: 'swings',
});

/** The default error of the lines: a quarter of a degree. */
export const ERROR = 0.004;
/** The overshoot of `back`: a tenth of the way. */
const SWING = 1.70158;

/** Shapes of a piece over the share x of its time, as the host numbers them. */
const [CUBIC, JERKLESS, COSINE] = [0, 1, 2];

/** Easings from 0 to 1: the shape, and its four coefficients. */
const SHAPES = {
  linear: [CUBIC, 0, 1, 0, 0],
  sine: [COSINE, 0.5, -0.5, 0, 1],
  sineIn: [COSINE, 1, -1, 0, 0.5],
  sineOut: [COSINE, 0, 1, 0.5, -0.5],
  cubicIn: [CUBIC, 0, 0, 0, 1],
  cubicOut: [CUBIC, 0, 3, -3, 1],
  jerkless: [JERKLESS, 0, 1, 0, 0],
  backIn: [CUBIC, 0, 0, -SWING, SWING + 1],
  backOut: [CUBIC, 0, SWING + 3, -2 * SWING - 3, SWING + 1],
};
/** `cubic` has two halves. */
const HALVES = [
  [CUBIC, 0, 0, 0, 0.5],
  [CUBIC, 0.5, 1.5, -1.5, 0.5],
];

/** Sends an easing: actuator, value, ease, first value or undefined, anything, error. It is written for few calls: each
 * takes QuickJS as long as ten lines of a curve. */
export function sendEased(parts, start, span) {
  const number = parts[0];
  const to = parts[1];
  const from = parts[3] ?? lane.sent(number);
  if (parts[2] === 'cubic') return sendHalves(number, from, to, start, span, parts[5]);
  const shape = SHAPES[parts[2]];
  if (!shape) throw new RangeError(`there is no easing \`${parts[2]}\`; there are ${Object.keys(Ease).join(', ')}`);
  const way = to - from;
  // The angles of a cosine are not scaled.
  const scale = shape[0] === COSINE ? 1 : way;
  return follow(
    number, shape[0], from + shape[1] * way, shape[2] * way, shape[3] * scale, shape[4] * scale, to,
    start, span, parts[5], 1,
  );
}

function sendHalves(number, from, to, start, span, error) {
  const way = to - from;
  const half = Math.floor(span / 2);
  const middle = 0.5 * (from + to);
  const answer = follow(number, CUBIC, from, 0, 0, 0.5 * way, middle, start, half, error, 1);
  if (answer !== Answer.done) return answer;
  const [a, b, c, d] = HALVES[1].slice(1);
  return follow(number, CUBIC, from + a * way, b * way, c * way, d * way, to, start + half, span - half, error, 0);
}

/** The share of the way at this share of the time. */
export function easeAt(ease, share) {
  const at = share > 0 ? Math.min(share, 1) : 0;
  if (at === 1) return 1;
  const second = ease === 'cubic' && at > 0.5;
  const [shape, a, b, c, d] = ease === 'cubic' ? HALVES[second ? 1 : 0] : SHAPES[ease];
  const x = ease === 'cubic' ? 2 * at - (second ? 1 : 0) : at;
  if (shape === JERKLESS) return a + b * x * x * x * (10 + x * (6 * x - 15));
  if (shape === COSINE) return a + b * Math.cos(Math.PI * (c + d * x));
  return a + x * (b + x * (c + x * d));
}

/** Sends a curve through keys, `[[span, value], …]`, which begins at `begin` if that is given. */
export function sendKeys(number, points, start, way = 'flows', begin = undefined, error = ERROR) {
  if (!(way in Through)) throw new RangeError(`keys cannot be passed as \`${way}\`; ${Object.keys(Through).join(', ')}`);
  const all = begin === undefined ? points : [[0, begin], ...points];
  for (let place = 0; place + 1 < all.length; place++) {
    const [[at, from], [end, to]] = [all[place], all[place + 1]];
    const time = (end - at) / 1e9;
    const straight = way === 'straight' ? (to - from) / time : undefined;
    const first = (straight ?? slope(all, place, way)) * time;
    const last = (straight ?? slope(all, place + 1, way)) * time;
    // A cubic (Hermite) between two values, with slopes at both ends.
    const rise = to - from;
    const [square, cube] = [3 * rise - 2 * first - last, first + last - 2 * rise];
    const [span, begins] = [end - at, place === 0 ? 1 : 0];
    const answer = follow(number, CUBIC, from, first, square, cube, to, start + at, span, error, begins);
    if (answer !== Answer.done) return answer;
  }
  return Answer.done;
}

/** The slope at a key, per second; 0 at both ends. */
function slope(all, place, way) {
  if (place === 0 || place + 1 >= all.length) return 0;
  const [before, at, after] = [all[place - 1], all[place], all[place + 1]];
  const [one, two] = [(at[0] - before[0]) / 1e9, (after[0] - at[0]) / 1e9];
  const [up, on] = [(at[1] - before[1]) / one, (after[1] - at[1]) / two];
  let found = 0;
  if (way === 'swings') found = (up * two + on * one) / (one + two);
  else if (way === 'flows' && up * on > 0) {
    const [near, far] = [two + 2 * one, one + 2 * two];
    found = (near + far) / (far / up + near / on);
  }
  return Number.isFinite(found) ? found : 0;
}

/** Linear interpolation at a share of a line. */
export const mix = (from, to, share) => from + (to - from) * share;
