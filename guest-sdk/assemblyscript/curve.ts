// Curves in pieces: easings and keys are made of them, and `Follower` sends each as a few straight lines, by the same
// rule as the SDK for Rust, so that a choreography moves alike in both.
// The law: a piece knows its own curvature, so the error of a line is computed, never guessed; nothing is allocated.

import { Answer, Merge, commandsPut, commandsSet } from "./contract";
import { Instant, Span, between, nanos } from "./time";

/** The default error: a quarter of a degree, a step of a light with 256 steps. */
export const USUAL_ERROR: f64 = 0.004;

/** The smallest error. With a smaller one, nearly every turn would need a command. */
const LEAST_ERROR: f64 = 1e-6;

/** How a movement goes from its start to its end. */
export enum Ease {
  /** Constant speed, with a jerk at both ends. */
  Linear,
  /** Smooth start and smooth end: right for most movements. */
  Sine,
  /** Smooth start, full speed at the end. */
  SineIn,
  /** Full speed at the start, smooth end. */
  SineOut,
  /** As `Sine`, but slower at both ends. */
  Cubic,
  /** As `SineIn`, but slower at the start. */
  CubicIn,
  /** As `SineOut`, but slower at the end. */
  CubicOut,
  /** Minimum jerk between two positions at rest: how the arms of animals move. */
  Jerkless,
  /** Swings back a little first. */
  BackIn,
  /** Overshoots a little, and comes back. Consider the joint's range. */
  BackOut,
}

const SWING: f64 = 1.70158;

enum Shape {
  /** `a + b x + c x² + d x³` */
  Cubic,
  /** `a + b (10 x³ - 15 x⁴ + 6 x⁵)` */
  Jerkless,
  /** `a + b cos(π (c + d x))` */
  Cosine,
}

/** A smooth part of a curve, over the share of its time, from 0 to 1. */
class Piece {
  start: Span = 0;
  end: Span = 0;
  shape: Shape = Shape.Cubic;
  a: f64 = 0;
  b: f64 = 0;
  c: f64 = 0;
  d: f64 = 0;
  /** Its exact value at its end, so that a curve meets its keys. */
  last: f64 = 0;

  set(shape: Shape, a: f64, b: f64, c: f64, d: f64): void {
    this.shape = shape;
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
  }

  /** An easing from 0 to 1; `Cubic` has a second half, with a share of its own. */
  unit(ease: Ease, second: bool): void {
    switch (ease) {
      case Ease.Linear: return this.set(Shape.Cubic, 0, 1, 0, 0);
      case Ease.Sine: return this.set(Shape.Cosine, 0.5, -0.5, 0, 1);
      case Ease.SineIn: return this.set(Shape.Cosine, 1, -1, 0, 0.5);
      case Ease.SineOut: return this.set(Shape.Cosine, 0, 1, 0.5, -0.5);
      case Ease.Cubic: return second ? this.set(Shape.Cubic, 0.5, 1.5, -1.5, 0.5) : this.set(Shape.Cubic, 0, 0, 0, 0.5);
      case Ease.CubicIn: return this.set(Shape.Cubic, 0, 0, 0, 1);
      case Ease.CubicOut: return this.set(Shape.Cubic, 0, 3, -3, 1);
      case Ease.Jerkless: return this.set(Shape.Jerkless, 0, 1, 0, 0);
      case Ease.BackIn: return this.set(Shape.Cubic, 0, 0, -SWING, SWING + 1);
      default: return this.set(Shape.Cubic, 0, SWING + 3, -2 * SWING - 3, SWING + 1);
    }
  }

  /** Stretches from 0 to 1 to the range between two values. */
  stretch(low: f64, high: f64): void {
    const way = high - low;
    this.a = low + this.a * way;
    this.b *= way;
    if (this.shape == Shape.Cubic) {
      this.c *= way;
      this.d *= way;
    }
  }

  value(x: f64): f64 {
    if (x >= 1) return this.last;
    switch (this.shape) {
      case Shape.Cubic: return this.a + x * (this.b + x * (this.c + x * this.d));
      case Shape.Jerkless: return this.a + this.b * x * x * x * (10 + x * (6 * x - 15));
      default: return this.a + this.b * cosine(this.c, this.d, x);
    }
  }

  /** The curvature at a share: the absolute second derivative by the share. */
  bend(x: f64): f64 {
    switch (this.shape) {
      case Shape.Cubic: return abs(2 * this.c + 6 * this.d * x);
      case Shape.Jerkless: return abs(this.b * x * (60 + x * (120 * x - 180)));
      default: return abs(this.b * (Math.PI * this.d) * (Math.PI * this.d) * cosine(this.c, this.d, x));
    }
  }

  /**
   * The largest error of a line over this share, from the curvature at both ends; exact for cubics, a bound for the
   * others. Between the ends the curvature must not change its sign.
   */
  stray(length: f64, one: f64, two: f64): f64 {
    const most = this.shape == Shape.Cubic ? 0.06415002990995842 * (one + two) : 0.125 * max(one, two);
    return length * length * most;
  }

