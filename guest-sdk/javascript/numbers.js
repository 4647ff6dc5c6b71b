// What an author passes where a number belongs. Used by `choreography.js` and `curve.js`.
// The law: what is no number is an error that names the argument. Nothing is sent, and nothing is answered.

// `it === +it` is true of numbers other than NaN alone, and QuickJS computes it faster than `typeof it`.

/** This value, a number. `what` names it: `HeadYaw.to(value)`. */
export function number(value, what) {
  return value === +value ? value : refuse(value, what);
}

/** This value, a number or NaN. */
export function figure(value, what) {
  return typeof value === 'number' ? value : refuse(value, what);
}

/** This value, a number; NaN stands for none. */
export function optional(value, what) {
  return Number.isNaN(value) ? undefined : number(value, what);
}

/** This instant or span. */
export function time(nanos, what) {
  return nanos === +nanos ? nanos : refuse(nanos, what, ' of nanoseconds, as ms(300) is');
}

/** Throws what is to say about this value. */
export function refuse(value, what, unit = '') {
  const text = `${what} takes a number${unit}, not ${shown(value)}`;
  throw typeof value === 'number' ? new RangeError(text) : new TypeError(text);
}

function shown(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
