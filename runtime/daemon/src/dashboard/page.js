// The dashboard's entry point: connects to the robot, and passes the messages of the stream to the parts of the
// page. It uses the robot's API and nothing else.

import { ask, hideError, request, showError } from './request.js';
import { frameCame, isStale, setPeriod } from './link.js';
import { describeJoints, updateJoints } from './joints.js';
import { describeFigure, updateFigure } from './figure.js';
import { addEvent, loadEvents } from './events.js';
import { listMemory, updateMemory } from './memory.js';
import { at, number, setText } from './dom.js';
import { identify, pollControl } from './control.js';
import { showOperations } from './operations.js';
import { readCues } from './cues.js';
import { performed, recallPerformance } from './performance.js';
import { plans } from './plans.js';
import { describeMoves, updateMoves } from './move.js';
import './replay.js';
import { clock, keys } from './access.js';
import { recordings } from './recordings.js';
import { choreographies } from './choreographies.js';
import { showGuests } from './guests.js';
import { stateCame } from './stop.js';
import { turns } from './turns.js';

// Frames a second, for a smooth picture. Numbers change half as often, so that they can be read.
const RATE = 20;
const READABLE_NS = 95e6;
// A stream whose robot was switched off and on never ends by itself: nobody is left who would say so.
const RENEW_MS = 5000;

let figure, labels, updated;
// Nobody asked for it, so its success hides no error.
const reloadEvents = (run) => loadEvents(run).catch(showError);

function setLabels(received) {
  labels = received;
  setPeriod(labels.period_ns);
  describeJoints(labels, figure);
  describeFigure(figure, labels);
  describeMoves(figure);
  recallPerformance(labels.run);
  listMemory(labels);
  reloadEvents(labels.run);
}

function showFrame(frame) {
  frameCame();
  stateCame(frame.state);
  setText(at('state'), frame.state, `state ${frame.state}`);
  showOperations(frame.state);
  updateFigure(frame);
  // The robot's time restarts with its loop, so it may go back.
  if (Math.abs(frame.now_ns - updated) < READABLE_NS) return;
  updated = frame.now_ns;
  setText(at('turns'), `turn ${frame.turn}, ${frame.late} late, work ${number(frame.work_ns / 1000, 0)} µs`);
  updateJoints(frame);
  updateMoves(frame);
  updateMemory(frame);
}

const TOPICS = {
  labels: setLabels,
  all: (frame) => { if (labels) showFrame(frame); },
  guests: ({ guests }) => { showGuests(guests); performed(guests); },
  event: addEvent,
  lost: () => reloadEvents(),
};

let socket;
function listen() {
  socket?.close();
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const own = new WebSocket(`${scheme}://${location.host}/api/v2/stream?hz=${RATE}`);
  socket = own;
  own.onmessage = (message) => {
    const received = JSON.parse(message.data);
    TOPICS[received.topic]?.(received);
  };
  own.onclose = () => {
    if (socket !== own) return;
    setText(at('state'), 'not connected', 'state fault');
    setTimeout(begin, 1000);
  };
}

// Whether the last attempt did not reach the robot, and whether its list of cues has been read.
let isLost = false, isKnown = false;
async function begin() {
  try {
    const hello = await request('GET', 'hello');
    if (isLost) hideError();
    isLost = false;
    document.title = hello.name;
    at('name').textContent = hello.name;
    await identify();
    if (!isKnown) readCues(hello.name);
    isKnown = true;
    // Without a figure there is no picture; the rest of the page works.
    figure = await ask('figure').catch(() => undefined);
    listen();
    turns.begin();
    plans.begin();
    recordings(hello);
    await Promise.all([choreographies(), keys(), clock()]);
  } catch (error) {
    if (error.code === 'token-missing') return;
    showError(error);
    isLost = !error.code;
    if (isLost) setTimeout(begin, 1000);
  }
}

document.addEventListener('paired', begin);
// Without a connection it says so already.
document.addEventListener('stale', () => {
  if (socket?.readyState === WebSocket.OPEN) setText(at('state'), 'STALE', 'state old');
});
// Not while the page is stale: a browser has few connections to a robot, and requests that wait would hold up STOP.
const isFresh = () => socket?.readyState === WebSocket.OPEN && !isStale();
pollControl(isFresh);
setInterval(() => { if (isStale() && socket.readyState === WebSocket.OPEN) listen(); }, RENEW_MS);
begin();