  /** The next share at which the curvature changes its course, else the end. */
  turn(share: f64): f64 {
    if (this.shape == Shape.Jerkless) {
      // Where it is largest: `(3 ± √3) / 6`.
      if (share < 0.2113248654051871) return 0.2113248654051871;
      if (share < 0.7886751345948129) return 0.7886751345948129;
    }
    return 1;
  }

  /** The share where a line from this share may end; `guess` is its approximate length. */
  reach(from: f64, limit: f64, guess: f64): f64 {
    const end = this.turn(from);
    const longest = end - from;
    const here = this.bend(from);
    let length = min(guess, longest);
    let best: f64 = 0;
    for (let trial = 0; trial < 40; trial++) {
      const off = this.stray(length, here, this.bend(from + length));
      if (off <= limit) {
        best = length;
        if (length >= longest) return end;
        // The line is close enough to the longest.
        if (off > 0.9 * limit) break;
      } else if (best > 0 && length < 1.02 * best) {
        break;
      }
      // The error grows with the square of the length: a step of Heron's method.
      const step = 0.5 * (1 + (0.97 * limit) / off);
      length = min(length * min(max(step, 0.1), 2), longest);
    }
    // A NaN never fits: it is one line.
    return from + best > from ? from + best : end;
  }
}

/** `cos(π (from + by · share))` for a sum from 0 to 1, by the series of the sine of the complement. */
function cosine(from: f64, by: f64, share: f64): f64 {
  const angle = Math.PI * (0.5 - (from + by * share));
  const z = angle * angle;
  const last = 1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0);
  const rest = 1.0 / 362880.0 + z * (-1.0 / 39916800.0 + z * last);
  return angle * (1 + z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * rest))));
}

/** The one piece that is being sent. */
export const piece = new Piece();

/** The share of the way at this share of the time. Both are 0 at the start and 1 at the end. */
export function easeAt(ease: Ease, share: f64): f64 {
  const x = share > 0 ? min(share, 1) : 0;
  const halves = ease == Ease.Cubic;
  const second = halves && x > 0.5;
  piece.unit(ease, second);
  piece.last = halves && !second ? 0.5 : 1;
  return piece.value(halves ? (second ? 2 * x - 1 : 2 * x) : x);
}

/** Sends the pieces of a curve to an actuator. The first command drops those that wait for its instant or later. */
export class Follower {
  to: u32 = 0;
  start: Instant = 0;
  limit: f64 = USUAL_ERROR;
  /** The share of the last line: the first guess for the next. */
  last: f64 = 1;
  merge: Merge = Merge.ClearAfter;
  answer: Answer = Answer.Done;

  begin(to: u32, start: Instant, limit: f64): void {
    this.to = to;
    this.start = start;
    this.limit = limit > LEAST_ERROR ? limit : LEAST_ERROR;
    this.last = 1;
    this.merge = Merge.ClearAfter;
    this.answer = Answer.Done;
  }

  /** Sends the lines of `piece`, unless an earlier one was refused. */
  send(): void {
    if (this.merge != Merge.Merge) this.command(piece.start, piece.value(0));
    let share: f64 = 0;
    while (share < 1 && this.answer == Answer.Done) {
      const next = piece.reach(share, this.limit, this.last);
      this.last = next - share;
      share = next;
      const way = between(piece.start, piece.end);
      this.command(share < 1 ? piece.start + nanos(<f64>way * share) : piece.end, piece.value(share));
    }
  }

  private command(after: Span, value: f64): void {
    const at = this.start + after;
    this.answer =
      this.merge == Merge.Merge ? commandsSet(this.to, value, at) : commandsPut(this.to, value, at, this.merge);
    this.merge = Merge.Merge;
  }

  /** Sends an easing from one value to another. */
  ease(ease: Ease, from: f64, to: f64, span: Span): Answer {
    const halves = ease == Ease.Cubic;
    const half = span / 2;
    const pieces = halves ? 2 : 1;
    for (let place = 0; place < pieces; place++) {
      piece.start = place == 0 ? 0 : half;
      piece.end = halves && place == 0 ? half : span;
      piece.unit(ease, place == 1);
      piece.stretch(from, to);
      piece.last = halves && place == 0 ? 0.5 * (from + to) : to;
      this.send();
    }
    return this.answer;
  }

  /** Sends a cubic between two values, with slopes per second at both ends. */
  hermite(start: Span, end: Span, from: f64, to: f64, slope: f64, last: f64): void {
    const time = <f64>between(start, end) / 1e9;
    const one = slope * time;
    const two = last * time;
    const rise = to - from;
    piece.start = start;
    piece.end = end;
    piece.set(Shape.Cubic, from, one, 3 * rise - 2 * one - two, one + two - 2 * rise);
    piece.last = to;
    this.send();
  }
}

export const follower = new Follower();
