// The dashboard: it uses the robot's API and nothing else. What comes from outside is written as text, never as markup.

const at = (id) => document.getElementById(id);
const make = (tag, words = {}, ...inside) => {
  const it = document.createElement(tag);
  for (const [key, value] of Object.entries(words)) {
    if (key.startsWith('on')) it.addEventListener(key.slice(2), value);
    else if (key in it && key !== 'list') it[key] = value;
    else it.setAttribute(key, value);
  }
  it.append(...inside);
  return it;
};
const number = (it, digits = 3) => (typeof it === 'number' ? it.toFixed(digits) : '–');

async function ask(method, path, body, raw) {
  const headers = { 'x-dcm-run': '1' };
  if (body !== undefined && !raw) headers['content-type'] = 'application/json';
  const answer = await fetch(`/api/v1/${path}`, { method, headers, body: raw ? body : body && JSON.stringify(body) });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const error = told.error ?? { code: 'strange', sentence: `the robot answered ${answer.status}` };
    if (answer.status === 401) pair();
    throw Object.assign(new Error(error.fix ? `${error.sentence}; fix: ${error.fix}` : error.sentence), error);
  }
  return told;
}

let quiet;
function complain(error) {
  at('trouble').textContent = error.message ?? String(error);
  at('trouble').hidden = false;
  clearTimeout(quiet);
  quiet = setTimeout(() => { at('trouble').hidden = true; }, 8000);
}
const attempt = (act) => async (...given) => { try { await act(...given); } catch (error) { complain(error); } };

// Stop: by the button, by the space bar wherever nobody is typing; it needs no pairing.
const stop = attempt(() => ask('POST', 'body/stop'));
at('stop').addEventListener('click', stop);
at('pair-stop').addEventListener('click', stop);
document.addEventListener('keydown', (event) => {
  const types = event.target.matches('input, textarea, select') && event.target.type !== 'range' && event.target.type !== 'checkbox';
  if (event.code === 'Space' && !types) { event.preventDefault(); stop(); }
}, true);

function pair() {
  if (!at('pair').open) at('pair').showModal();
}
at('pair-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    await ask('POST', 'pair', { code: at('code').value, name: at('who').value });
    at('pair').close();
    begin();
  } catch (error) { at('pair-trouble').textContent = error.message; }
});

for (const button of document.querySelectorAll('[data-operation]')) {
  button.addEventListener('click', attempt(() => ask('POST', `body/${button.dataset.operation}`)));
}
at('take-over').addEventListener('click', attempt(async () => { await ask('PUT', 'lease'); control(); }));
at('show-code').addEventListener('click', attempt(async () => {
  const shown = await ask('POST', 'pairing', { role: 'operate' });
  at('shown').textContent = `${shown.code} for ${shown.for_s} s; it allows to ${shown.role}`;
}));
at('leave').addEventListener('click', attempt(async () => { await ask('DELETE', 'me'); location.reload(); }));

async function control() {
  const held = await ask('GET', 'lease');
  at('control').textContent = held.by ? `${held.by} holds control` : 'nobody holds control';
}

// The body, as the stream shows it.
let labels, joints = [], places = new Map(), watched = new Set(), last;
const COURSE = 100;

function name(told) {
  labels = told;
  places = new Map(told.sensors.map((it, place) => [it.name, place]));
  const body = document.querySelector('#joints tbody');
  body.replaceChildren();
  joints = told.actuators.map((it, place) => ({ ...it, place })).filter((it) => it.unit === 'rad' && places.has(it.name));
  for (const joint of joints) {
    joint.course = [];
    joint.cells = Array.from({ length: 6 }, () => make('td'));
    joint.chart = make('canvas', { width: 100, height: 22, role: 'img', 'aria-label': `the last ten seconds of ${joint.name}` });
    joint.bar = make('meter', { min: joint.lowest, max: joint.highest, 'aria-label': `${joint.name} in its range` });
    joint.cells[5].append(joint.bar);
    body.append(make('tr', {}, make('th', { scope: 'row', textContent: joint.name }), ...joint.cells,
      make('td', {}, joint.chart)));
  }
  memory();
}

