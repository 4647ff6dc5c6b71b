// What authors get wrong is told as an error that names it: `node --test guest-sdk/javascript/test.mjs`. Run by
// `tests/sdk.rs` where Node.js is. The law: what is no number is sent nowhere, and answered by no `done`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The contract's functions, each of which notes its call and answers as on a body that has everything but `Tail`. */
const calls = [];
const NONE = 4294967295;
const contract = readFileSync(new URL('contract.js', import.meta.url), 'utf8');
const names = [...contract.matchAll(/(\w+)(?: =|:) dcm\[(\d+)\]/g)];
const answers = {
  findActuator: (name) => (name === 'Tail' ? NONE : 3),
  findSensor: () => NONE,
  aliasLength: () => 2,
  aliasMember: () => 3,
  now: () => 1e9,
  sent: (number) => (number === NONE ? NaN : 0),
  read: () => NaN,
};
const commands = ['set', 'put', 'drive', 'setGains', 'setWeightOn', 'follow', 'sendGroup', 'post', 'keep'];
commands.push('setPriority', 'setWeight');
globalThis.dcm = [];
for (const [, name, number] of names) {
  dcm[Number(number)] ??= (...given) => {
    if (commands.includes(name)) calls.push([name, ...given]);
    const missing = commands.includes(name) && given[0] === NONE;
    return missing ? 1 : (answers[name]?.(...given) ?? 0);
  };
}
globalThis.origins = { files: [], places: '' };
const quiet = console;
let failure;
dcm[Number(contract.match(/fail = dcm\[(\d+)\]/)[1])] = (why) => (failure = why);
const sdk = await import('./choreography.js');
const { guarded } = await import('./trace.js');
globalThis.console = quiet;
const { actuator, deg, group, keep, ms, s, sensor, setPriority, sleep, strike, tempo, together, topic } = sdk;
const [yaw, tail] = [actuator('HeadYaw'), actuator('Tail')];

const wrong = {
  'HeadYaw.to(value) takes a number, not undefined': () => yaw.to(undefined).over(s(1)),
  'HeadYaw.to(value) takes a number, not "a"': () => yaw.to('a').now(),
  'HeadYaw.to(value) takes a number, not "0.5"': () => yaw.to('0.5').now(),
  'HeadYaw.to(value) takes a number, not null': () => yaw.to(null).now(),
  'HeadYaw.to(value) takes a number, not an object': () => yaw.to({}).now(),
  'HeadYaw.to(value) takes a number, not NaN': () => yaw.to(NaN).now(),
  'over(span) takes a number of nanoseconds, as ms(300) is, not undefined': () => yaw.to(1).over(undefined),
  'over(span) takes a number of nanoseconds, as ms(300) is, not "x"': () => yaw.to(1).eased('sine').over('x'),
  'at(instant) takes a number of nanoseconds, as ms(300) is, not undefined': () => yaw.to(1).at(undefined),
  'at(instant) takes a number of nanoseconds, as ms(300) is, not NaN': () => yaw.to(1).eased('sine').at(NaN),
  'at(instant) takes a number of nanoseconds, as ms(300) is, not "5"': () => yaw.to(1).replacing().at('5'),
  'HeadYaw.through([[…, value]]) takes a number, not undefined': () => yaw.through([[1]]).now(),
  'HeadYaw.through([[span, …]]) takes a number of nanoseconds, as ms(300) is, not "1"': () =>
    yaw.through([['1', 2]]).now(),
  'from(value) takes a number, not "a"': () => yaw.to(1).eased('sine').from('a'),
  'HeadYaw.drive(value) takes a number, not undefined': () => yaw.drive(),
  'setGains(p, i, d, weight) takes a number, not undefined': () => yaw.setGains(1, 2),
  'Face.to(value) takes a number, not NaN': () => group('Face').to(NaN).now(),
  'Face.to([…]) at place 1 takes a number, not undefined': () => group('Face').to([1]).now(),
  'over(span) takes a number of nanoseconds, as ms(300) is, not an array': () => group('Face').to(1).over([1]),
  'ms(count) takes a number, not undefined': () => ms(undefined),
  'deg(degrees) takes a number, not "x"': () => deg('x'),
  'sleep(span) takes a number of nanoseconds, as ms(300) is, not undefined': () => sleep(),
  'strike(…, atLeast) takes a number of nanoseconds, as ms(300) is, not undefined': () => strike([[yaw, 1]], 0.2),
  'timeTo(…, share) takes a number, not undefined': () => strike([[yaw, 1]]),
  'tempo(beatsPerMinute) takes a number, not NaN': () => tempo(NaN),
  'hello.post(value) takes a number, not undefined': () => topic('hello').post(),
  'keep(…, value) takes a number, not undefined': () => keep(0),
  'setPriority(priority) takes a number, not "high"': () => setPriority('high'),
};

for (const [message, mistake] of Object.entries(wrong)) {
  test(message, () => {
    calls.length = 0;
    assert.throws(mistake, { name: message.endsWith('NaN') ? 'RangeError' : 'TypeError', message });
    assert.deepEqual(calls, []);
  });
}

test('what a body lacks tells NaN, which is no mistake: the answer is unknown', () => {
  assert.equal(tail.to(tail.sent() + 0.1).over(ms(300)), 1);
  assert.equal(tail.to(1).eased('sine').from(tail.sent()).over(ms(300)), 1);
  assert.equal(tail.drive(tail.sent()), 1);
  assert.doesNotThrow(() => together(tail, yaw).to([tail.sent(), 1]).now());
  assert.equal(tail.timeTo(0.5, 0.5), 0);
  assert.equal(topic('hello').post(sensor('Nose').read()), 0);
});

test('numbers are sent as they are', () => {
  calls.length = 0;
  yaw.to(0.5).over(ms(300));
  yaw.to(-1).replacing().at(5);
  assert.deepEqual(calls, [['set', 3, 0.5, 1.3e9], ['put', 3, -1, 5, 1]]);
});

test('what is thrown is told, whatever it is', () => {
  const itself = {};
  itself.itself = itself;
  const thrown = [
    [{ code: 5, at: 'HeadYaw' }, 'thrown: {"code":5,"at":"HeadYaw"}'],
    [{ message: 'too far' }, 'thrown: too far'],
    [{ toString: () => 'a word' }, 'a word'],
    [itself, 'an object was thrown that refers to itself; fix: throw an Error'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
    [Symbol('mine'), 'Symbol(mine)'],
    [Object.create(null), 'thrown: {}'],
  ];
  for (const [it, wanted] of thrown) {
    guarded({ preProcess: () => { throw it; } }).preProcess();
    assert.equal(failure, wanted);
  }
});
