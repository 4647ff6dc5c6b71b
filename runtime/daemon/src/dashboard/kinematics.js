// Forward kinematics: the pose of each link from the description and the joints' values. Metres and radians; x is
// forward, y is left, z is up.

// A pose: a rotation matrix by rows, and a translation.
export const HOME = { turn: [1, 0, 0, 0, 1, 0, 0, 0, 1], at: [0, 0, 0] };

// How near the ground a point touches it, m.
const TOUCHING = 0.003;

function turned(m, [x, y, z]) {
  return [m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z];
}

export function placed({ turn, at }, point) {
  const [x, y, z] = turned(turn, point);
  return [x + at[0], y + at[1], z + at[2]];
}

function times(a, b) {
  const product = [];
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column += 1) {
      product.push(a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]);
    }
  }
  return product;
}

// Roll about x first, then pitch about y, then yaw about z.
export function turn([roll, pitch, yaw]) {
  return times(about([0, 0, 1], yaw), times(about([0, 1, 0], pitch), about([1, 0, 0], roll)));
}

function about([x, y, z], angle) {
  const c = Math.cos(angle), s = Math.sin(angle), d = 1 - c;
  return [
    c + x * x * d, x * y * d - z * s, x * z * d + y * s,
    y * x * d + z * s, c + y * y * d, y * z * d - x * s,
    z * x * d - y * s, z * y * d + x * s, c + z * z * d,
  ];
}

// Computes each link's fixed rotation once.
export const prepared = (links) => links.map((link) => ({ ...link, rest: turn(link.turn) }));

// The poses of all links. `value` returns the position of an actuator's joint; `base` is the pose of the
// first link, if it is known.
export function poses(links, value, base) {
  const all = [];
  for (const link of links) {
    if (base && !all.length) {
      all.push(base);
      continue;
    }
    const parent = all[link.parent] ?? HOME;
    const q = link.joint === null ? 0 : link.ratio * value(link.joint) + link.offset;
    const slide = link.slides ? turned(link.rest, link.axis.map((part) => part * q)) : [0, 0, 0];
    const moved = placed(parent, link.at.map((part, which) => part + slide[which]));
    const rest = times(parent.turn, link.rest);
    all.push({ turn: link.slides ? rest : times(rest, about(link.axis, q)), at: moved });
  }
  return all;
}

// All points of a link, each with the radius there.
function* points({ capsules, sole }) {
  yield [[0, 0, 0], 0];
  for (const { from, to, radius } of capsules) {
    yield [from, radius];
    yield [to, radius];
  }
  for (const corner of sole) yield [corner, 0];
}

// The height of the lowest point in these poses.
export function lowest(links, all) {
  let low = Infinity;
  links.forEach((link, which) => {
    for (const [point, radius] of points(link)) low = Math.min(low, placed(all[which], point)[2] - radius);
  });
  return low;
}

// The points of the body that touch the ground at this height.
export function touching(links, all, ground) {
  return links.flatMap((link, which) => [...points(link)].map(([point, radius]) => [placed(all[which], point), radius])
    .filter(([[, , z], radius]) => z - radius < ground + TOUCHING).map(([[x, y]]) => [x, y, ground]));
}

// The corners of the smallest convex area that has these points: the support polygon.
export function hull(all) {
  const cross = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const sorted = [...all].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => list.reduce((corners, point) => {
    while (corners.length > 1 && cross(corners.at(-2), corners.at(-1), point) <= 0) corners.pop();
    return [...corners, point];
  }, []).slice(0, -1);
  return [...half(sorted), ...half(sorted.reverse())];
}

// The largest distance from its root that any part of the body can reach.
export function reach(links) {
  const far = [];
  return links.reduce((most, link) => {
    const root = (far[link.parent] ?? 0) + Math.hypot(...link.at);
    far.push(root);
    return Math.max(most, ...[...points(link)].map(([point, radius]) => root + Math.hypot(...point) + radius));
  }, 0);
}