function beside(joint, kinds) {
  for (const kind of kinds) {
    const place = places.get(`${joint.name}${kind}`) ?? places.get(`${joint.name}/${kind}`);
    if (place !== undefined) return last.sensors[place];
  }
  return undefined;
}

function show(frame) {
  last = frame;
  at('state').textContent = frame.state;
  at('state').className = `state ${frame.state}`;
  at('turns').textContent = `turn ${frame.turn}, ${frame.late} late, works ${(frame.work_ns / 1000).toFixed(0)} µs`;
  for (const joint of joints) {
    const target = frame.sent[joint.place], actual = frame.sensors[places.get(joint.name)];
    const [a, b, c, load, warmth] = joint.cells;
    a.textContent = number(target); b.textContent = number(actual);
    const error = target - actual;
    c.textContent = number(error);
    c.className = Math.abs(error) > 0.1 ? 'warning' : '';
    load.textContent = number(beside(joint, ['Current', 'ElectricCurrent', 'Torque']), 2);
    warmth.textContent = number(beside(joint, ['Temperature']), 0);
    joint.bar.value = actual;
    joint.course.push([target, actual]);
    if (joint.course.length > COURSE) joint.course.shift();
    draw(joint);
  }
  remember();
}

function draw({ chart, course, lowest, highest }) {
  const pen = chart.getContext('2d'), style = getComputedStyle(chart);
  const y = (value) => chart.height - 1 - (value - lowest) / (highest - lowest || 1) * (chart.height - 2);
  pen.clearRect(0, 0, chart.width, chart.height);
  for (const [which, colour] of [[0, style.getPropertyValue('--dim')], [1, style.getPropertyValue('--accent')]]) {
    pen.beginPath();
    course.forEach((it, x) => pen.lineTo(x, y(it[which])));
    pen.strokeStyle = colour;
    pen.stroke();
  }
}

// Memory: every value by name, a watch list on top.
let rows = [];
function memory() {
  const wanted = at('find').value.toLowerCase();
  const all = [...labels.sensors.map((it, place) => ({ ...it, place, row: 'sensors' })),
    ...labels.actuators.map((it, place) => ({ ...it, place, row: 'sent', name: `${it.name} (sent)` }))];
  const shown = all.filter((it) => watched.has(it.name) || it.name.toLowerCase().includes(wanted));
  shown.sort((a, b) => watched.has(b.name) - watched.has(a.name));
  rows = shown.slice(0, 200).map((it) => ({ ...it, cell: make('td') }));
  document.querySelector('#memory tbody').replaceChildren(...rows.map((it) => make('tr', {},
    make('td', {}, make('input', { type: 'checkbox', checked: watched.has(it.name), 'aria-label': `watch ${it.name}`,
      onchange: (event) => { watched[event.target.checked ? 'add' : 'delete'](it.name); } })),
    make('td', { textContent: it.name }), it.cell, make('td', { textContent: it.unit }))));
}
function remember() { for (const it of rows) it.cell.textContent = number(last[it.row][it.place], 4); }
at('find').addEventListener('input', () => labels && memory());

