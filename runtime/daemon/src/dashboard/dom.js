// The small pieces that every part of the page is made of. What comes from outside is written as text, never as markup.

export const at = (id) => document.getElementById(id);

// Makes an element: listeners begin with `on`, properties are set as such, everything else is an attribute.
export function make(tag, words = {}, ...inside) {
  const it = document.createElement(tag);
  for (const [key, value] of Object.entries(words)) {
    if (key.startsWith('on')) it.addEventListener(key.slice(2), value);
    else if (key in it && key !== 'list') it[key] = value;
    else it.setAttribute(key, value);
  }
  it.append(...inside);
  return it;
}

// A dash for what is not known; nothing is less than nothing.
export function number(it, digits = 3) {
  return typeof it === 'number' ? it.toFixed(digits).replace(/^-(?=[0.]*$)/, '') : '–';
}

// Whole numbers as people read them: 12,345.
export const many = (it) => it.toLocaleString('en');

export function size(bytes) {
  if (bytes < 1e6) return `${(bytes / 1024).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 2 ** 20).toFixed(1)} MB` : `${(bytes / 2 ** 30).toFixed(2)} GB`;
}

// Seconds since 1970, as the reader's own place writes an instant.
export const instant = (seconds) => new Date(seconds * 1000).toLocaleString(undefined,
  { dateStyle: 'medium', timeStyle: 'medium' });

// Writes only what has changed: nothing is laid out anew, and a screen reader does not repeat itself.
export function say(element, text, className = element.className) {
  if (element.textContent !== text) element.textContent = text;
  if (element.className !== className) element.className = className;
}

// A button for what cannot be undone: its first press asks, a second one soon after does it. `whom` it is for is told
// to those who do not see beside what it stands.
const SOON = 5000;
export function twice(text, question, whom, act) {
  let calm;
  const button = make('button', { type: 'button', 'aria-live': 'polite' });
  const word = (it, className) => {
    say(button, it, className);
    button.setAttribute('aria-label', `${it} ${whom}`);
  };
  const rest = () => { clearTimeout(calm); calm = undefined; word(text, ''); };
  button.addEventListener('click', () => {
    if (calm) { rest(); act(); return; }
    word(question, 'bad');
    calm = setTimeout(rest, SOON);
  });
  rest();
  return button;
}
