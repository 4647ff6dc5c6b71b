// Events of the loop, and lines that guests print. The newest is first. The law: an event that repeats is one line with
// its count, so that a flood hides nothing else.

import { ask } from './request.js';
import { at, make, many, setText } from './dom.js';

const EVENTS_MAX = 300;
// An event repeats if it is the same as one of the last lines, at most so long after it: in a flood joints alternate.
const LOOK_BACK = 50;
const REPEATS_NS = 10e9;
// What people read as a story repeats only if nothing was between: states of the body, lines of guests and of parts.
const STORY = ['entered', 'said', 'log'];

// The run of the loop that is shown, and the number of the next event in it.
let run, next = 0;
// The lines that are shown, the newest first: the newest event of each, how often it came, and when first.
const lines = [];
// Events from the stream while earlier ones are still being loaded.
let pending;

export function addEvent(event) {
  if (pending) pending.push(event);
  else show(event);
}

// Loads the events that the stream did not deliver: those before it began, and those that it lost.
export async function loadEvents(of = run) {
  // Each run numbers its events from 0.
  if (of !== run) next = 0;
  run = of;
  const own = [];
  pending = own;
  try {
    let answer;
    do {
      answer = await ask('events', { since: next });
      // The page has reconnected meanwhile, and loads again.
      if (pending !== own) return;
      answer.events.forEach(show);
    } while (answer.events.length && !(own[0]?.number <= next));
  } finally {
    if (pending === own) {
      pending = undefined;
      own.forEach(show);
    }
  }
}

function show(event) {
  // The stream and the request may both deliver it.
  if (event.number < next) return;
  next = event.number + 1;
  const line = repeated(event) ?? { root: make('li'), count: 0, first: event.at_ns };
  Object.assign(line, { newest: event, count: line.count + 1 });
  write(line);
  lines.unshift(line);
  if (at('events').firstChild !== line.root) at('events').prepend(line.root);
  for (const old of lines.splice(EVENTS_MAX)) old.root.remove();
}

// The line that shows this event already; taken out of the list, because the newest is first.
function repeated(event) {
  const isSame = ({ newest: other }) => ['event', 'level', 'guest', 'text'].every((key) => other[key] === event[key])
    && event.at_ns - other.at_ns >= 0 && event.at_ns - other.at_ns <= REPEATS_NS;
  const place = lines.slice(0, STORY.includes(event.event) ? 1 : LOOK_BACK).findIndex(isSame);
  return place < 0 ? undefined : lines.splice(place, 1)[0];
}

const seconds = (ns) => (ns / 1e9).toFixed(3);

function write({ root, count, first, newest: event }) {
  const when = count > 1 ? `${seconds(first)} to ${seconds(event.at_ns)} s` : `${seconds(first)} s`;
  const by = event.guest ? `${event.guest}: ` : '', times = count > 1 ? ` (${many(count)} times)` : '';
  const text = `${when}  ${by}${event.text}${times}`;
  setText(root, text, event.level === 'warn' || event.level === 'error' ? 'warning' : '');
}
