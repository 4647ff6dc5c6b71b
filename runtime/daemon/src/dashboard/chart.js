// A small bar chart of counts. Its scale is logarithmic: a few late turns show beside a million good ones.

const SVG = 'http://www.w3.org/2000/svg';
const [WIDE, HIGH, LEFT, TOP, BOTTOM] = [340, 150, 34, 14, 30];

function make(tag, words, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(words)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// 1234 as 1.2k.
function short(count) {
  const [unit, word] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']].find(([least]) => count >= least) ?? [1, ''];
  const value = count / unit;
  return (unit > 1 && value < 9.95 ? value.toFixed(1) : String(Math.floor(value))) + word;
}

// The height of a bar, from 0 to 1. A count of 1 is visible; ten times as many is one step higher.
const height = (count, powers) => (count ? (Math.log10(count) + 0.4) / (powers + 0.4) : 0);

export function chart(svg, bars) {
  const most = Math.max(10, ...bars.map((counted) => counted.count));
  const powers = Math.ceil(Math.log10(most));
  const floor = HIGH - BOTTOM, tall = floor - TOP, each = (WIDE - LEFT) / bars.length;
  const y = (count) => floor - height(count, powers) * tall;
  svg.setAttribute('viewBox', `0 0 ${WIDE} ${HIGH}`);
  const painted = bars.flatMap((counted, which) => bar(counted, LEFT + which * each, each, y, floor));
  svg.replaceChildren(...lines(powers, y), ...painted, ...units(bars, each));
}

function lines(powers, y) {
  const every = Math.ceil((powers + 1) / 5), all = [];
  for (let power = 0; power <= powers; power += every) {
    const count = 10 ** power;
    all.push(make('line', { class: 'rule', x1: LEFT, x2: WIDE, y1: y(count), y2: y(count) }),
      make('text', { class: 'side', x: LEFT - 4, y: y(count) + 3 }, short(count)));
  }
  return all;
}

function bar({ count, mark, isOdd }, x, each, y, floor) {
  const top = y(count), middle = x + each / 2;
  const kind = isOdd ? 'odd' : 'fine';
  const rect = make('rect', { class: kind, x: x + 1.5, width: each - 3, y: top, height: floor - top });
  const number = make('text', { class: 'count', x: middle, y: top - 3 }, count ? short(count) : '');
  return [rect, number, make('text', { class: 'mark', x: middle, y: floor + 12 }, mark)];
}

// Each unit once, below the bars that it applies to.
function units(bars, each) {
  const all = [];
  bars.forEach(({ unit }, which) => {
    if (!unit || bars[which - 1]?.unit === unit) return;
    let end = which;
    while (bars[end + 1]?.unit === unit) end += 1;
    const from = LEFT + which * each + 2, to = LEFT + (end + 1) * each - 2;
    all.push(make('line', { class: 'rule', x1: from, x2: to, y1: HIGH - 13.5, y2: HIGH - 13.5 }),
      make('text', { class: 'mark', x: (from + to) / 2, y: HIGH - 3 }, unit));
  });
  return all;
}
