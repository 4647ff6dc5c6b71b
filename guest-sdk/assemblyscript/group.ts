// Groups: several actuators under one name, an alias of the description. `eyes.to(1).over(ms(100))`.
// The law: as in actuator.ts.

import * as contract from "./contract";
import { Answer } from "./contract";
import { missing } from "./actuator";
import { buffer, utf8 } from "./text";
import { Instant, Span, now } from "./time";

/** The most members of a group. Others are left out, and a warning says so. */
const MEMBERS: u32 = 32;

/** An alias of the description: all its members get the same command in one request, all or none. */
export class Group {
  length: u32 = 0;
  private members: StaticArray<u32> = new StaticArray<u32>(MEMBERS);

  constructor(readonly name: string) {
    const bytes = utf8(name);
    const length = contract.bodyAliasLength(buffer, bytes);
    this.length = min<u32>(length, MEMBERS);
    for (let place: u32 = 0; place < this.length; place++) {
      this.members[place] = contract.bodyAliasMember(buffer, bytes, place);
    }
    if (length == 0 || length > MEMBERS) missing("alias of 1 to 32 actuators", name);
  }

  /** A command to all members; `at`, `over` or `now` sends it. */
  to(value: f64): GroupMove {
    groupMove.group = this;
    groupMove.value = value;
    return groupMove;
  }

  /** Sends a value and an instant to all members. */
  send(value: f64, at: Instant): Answer {
    if (this.length == 0) return Answer.Unknown;
    for (let place: u32 = 0; place < this.length; place++) {
      words[3 * place] = this.members[place];
      words[3 * place + 1] = reinterpret<u64>(value);
      words[3 * place + 2] = at;
    }
    return contract.bulkSetAll(changetype<usize>(words), 3 * this.length);
  }
}

const words = new StaticArray<u64>(3 * MEMBERS);

/** A command to a group that is being built. */
export class GroupMove {
  value: f64 = 0;

  constructor(public group: Group | null) {}

  /** Sends it: all reach the value at this instant. */
  at(instant: Instant): Answer {
    return this.group!.send(this.value, instant);
  }

  /** Sends it: all reach the value after this span. */
  over(span: Span): Answer {
    return this.at(now() + span);
  }

  /** Sends it for now. */
  now(): Answer {
    return this.at(now());
  }
}

const groupMove = new GroupMove(null);