// Who plays.
let cards = new Map();
function stage(guests) {
  const playing = guests.filter((it) => it.life !== 'gone');
  const seen = new Set(playing.map((it) => it.id));
  for (const [id, card] of cards) if (!seen.has(id)) { card.root.remove(); cards.delete(id); }
  for (const it of playing) (cards.get(it.id) ?? open(it)).tell(it);
  if (!playing.length && !at('guests').children.length) at('guests').append(make('p', { className: 'dim', textContent: 'Nobody plays.' }));
  if (playing.length) at('guests').querySelector('p.dim')?.remove();
}
function slider(label, low, value, high, step, change) {
  const shown = make('output', { textContent: number(value, 2) });
  const input = make('input', { type: 'range', min: low, max: high, step, value,
    oninput: () => { shown.textContent = number(Number(input.value), 2); },
    onchange: attempt(() => change(Number(input.value))) });
  return make('label', {}, label, input, shown);
}
function open(guest) {
  const path = `guests/${guest.id}`;
  const told = make('p'), fuel = make('meter', { min: 0, max: guest.fuel, high: guest.fuel * 0.8, 'aria-label': 'fuel of the dearest call' });
  const pause = make('button', { onclick: attempt(() => ask('POST', `${path}/${pause.textContent.toLowerCase()}`)) });
  const root = make('div', { className: 'card' }, make('strong', { textContent: guest.name }), told, make('div', { className: 'row' }, 'Fuel ', fuel, pause,
    make('button', { textContent: 'End', onclick: attempt(() => ask('DELETE', path)) })),
    slider('priority', 0, guest.priority, 50, 1, (priority) => ask('PATCH', path, { priority })),
    slider('weight', 0, 1, 1, 0.05, (weight) => ask('PATCH', path, { weight })),
    ...Object.entries(guest.params).map(([key, [low, value, high]]) =>
      slider(key, low, value, high, (high - low) / 100 || 'any', (it) => ask('PATCH', path, { params: { [key]: it } }))));
  const card = { root, tell(it) {
    const most = Math.max(0, ...Object.values(it.hooks).map((hook) => hook.most));
    fuel.value = most;
    pause.textContent = it.life === 'paused' ? 'Resume' : 'Pause';
    told.textContent = `${it.life}, ${it.commands} commands, ${it.late} late, ${it.clipped} clipped, ${it.refused} refused, `
      + `${it.deferred} deferred; fuel ${most} of ${it.fuel}`;
  } };
  cards.set(guest.id, card);
  at('guests').append(root);
  return card;
}

// What is kept, and what comes in.
const size = (bytes) => `${(bytes / 1024).toFixed(1)} kB`;
async function shelf() {
  const kept = await ask('GET', 'choreographies');
  at('kept').replaceChildren(...kept.filter((it) => it.current).map((it) => make('div', { className: 'card row' },
    make('strong', { textContent: it.name }), `${size(it.bytes)}, ${it.digest.slice(0, 12)}${it.boot ? ', plays from the beginning' : ''}`,
    make('button', { textContent: 'Check', onclick: attempt(() => judge(it.digest, it.name)) }),
    make('button', { textContent: 'Play', onclick: attempt(() => ask('POST', 'guests', { choreography: it.digest })) }),
    make('button', { textContent: 'Roll back', onclick: attempt(async () => { await ask('POST', `names/${it.name}/rollback`); shelf(); }) }),
    make('button', { textContent: 'Remove', onclick: attempt(async () => { await ask('DELETE', `choreographies/${it.digest}`); shelf(); }) }))));
}
async function digest(bytes) {
  if (!crypto.subtle) throw new Error('this browser computes digests only over https or on the robot itself; use `dcm-run push`');
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...sum].map((it) => it.toString(16).padStart(2, '0')).join('');
}
function send(path, bytes) {
  // fetch does not tell how much has gone.
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `/api/v1/${path}`);
    request.setRequestHeader('x-dcm-run', '1');
    request.setRequestHeader('content-type', 'application/wasm');
    request.responseType = 'json';
    request.upload.onprogress = (event) => { at('sent').value = event.loaded / event.total; };
    request.onload = () => (request.status < 300 ? done(request.response) : fail(new Error(request.response?.error?.sentence ?? request.status)));
    request.onerror = () => fail(new Error('the robot cannot be reached'));
    request.send(bytes);
  });
}
async function take(file) {
  at('verdict').replaceChildren();
  at('sent').hidden = false;
  const bytes = await file.arrayBuffer(), sum = await digest(bytes);
  const name = file.name.replace(/\.wasm$/, '').toLowerCase().replace(/[^a-z0-9._-]/g, '-').replace(/^[-_.]+/, '') || 'choreography';
  await send(`choreographies/${sum}?name=${encodeURIComponent(name)}`, bytes);
  at('sent').hidden = true;
  shelf();
  await judge(sum, name);
}
async function judge(sum, name) {
  at('verdict').replaceChildren(make('p', { textContent: `${name} is checked …` }));
  const { passes, report } = await ask('POST', `choreographies/${sum}/check`);
  const findings = (report.findings ?? []).slice(0, 20);
  const play = make('button', { textContent: `Play ${name}`, id: 'play', disabled: !passes,
    onclick: attempt(() => ask('POST', 'guests', { choreography: sum })) });
  at('verdict').replaceChildren(
    make('p', { className: passes ? 'good' : 'bad', textContent: passes ? `${name} passes the check` : `${name} does not pass the check` }),
    make('ul', {}, ...findings.map((it) => make('li', { textContent: `${it.rule ?? ''} ${it.sentence ?? ''}` }))), play);
}
at('file').addEventListener('change', attempt(() => take(at('file').files[0])));
at('drop').addEventListener('dragover', (event) => { event.preventDefault(); at('drop').classList.add('over'); });
at('drop').addEventListener('dragleave', () => at('drop').classList.remove('over'));
at('drop').addEventListener('drop', attempt(async (event) => {
  event.preventDefault();
  at('drop').classList.remove('over');
  if (event.dataTransfer.files[0]) await take(event.dataTransfer.files[0]);
}));

