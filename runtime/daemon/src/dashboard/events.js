// Events of the loop, and lines that guests print. The newest is first.

import { request } from './request.js';
import { at, make } from './dom.js';

const EVENTS_MAX = 300;

// The run of the loop that is shown, and the number of the next event in it.
let run, next = 0;
// Events from the stream while earlier ones are still being loaded.
let pending;

export function addEvent(it) {
  if (pending) pending.push(it);
  else show(it);
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
      answer = await request('GET', `events?since=${next}`);
      // The page has reconnected meanwhile, and loads again.
      if (pending !== own) return;
      answer.happened.forEach(show);
    } while (answer.happened.length && !(own[0]?.number <= next));
  } finally {
    if (pending === own) {
      pending = undefined;
      own.forEach(show);
    }
  }
}

function show(it) {
  // The stream and the request may both deliver it.
  if (it.number < next) return;
  next = it.number + 1;
  const speaker = it.guest ? `${it.guest}: ` : '';
  at('events').prepend(make('li', {
    className: it.level === 'warn' || it.level === 'error' ? 'warning' : '',
    textContent: `${(it.at_ns / 1e9).toFixed(3)} s  ${speaker}${it.text}`,
  }));
  while (at('events').children.length > EVENTS_MAX) at('events').lastChild.remove();
}
