// The table of joints: target, actual position, error, load and temperature of each.

import { at, make, number, setText } from './dom.js';
import { observeVisibility } from './visibility.js';

// Frames in a small chart (ten each second), and the error that is highlighted (rad or m).
const HISTORY_LENGTH = 100;
const ERROR_MAX = 0.1;

let joints = [];
const isVisible = observeVisibility(at('joints'), () => {});

// The actuator and the sensors of each joint. A robot that does not list them is matched by the sensors' names.
function jointParts(labels, figure) {
  if (figure?.joints?.length) {
    const labelled = figure.joints.map((joint) => ({ ...joint, ...labels.actuators[joint.actuator] }));
    return labelled.filter((joint) => joint.name);
  }
  const places = new Map(labels.sensors.map((sensor, place) => [sensor.name, place]));
  const beside = (name, kinds) => {
    const known = kinds.flatMap((kind) => [name + kind, `${name}/${kind}`]).find((sensor) => places.has(sensor));
    return places.get(known);
  };
  return labels.actuators.map((joint, actuator) => ({
    ...joint,
    actuator,
    sensor: places.get(joint.name),
    current: beside(joint.name, ['Current', 'ElectricCurrent', 'Torque']),
    temperature: beside(joint.name, ['Temperature']),
  })).filter((joint) => joint.unit === 'rad' && joint.sensor !== undefined);
}

export function describeJoints(labels, figure) {
  joints = jointParts(labels, figure).map((joint) => ({ ...joint, history: [] }));
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

export function updateJoints(frame) {
  const colours = getComputedStyle(at('joints'));
  const pens = [colours.getPropertyValue('--dim'), colours.getPropertyValue('--accent')];
  for (const joint of joints) {
    const target = frame.sent[joint.actuator], actual = read(frame, joint.sensor);
    joint.history.push([target, actual]);
    if (joint.history.length > HISTORY_LENGTH) joint.history.shift();
    if (!isVisible()) continue;
    write(joint, target, actual, read(frame, joint.current), read(frame, joint.temperature));
    draw(joint, pens);
  }
}

function write({ cells, bar, warm, hot }, target, actual, current, temperature) {
  const both = typeof target === 'number' && typeof actual === 'number';
  const error = both ? target - actual : undefined;
  setText(cells[0], number(target));
  setText(cells[1], number(actual));
  setText(cells[2], number(error), Math.abs(error) > ERROR_MAX ? 'warning' : '');
  setText(cells[3], number(current, 2));
  setText(cells[4], ...temperatureText(temperature, warm, hot));
  if (bar && typeof actual === 'number') bar.value = actual;
}

// The temperature with its limit. A word repeats what the colour says.
function temperatureText(temperature, warm, hot) {
  if (typeof temperature !== 'number') return ['–', ''];
  const text = typeof hot === 'number' ? `${number(temperature, 0)} of ${number(hot, 0)} °C` : number(temperature, 0);
  if (typeof hot === 'number' && temperature >= hot) return [`${text}, hot`, 'bad'];
  if (typeof warm === 'number' && temperature >= warm) return [`${text}, warm`, 'warning'];
  return [text, ''];
}

function draw({ chart, history, lowest, highest }, colours) {
  const pen = chart.getContext('2d');
  const low = lowest ?? -Math.PI, high = highest ?? Math.PI;
  const y = (value) => chart.height - 1 - (value - low) / (high - low || 1) * (chart.height - 2);
  pen.clearRect(0, 0, chart.width, chart.height);
  colours.forEach((colour, which) => {
    pen.beginPath();
    history.forEach((values, x) => { if (typeof values[which] === 'number') pen.lineTo(x, y(values[which])); });
    pen.strokeStyle = colour;
    pen.stroke();
  });
}
