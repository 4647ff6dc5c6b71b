// Texts for the contract: AssemblyScript's strings are UTF-16, the contract's are UTF-8. And the lines of the log.
// The law: a text is written into one buffer of 256 bytes, the longest line, and cut between two characters; nothing is
// allocated.

import { Answer, Level, logWrite } from "./contract";

const LONGEST: u32 = 256;

// Lazy, since the first that may need them is an abort before all others.
/** Where the texts are written. */
// @ts-ignore: decorator
@lazy
export const buffer = memory.data(256);
// @ts-ignore: decorator
@lazy
let length: u32 = 0;

function push(byte: u32): void {
  store<u8>(buffer + length++, byte);
}

function add(text: string): void {
  for (let place = 0, end = text.length; place < end; place++) {
    const code = <u32>text.codePointAt(place);
    if (code > 0xffff) place++;
    const size: u32 = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (length + size > LONGEST) return;
    if (size == 1) {
      push(code);
      continue;
    }
    push((0xf00 >> size) & 0xff | (code >> (6 * (size - 1))));
    for (let rest = size - 1; rest > 0; rest--) push(0x80 | ((code >> (6 * (rest - 1))) & 0x3f));
  }
}

function digits(value: u64, atLeast: u32): void {
  if (value >= 10 || atLeast > 1) digits(value / 10, atLeast > 1 ? atLeast - 1 : 0);
  if (length < LONGEST) push(0x30 + <u32>(value % 10));
}

/** Writes a text into the buffer; its length in bytes. */
export function utf8(text: string): u32 {
  length = 0;
  add(text);
  return length;
}

/** A line that is being built: `line("it is ").number(0.25).text(" m away").info()`. There is one at a time. */
// @ts-ignore: decorator
@unmanaged
export class Line {
  text(text: string): Line {
    add(text);
    return this;
  }

  /** A number, with at most three decimals. */
  number(value: f64): Line {
    if (isNaN(value)) return this.text("no number");
    if (value < 0) add("-");
    const size = abs(value);
    if (size > 1e15) return this.text("much");
    const thousandths = <u64>(size * 1000 + 0.5);
    digits(thousandths / 1000, 1);
    let rest = thousandths % 1000;
    if (rest > 0) {
      add(".");
      let places: u32 = 3;
      for (; rest % 10 == 0; rest /= 10) places--;
      digits(rest, places);
    }
    return this;
  }

  debug(): Answer {
    return logWrite(Level.Debug, buffer, length);
  }

  info(): Answer {
    return logWrite(Level.Info, buffer, length);
  }

  warn(): Answer {
    return logWrite(Level.Warning, buffer, length);
  }
}

/** Begins a line. */
export function line(text: string): Line {
  length = 0;
  // It has no fields, so it needs no memory.
  return changetype<Line>(buffer).text(text);
}

/** Lines of one text. At most four are accepted in one call of a hook. */
export namespace log {
  /** For whoever wants to know everything. */
  export function debug(text: string): Answer {
    return line(text).debug();
  }
  /** What a person follows. */
  export function info(text: string): Answer {
    return line(text).info();
  }
  /** What should not be. */
  export function warn(text: string): Answer {
    return line(text).warn();
  }
}

/** What `assert`, `throw` and bounds checks call: logs the reason and the place, and ends the choreography. */
// @ts-ignore: decorator
@global
export function dcmAbort(message: string | null, file: string | null, row: u32, column: u32): void {
  const said = line(message ? "aborted: " : "aborted").text(message ? message : "");
  if (file) said.text(" at ").text(file).text(":").number(row).text(":").number(column);
  said.warn();
  unreachable();
}
