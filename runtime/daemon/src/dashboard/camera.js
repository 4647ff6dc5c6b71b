// The camera: orbits the body, zooms, and projects points onto the canvas.

const FIRST = { turn: 0.6, tilt: 0.22, zoom: 1 };
const TILT_MAX = 1.5;
const ZOOM_MAX = 6;
// The camera's distance, in sizes of the body: far enough that a near arm does not look large.
const DISTANCE = 4;

const within = (low, value, high) => Math.min(high, Math.max(low, value));

export class Camera {
  constructor() { this.reset(); }

  reset() { Object.assign(this, FIRST); }

  // It never goes below the ground.
  orbit(turn, tilt) {
    this.turn += turn;
    this.tilt = within(0.02, this.tilt + tilt, TILT_MAX);
  }

  zoomBy(times) { this.zoom = within(1 / ZOOM_MAX, this.zoom * times, ZOOM_MAX); }

  // Returns a function that projects a point near `centre` into a picture of this width and height in pixels: its
  // place, the pixels of a metre there, and how near it is.
  projection(centre, size, width, height) {
    const [ca, sa, ce, se] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.tilt), Math.sin(this.tilt)];
    const away = DISTANCE * size, scale = Math.min(width, height) * 0.92 * this.zoom / size;
    return ([px, py, pz]) => {
      const x = px - centre[0], y = py - centre[1], z = pz - centre[2];
      const right = y * ca - x * sa;
      const up = z * ce - (x * ca + y * sa) * se;
      const near = (x * ca + y * sa) * ce + z * se;
      const metre = scale * away / Math.max(away - near, away / 10);
      return { x: width / 2 + right * metre, y: height / 2 - up * metre, metre, near };
    };
  }

  // The direction in words, for screen readers.
  get description() {
    const sides = ['the front', 'its left', 'the back', 'its right'];
    return `seen from ${sides[((Math.round(this.turn / (Math.PI / 2)) % 4) + 4) % 4]}`;
  }
}
