// The joints as a table: where each shall be, where it is, how hard its motor works and how warm it is.

import { at, make, number, say } from './parts.js';
import { sight } from './sight.js';

// Frames of the small charts, ten in a second, and the error (rad or m) that is worth a look.
const COURSE = 100;
const ODD = 0.1;

let joints = [];
const isSeen = sight(at('joints'), () => {});

// What belongs to each joint: as the robot tells it, or, if it does not, what its sensors' names suggest.
function parts(labels, figure) {
  if (figure?.joints?.length) {
    return figure.joints.map((it) => ({ ...it, ...labels.actuators[it.actuator] })).filter((it) => it.name);
  }
  const places = new Map(labels.sensors.map((it, place) => [it.name, place]));
  const beside = (name, kinds) => {
    const known = kinds.flatMap((kind) => [name + kind, `${name}/${kind}`]).find((it) => places.has(it));
    return places.get(known);
  };
  return labels.actuators.map((it, actuator) => ({
    ...it,
    actuator,
    sensor: places.get(it.name),
    current: beside(it.name, ['Current', 'ElectricCurrent', 'Torque']),
    temperature: beside(it.name, ['Temperature']),
  })).filter((it) => it.unit === 'rad' && it.sensor !== undefined);
}

export function describe(labels, figure) {
  joints = parts(labels, figure).map((it) => ({ ...it, course: [] }));
  document.querySelector('#joints tbody').replaceChildren(...joints.map(row));
}

function row(joint) {
  const { name, lowest, highest } = joint;
  joint.cells = Array.from({ length: 6 }, () => make('td'));
  joint.chart = make('canvas', { width: 100, height: 22, role: 'img',
    'aria-label': `the last ten seconds of ${name}` });
  if (lowest < highest) {
    joint.bar = make('meter', { min: lowest, max: highest, 'aria-label': `${name} in its range` });
    joint.cells[5].append(joint.bar);
  }
  return make('tr', {}, make('th', { scope: 'row', textContent: name }), ...joint.cells, make('td', {}, joint.chart));
}

const read = (frame, place) => (place === undefined || place === null ? undefined : frame.sensors[place]);

export function follow(frame) {
  const colours = getComputedStyle(at('joints'));
  const pens = [colours.getPropertyValue('--dim'), colours.getPropertyValue('--accent')];
  for (const joint of joints) {
    const target = frame.sent[joint.actuator], actual = read(frame, joint.sensor);
    joint.course.push([target, actual]);
    if (joint.course.length > COURSE) joint.course.shift();
    if (!isSeen()) continue;
    write(joint, target, actual, read(frame, joint.current), read(frame, joint.temperature));
    draw(joint, pens);
  }
}

function write({ cells, bar, warm, hot }, target, actual, current, temperature) {
  const both = typeof target === 'number' && typeof actual === 'number';
  const error = both ? target - actual : undefined;
  say(cells[0], number(target));
  say(cells[1], number(actual));
  say(cells[2], number(error), Math.abs(error) > ODD ? 'warning' : '');
  say(cells[3], number(current, 2));
  say(cells[4], ...warmth(temperature, warm, hot));
  if (bar && typeof actual === 'number') bar.value = actual;
}

// The limit stands beside it, and a word beside the colour.
function warmth(it, warm, hot) {
  if (typeof it !== 'number') return ['–', ''];
  const text = typeof hot === 'number' ? `${number(it, 0)} of ${number(hot, 0)} °C` : number(it, 0);
  if (typeof hot === 'number' && it >= hot) return [`${text}, hot`, 'bad'];
  if (typeof warm === 'number' && it >= warm) return [`${text}, warm`, 'warning'];
  return [text, ''];
}

function draw({ chart, course, lowest, highest }, colours) {
  const pen = chart.getContext('2d');
  const low = lowest ?? -Math.PI, high = highest ?? Math.PI;
  const y = (value) => chart.height - 1 - (value - low) / (high - low || 1) * (chart.height - 2);
  pen.clearRect(0, 0, chart.width, chart.height);
  colours.forEach((colour, which) => {
    pen.beginPath();
    course.forEach((it, x) => { if (typeof it[which] === 'number') pen.lineTo(x, y(it[which])); });
    pen.strokeStyle = colour;
    pen.stroke();
  });
}
