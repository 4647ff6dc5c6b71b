// From where a body is looked at: a point that goes round it, nearer or farther, and what it sees on a flat canvas.

const FIRST = { turn: 0.6, tilt: 0.22, zoom: 1 };
const TILT_MAX = 1.5;
const ZOOM_MAX = 6;
// How far away the eye is, in sizes of the body: far enough that a near arm does not look large.
const AWAY = 4;

const within = (low, it, high) => Math.min(high, Math.max(low, it));

export class View {
  constructor() { this.reset(); }

  reset() { Object.assign(this, FIRST); }

  // Never from below the ground.
  orbit(turn, tilt) {
    this.turn += turn;
    this.tilt = within(0.02, this.tilt + tilt, TILT_MAX);
  }

  near(times) { this.zoom = within(1 / ZOOM_MAX, this.zoom * times, ZOOM_MAX); }

  // Answers how points are seen that lie around `centre`, in a picture so wide and so high (pixels): where, how large
  // a metre is there, and how near.
  seer(centre, size, width, height) {
    const [ca, sa, ce, se] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.tilt), Math.sin(this.tilt)];
    const away = AWAY * size, scale = Math.min(width, height) * 0.92 * this.zoom / size;
    return ([px, py, pz]) => {
      const x = px - centre[0], y = py - centre[1], z = pz - centre[2];
      const right = y * ca - x * sa;
      const up = z * ce - (x * ca + y * sa) * se;
      const near = (x * ca + y * sa) * ce + z * se;
      const metre = scale * away / Math.max(away - near, away / 10);
      return { x: width / 2 + right * metre, y: height / 2 - up * metre, metre, near };
    };
  }

  // The shortest way that a text can say it, for those who do not see the picture.
  get words() {
    const sides = ['the front', 'its left', 'the back', 'its right'];
    return `seen from ${sides[((Math.round(this.turn / (Math.PI / 2)) % 4) + 4) % 4]}`;
  }
}
