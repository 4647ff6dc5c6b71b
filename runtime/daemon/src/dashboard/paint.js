// Paints the parts of a body: capsules and bones as round bars, soles as plates, the ground as a grid.

// Light comes from the upper left.
const LIGHT = [-0.55, -0.83];
const LINES = 7;

// The outline of a bar between two projected points.
function bar(pen, a, b, radius) {
  const angle = Math.atan2(b.y - a.y, b.x - a.x), right = Math.PI / 2;
  pen.beginPath();
  pen.arc(a.x, a.y, Math.max(0.5, radius * a.metre), angle + right, angle - right);
  pen.arc(b.x, b.y, Math.max(0.5, radius * b.metre), angle - right, angle + right);
  pen.closePath();
}

// A gradient across the bar: bright towards the light, dark away from it.
function shade(pen, a, b, radius) {
  const long = Math.hypot(b.x - a.x, b.y - a.y);
  const across = long > 1 ? [(a.y - b.y) / long, (b.x - a.x) / long] : LIGHT;
  const lit = across[0] * LIGHT[0] + across[1] * LIGHT[1];
  const x = (a.x + b.x) / 2, y = (a.y + b.y) / 2, reach = radius * Math.max(a.metre, b.metre);
  const fall = pen.createLinearGradient(x + across[0] * reach, y + across[1] * reach,
    x - across[0] * reach, y - across[1] * reach);
  const side = (share) => (share > 0 ? `rgba(255,255,255,${0.34 * share})` : `rgba(0,0,0,${0.12 - 0.3 * share})`);
  fall.addColorStop(0, side(lit));
  fall.addColorStop(0.4, 'rgba(255,255,255,.1)');
  fall.addColorStop(1, side(-lit));
  return fall;
}

export function solid(pen, { a, b, radius }, colour, edge) {
  bar(pen, a, b, radius);
  pen.fillStyle = colour;
  pen.fill();
  pen.fillStyle = shade(pen, a, b, radius);
  pen.fill();
  pen.strokeStyle = edge;
  pen.stroke();
}

export function ghost(pen, { a, b, radius }, colour) {
  bar(pen, a, b, radius);
  pen.fillStyle = colour;
  pen.globalAlpha = 0.05;
  pen.fill();
  pen.globalAlpha = 0.7;
  pen.strokeStyle = colour;
  pen.stroke();
  pen.globalAlpha = 1;
}

export function plate(pen, corners, colour, edge) {
  pen.beginPath();
  for (const { x, y } of corners) pen.lineTo(x, y);
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = edge;
  pen.stroke();
}

// The largest of 1, 2 or 5 times a power of ten that is at most this length.
function step(length) {
  const ten = 10 ** Math.floor(Math.log10(length));
  return ten * [5, 2, 1].find((digit) => digit * ten <= length);
}

// A light area of the ground.
export function area(pen, corners, colour) {
  pen.globalAlpha = 0.25;
  plate(pen, corners, colour, colour);
  pen.globalAlpha = 1;
}

export function dot(pen, { x, y }, colour) {
  pen.beginPath();
  pen.arc(x, y, 4, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
}

// Paints the ground below the body, whose lines stay where they are as the body moves. Returns the width of its
// squares, m.
export function ground(pen, see, [x, y, z], size, colour) {
  const wide = step(size / 4), end = wide * LINES;
  const [left, front] = [x, y].map((part) => Math.round(part / wide) * wide);
  pen.strokeStyle = colour;
  pen.beginPath();
  for (let line = -LINES; line <= LINES; line += 1) {
    const at = line * wide;
    for (const [from, to] of [[[at, -end], [at, end]], [[-end, at], [end, at]]]) {
      const a = see([from[0] + left, from[1] + front, z]), b = see([to[0] + left, to[1] + front, z]);
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
    }
  }
  pen.stroke();
  return wide;
}
