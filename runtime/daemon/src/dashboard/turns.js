// The timing of the loop's turns: how long each worked, and how much longer than a period it took.

import { request } from './request.js';
import { chart } from './chart.js';
import { at, make, many, setText } from './dom.js';
import { whileVisible } from './visibility.js';

const POLL_MS = 1000;
// The first bar of late turns: half a period.
const LATE = 4;

// 10 µs, 2 ms, 1.25 ms: the number and its unit.
function time(ns) {
  const [value, unit] = ns < 1e6 ? [ns / 1e3, 'µs'] : [ns / 1e6, 'ms'];
  return [String(Number(value.toPrecision(3))), unit];
}

function works({ bounds_ns: bounds, work, period_ns: period }) {
  return work.map((count, which) => {
    const bound = bounds[which], last = bounds.at(-1);
    const [value, unit] = time(bound ?? last);
    return {
      count,
      mark: bound ? value : '>',
      unit: bound ? unit : '',
      name: bound ? `at most ${value} ${unit}` : `more than ${value} ${unit}`,
      isOdd: (bounds[which - 1] ?? 0) >= period,
    };
  });
}

function overs({ over, period_ns: period }) {
  return over.map((count, which) => {
    const last = which === over.length - 1;
    const [low, unit] = time(which * period / (over.length - 1));
    const [high, unitOfHigh] = time((which + 1) * period / (over.length - 1));
    return {
      count,
      mark: last ? `≥${low}` : low,
      unit: which ? unit : '',
      name: last ? `${low} ${unit} or more` : `${low} to ${high} ${unitOfHigh}`,
      isOdd: which >= LATE,
    };
  });
}

const charts = [
  { svg: at('work'), table: at('work-table'), of: works },
  { svg: at('over'), table: at('over-table'), of: overs },
];

const VERDICTS = {
  unknown: 'real-time not known yet',
  comfortable: 'real-time OK',
  tight: 'real-time tight',
  no: 'not real-time',
};

async function update() {
  const timing = await request('GET', 'timing');
  const { turns, late, unseen, realtime } = timing;
  const told = at('realtime-told');
  told.dataset.verdict = realtime;
  setText(told, VERDICTS[realtime] ?? VERDICTS.unknown);
  setText(at('turns-told'), `${many(turns)} turns, ${many(late)} late, ${many(unseen)} unseen`);
  for (const { svg, table, of } of charts) {
    const bars = of(timing);
    chart(svg, bars);
    write(table, bars);
  }
}

// The same numbers as a table, for screen readers. Its cells stay, so that reading is not interrupted.
function write(table, bars) {
  const body = table.tBodies[0];
  if (body.rows.length !== bars.length) {
    body.replaceChildren(...bars.map(() => make('tr', {}, make('th', { scope: 'row' }), make('td'))));
  }
  bars.forEach(({ name, count }, which) => {
    const [th, td] = body.rows[which].cells;
    setText(th, name);
    setText(td, many(count));
  });
}

export const turns = whileVisible(at('work'), POLL_MS, update, () => {
  setText(at('realtime-told'), '');
  setText(at('turns-told'), 'This robot has no timing figures.');
});
