// What happened to the body, and what guests say: the newest first.

import { ask } from './ask.js';
import { at, make } from './parts.js';

const KEPT = 300;

// The run of the loop that is shown, and the number of what comes next in it.
let run, next = 0;
// What the stream tells while what was before it is still asked for.
let early;

export function happened(it) {
  if (early) early.push(it);
  else show(it);
}

// Asks for what the stream did not tell: what was before it began, or what it lost.
export async function recall(of = run) {
  // Another run counts from the beginning.
  if (of !== run) next = 0;
  run = of;
  const own = [];
  early = own;
  try {
    let told;
    do {
      told = await ask('GET', `events?since=${next}`);
      // The page has connected anew meanwhile, and asks again.
      if (early !== own) return;
      told.happened.forEach(show);
    } while (told.happened.length && !(own[0]?.number <= next));
  } finally {
    if (early === own) {
      early = undefined;
      own.forEach(show);
    }
  }
}

function show(it) {
  // Some of it is told twice: by the stream, and when it is asked for.
  if (it.number < next) return;
  next = it.number + 1;
  const speaker = it.guest ? `${it.guest}: ` : '';
  at('events').prepend(make('li', {
    className: it.level === 'warning' ? 'warning' : '',
    textContent: `${(it.at_ns / 1e9).toFixed(3)} s  ${speaker}${it.text}`,
  }));
  while (at('events').children.length > KEPT) at('events').lastChild.remove();
}
