// Helpers for elements, used by every part of the page. Text from outside is inserted as text, never as markup.

export const at = (id) => document.getElementById(id);

// Makes an element. `on...` adds a listener, a known property is set, anything else becomes an attribute.
export function make(tag, words = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(words)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...inside);
  return element;
}

// A number with this many decimals; a dash if it is unknown. Zero has no minus sign.
export function number(value, digits = 3) {
  return typeof value === 'number' ? value.toFixed(digits).replace(/^-(?=[0.]*$)/, '') : '–';
}

// Whole numbers with separators: 12,345.
export const many = (count) => count.toLocaleString('en');

export function size(bytes) {
  if (bytes < 1e6) return `${(bytes / 1024).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 2 ** 20).toFixed(1)} MB` : `${(bytes / 2 ** 30).toFixed(2)} GB`;
}

// Seconds since 1970, formatted for the reader's locale.
export const instant = (seconds) => new Date(seconds * 1000).toLocaleString(undefined,
  { dateStyle: 'medium', timeStyle: 'medium' });

// Changes an element only if its text differs: no new layout, and a screen reader does not repeat it.
export function setText(element, text, className = element.className) {
  if (element.textContent !== text) element.textContent = text;
  if (element.className !== className) element.className = className;
}

// Makes a button ask, for what cannot be undone: the first press asks, a second one within 5 s does it. Screen readers
// read `subject` with the button's text.
const CONFIRM_MS = 5000;
export function askFirst(button, question, subject, act) {
  let timer;
  const text = button.textContent;
  const label = (words, className) => {
    setText(button, words, className);
    button.setAttribute('aria-label', `${words} ${subject}`.trim());
  };
  const rest = () => { clearTimeout(timer); timer = undefined; label(text, ''); };
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', (event) => {
    // A double click has not read the question.
    if (event.detail > 1) return;
    if (timer) { rest(); act(); return; }
    label(question, 'bad');
    timer = setTimeout(rest, CONFIRM_MS);
  });
  rest();
}

export function confirmButton(text, question, subject, act) {
  const button = make('button', { type: 'button', textContent: text });
  askFirst(button, question, subject, act);
  return button;
}

// Seconds as minutes and seconds: 1:05.
export function clockTime(seconds) {
  const whole = Math.floor(seconds + 1e-6);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
