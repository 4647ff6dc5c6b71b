// Plays a recording on a body beside the live one, with a slider of time. Nothing moves on the robot. The law: a
// recording is read in short spans as it is played, however long it is.

import { reporting, request, showError } from './request.js';
import { at, clockTime, number, setText } from './dom.js';
import { liveBody, replayed } from './figure.js';

// A span, its frames in a second, and how long before its end the next one is read, s.
const SPAN_S = 30;
const RATE = 20;
const AHEAD_S = 8;
const SPANS_MAX = 6;
// While the slider is dragged, spans are read this long after it rests.
const REST_MS = 150;

// The recording that is shown, and the spans of it that have been read, by their number.
let name, spans = new Map(), lasts = 0, joints = new Map();
let time = 0, isPlaying = false, ticked, rest;

const spanOf = (time) => Math.floor(time / SPAN_S);

// Reads a span. Calls meanwhile share it; a failed one is read again when it is needed.
function span(which) {
  if (spans.has(which)) return spans.get(which);
  const own = spans, from = which * SPAN_S;
  const query = `from=${from}&to=${from + SPAN_S}&points=${SPAN_S * RATE + 1}`;
  const read = request('GET', `recordings/${encodeURIComponent(name)}/frames?${query}`);
  own.set(which, read);
  if (own.size > SPANS_MAX) own.delete(own.keys().next().value);
  read.then((part) => { read.frames = part.frames; }, () => own.delete(which));
  return read;
}

// Opens a recording at its beginning.
export async function openRecording(recording) {
  close();
  name = recording;
  spans = new Map();
  const first = await span(0);
  if (name !== recording) return;
  lasts = first.lasts_s;
  joints = new Map(first.joints.map((name, place) => [name, place]));
  at('replay-time').max = lasts;
  setText(at('replay-name'), recording);
  at('replay').hidden = false;
  seek(0);
  at('replay-play').focus({ preventScroll: true });
  at('replay').scrollIntoView({ block: 'nearest' });
  play(true);
}

function close() {
  const hadFocus = at('replay').contains(document.activeElement);
  play(false);
  name = undefined;
  spans = new Map();
  at('replay').hidden = true;
  if (hadFocus) at('h-body').focus();
}

function play(isOn) {
  isPlaying = isOn;
  ticked = undefined;
  setText(at('replay-play'), isOn ? 'Pause' : 'Play');
  if (isOn) requestAnimationFrame(tick);
}

function tick(now) {
  if (!isPlaying) return;
  const passed = ticked === undefined ? 0 : (now - ticked) / 1000;
  ticked = now;
  // It waits for a span that is still being read.
  if (spans.get(spanOf(time))?.frames) seek(Math.min(lasts, time + Math.min(passed, 0.2)));
  if (time >= lasts) play(false);
  else requestAnimationFrame(tick);
}

function seek(to) {
  time = to;
  at('replay-time').value = time;
  const text = `${clockTime(time)} of ${clockTime(lasts)}`;
  setText(at('replay-clock'), text);
  at('replay-time').setAttribute('aria-valuetext', text);
  show();
}

// Shows the frame of this time, and reads what comes next.
function show() {
  const which = spanOf(time);
  span(which).then(draw, failed);
  if (spanOf(time + AHEAD_S) > which && time + AHEAD_S < lasts) span(which + 1).catch(() => {});
}

function failed(error) {
  play(false);
  showError(error);
}

function draw({ frames }) {
  // Another span is shown meanwhile.
  if (!name || !frames.length || spans.get(spanOf(time))?.frames !== frames) return;
  const next = frames.findIndex((frame) => frame.at_s > time + 1e-6);
  const frame = frames[next < 0 ? frames.length - 1 : Math.max(0, next - 1)];
  const body = liveBody();
  // The robot may have other joints today.
  const of = (row) => (joint) => row[joints.get(body.names[joint]) ?? -1] ?? undefined;
  replayed.show(body, of(frame.sent), of(frame.measured), frame.base);
  setText(at('replay-state'), `${frame.state} at ${number(frame.at_s, 2)} s`);
}

at('replay-play').addEventListener('click', () => {
  if (!isPlaying && time >= lasts) seek(0);
  play(!isPlaying);
});
at('replay-close').addEventListener('click', close);
at('replay-time').addEventListener('input', () => {
  play(false);
  time = Number(at('replay-time').value);
  clearTimeout(rest);
  const wait = spans.get(spanOf(time))?.frames ? 0 : REST_MS;
  rest = setTimeout(() => { if (name) seek(time); }, wait);
});
document.addEventListener('recording', reporting(({ detail }) => openRecording(detail)));
