// The dashboard begins here: it connects, and hands what the stream tells to the parts of the page. It uses the
// robot's API and nothing else.

import { ask, attempt, complain } from './ask.js';
import { describe, follow } from './body.js';
import { depict, pose } from './figure.js';
import { happened, recall } from './happened.js';
import { list, remember } from './memory.js';
import { at, number, say } from './parts.js';
import { keys } from './people.js';
import { recordings } from './recordings.js';
import { shelf, stopped } from './shelf.js';
import { stage } from './stage.js';
import { turns } from './turns.js';

// Frames in a second: enough for a picture that moves. Numbers change half as often, so that they can be read.
const RATE = 20;
const READABLE_NS = 95e6;

// Stop: by the button, by the space bar wherever nobody is typing; it needs no pairing.
const stop = attempt(() => { stopped(); return ask('POST', 'body/stop'); });
at('stop').addEventListener('click', stop);
at('pair-stop').addEventListener('click', stop);
document.addEventListener('keydown', (event) => {
  const it = event.target;
  const types = it.matches('input, textarea, select') && it.type !== 'range' && it.type !== 'checkbox';
  if (event.code === 'Space' && !types) { event.preventDefault(); stop(); }
}, true);

for (const button of document.querySelectorAll('[data-operation]')) {
  button.addEventListener('click', attempt(() => ask('POST', `body/${button.dataset.operation}`)));
}
at('take-over').addEventListener('click', attempt(async () => { await ask('PUT', 'lease'); await control(); }));

async function control() {
  const held = await ask('GET', 'lease');
  say(at('control'), held.by ? `${held.by} holds control` : 'nobody holds control');
}

let figure, labels, written;
const remind = attempt(recall);

function name(told) {
  labels = told;
  describe(labels, figure);
  depict(figure, labels);
  list(labels);
  remind(labels.run);
}

function show(frame) {
  say(at('state'), frame.state, `state ${frame.state}`);
  pose(frame);
  // The robot's time begins again with its loop.
  if (Math.abs(frame.now_ns - written) < READABLE_NS) return;
  written = frame.now_ns;
  say(at('turns'), `turn ${frame.turn}, ${frame.late} late, works ${number(frame.work_ns / 1000, 0)} µs`);
  follow(frame);
  remember(frame);
}

const TOPICS = {
  labels: name,
  all: (told) => { if (labels) show(told); },
  guests: (told) => stage(told.guests),
  event: happened,
  lost: () => remind(),
};

let socket;
function listen() {
  socket?.close();
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const own = new WebSocket(`${scheme}://${location.host}/api/v1/stream?hz=${RATE}`);
  socket = own;
  own.onmessage = (message) => {
    const told = JSON.parse(message.data);
    TOPICS[told.topic]?.(told);
  };
  own.onclose = () => {
    if (socket !== own) return;
    say(at('state'), 'not connected', 'state fault');
    setTimeout(begin, 1000);
  };
}

async function begin() {
  try {
    const hello = await ask('GET', 'hello');
    document.title = hello.name;
    at('name').textContent = hello.name;
    const me = await ask('GET', 'me');
    at('me').textContent = `You are ${me.name}, and may ${me.role}.`;
    // Without it there is no picture, and the rest works by names.
    figure = await ask('GET', 'figure').catch(() => undefined);
    listen();
    turns.begin();
    recordings(hello);
    await Promise.all([control(), shelf(), keys()]);
  } catch (error) {
    if (error.code === 'token-missing') return;
    complain(error);
    if (!error.code) setTimeout(begin, 1000);
  }
}

document.addEventListener('paired', begin);
setInterval(() => { if (socket?.readyState === WebSocket.OPEN) control().catch(() => {}); }, 5000);
begin();