// What happened.
function happened(it) {
  const line = make('li', { className: it.level === 'warning' ? 'warning' : '',
    textContent: `${(it.at_ns / 1e9).toFixed(3)} s  ${it.guest ? `${it.guest}: ` : ''}${it.text}` });
  at('events').prepend(line);
  while (at('events').children.length > 300) at('events').lastChild.remove();
}

// How long turns work, from the frames that are seen.
const works = new Map();
function histogram(frame) {
  const bucket = Math.min(29, Math.floor(Math.log2(Math.max(1, frame.work_ns / 1000)) * 2));
  works.set(bucket, (works.get(bucket) ?? 0) + 1);
  const canvas = at('histogram'), pen = canvas.getContext('2d'), most = Math.max(...works.values());
  const style = getComputedStyle(canvas);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.font = '11px system-ui';
  for (let bucket = 0; bucket < 30; bucket += 1) {
    const high = (works.get(bucket) ?? 0) / most * (canvas.height - 18);
    pen.fillStyle = style.getPropertyValue('--accent');
    pen.fillRect(bucket * 20, canvas.height - 16 - high, 18, high);
    pen.fillStyle = style.getPropertyValue('--dim');
    if (bucket % 4 === 0) pen.fillText(`${Math.round(2 ** (bucket / 2))} µs`, bucket * 20, canvas.height - 3);
  }
}

let socket;
function listen() {
  socket?.close();
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const own = new WebSocket(`${scheme}://${location.host}/api/v1/stream?hz=10`);
  socket = own;
  own.onmessage = (message) => {
    const told = JSON.parse(message.data);
    if (told.topic === 'labels') name(told);
    else if (told.topic === 'all' && labels) { show(told); histogram(told); }
    else if (told.topic === 'guests') stage(told.guests);
    else if (told.topic === 'event') happened(told);
  };
  own.onclose = () => {
    if (socket !== own) return;
    at('state').textContent = 'not connected';
    at('state').className = 'state fault';
    setTimeout(begin, 1000);
  };
}

async function begin() {
  try {
    const hello = await (await fetch('/api/v1/hello')).json();
    document.title = hello.name;
    at('name').textContent = hello.name;
    const me = await ask('GET', 'me');
    at('me').textContent = `You are ${me.name}, and may ${me.role}.`;
    listen();
    await Promise.all([control(), shelf(), keys()]);
  } catch (error) {
    if (error.code !== 'token-missing') { complain(error); if (!error.code) setTimeout(begin, 1000); }
  }
}
async function keys() {
  const all = await ask('GET', 'keys');
  at('keys').replaceChildren(...all.map((it) => make('li', { textContent: `${it.name} ${it.key.slice(0, 16)}${it.revoked ? ' (revoked)' : ''}` })));
}
setInterval(() => { if (socket?.readyState === WebSocket.OPEN) control().catch(() => {}); }, 5000);
begin();
