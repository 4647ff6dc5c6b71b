// The face of a body: two eyes and a mouth on the front of its head, so that one sees where it looks. The law: it lies
// on the head's shape, and is seen only from the front.

import { placed } from './kinematics.js';

// In radii of the head: how far the eyes are from its middle, how high, how large; the mouth's place, width and bend.
const EYE = { side: 0.52, up: 0.22, size: 0.2 };
const MOUTH = { up: -0.36, wide: 0.42, bend: 0.14 };
const STEPS = 14;

// The point of a capsule's surface in front of (y, z), and what is outside of it there; none beside the capsule.
function surface({ from, to, radius }, y, z) {
  const along = to.map((end, which) => end - from[which]);
  const long = along[1] ** 2 + along[2] ** 2;
  const share = long ? Math.min(1, Math.max(0, ((y - from[1]) * along[1] + (z - from[2]) * along[2]) / long)) : 0;
  const axis = from.map((start, which) => start + share * along[which]);
  const deep = radius ** 2 - (y - axis[1]) ** 2 - (z - axis[2]) ** 2;
  if (deep <= 0) return undefined;
  const point = [axis[0] + Math.sqrt(deep), y, z];
  return { point, out: point.map((part, which) => part + 0.2 * (part - axis[which])) };
}

// The face of these links, in the frame of the head; none without a head.
export function face(links) {
  const which = links.findLastIndex((link) => /head/i.test(link.name) && link.capsules.length);
  if (which < 0) return undefined;
  const [head] = [...links[which].capsules].sort((one, other) => other.radius - one.radius);
  const middle = head.from.map((part, place) => (part + head.to[place]) / 2);
  const on = (side, up) => surface(head, middle[1] + side * head.radius, middle[2] + up * head.radius);
  const turns = Array.from({ length: STEPS }, (_, step) => step / STEPS * 2 * Math.PI);
  const eye = (sign) => turns.map((turn) => on(sign * EYE.side + EYE.size * Math.cos(turn),
    EYE.up + EYE.size * Math.sin(turn)));
  const shares = Array.from({ length: STEPS }, (_, step) => step / (STEPS - 1) * 2 - 1);
  const mouth = shares.map((share) => on(share * MOUTH.wide, MOUTH.up - MOUTH.bend * (1 - share * share)));
  return { which, eyes: [eye(1), eye(-1)], mouth };
}

// Paints what of it can be seen in these poses.
export function paintFace(pen, { which, eyes, mouth }, poses, project, colour) {
  const shown = (spot) => {
    const at = spot && project(placed(poses[which], spot.point));
    return at && project(placed(poses[which], spot.out)).near > at.near ? at : undefined;
  };
  pen.fillStyle = pen.strokeStyle = colour;
  for (const eye of eyes) {
    const points = eye.map(shown).filter(Boolean);
    if (points.length < STEPS / 2) continue;
    pen.beginPath();
    for (const { x, y } of points) pen.lineTo(x, y);
    pen.fill();
  }
  const points = mouth.map(shown).filter(Boolean);
  if (points.length < 2) return;
  pen.lineWidth = 1.6;
  pen.beginPath();
  for (const { x, y } of points) pen.lineTo(x, y);
  pen.stroke();
  pen.lineWidth = 1;
}
