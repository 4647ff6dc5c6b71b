// What happened to the body, and what guests say: the newest first.

import { at, make } from './parts.js';

const KEPT = 300;

export function happened(it) {
  const speaker = it.guest ? `${it.guest}: ` : '';
  at('events').prepend(make('li', {
    className: it.level === 'warning' ? 'warning' : '',
    textContent: `${(it.at_ns / 1e9).toFixed(3)} s  ${speaker}${it.text}`,
  }));
  while (at('events').children.length > KEPT) at('events').lastChild.remove();
}
