// Errors of a script: its hooks are called so that an error ends the guest with a trace in its own files and lines.
// Used by the entry that `build.mjs` writes.

import { fail, install } from './contract.js';

export { install };

/** The lines before the script's first: what `build.mjs` puts there. */
const HEAD = 1;

const { files, places } = globalThis.origins;
delete globalThis.origins;

/** `script.js:30:5` in words that the author knows: `src/main.js:12`. Frames of the SDK stay, without their place. */
function origin(_, line) {
  const place = places.split(';')[line - 1 - HEAD];
  if (!place) return 'script.js';
  const [file, at] = place.split(',');
  return `${files[file]}:${at}`;
}

/** What was thrown; not everything that is thrown is an Error. */
function told(error) {
  if (typeof error !== 'object' || error === null || error instanceof Error) return String(error);
  if (typeof error.message === 'string') return `${error.name ?? 'thrown'}: ${error.message}`;
  if (error.toString !== Object.prototype.toString && typeof error.toString === 'function') return String(error);
  try {
    return `thrown: ${JSON.stringify(error)}`;
  } catch {
    return 'an object was thrown that refers to itself; fix: throw an Error';
  }
}

function failed(error) {
  const stack = String(error?.stack ?? '').replace(/script\.js:(\d+)(?::\d+)?/g, origin);
  fail(`${told(error)}\n${stack}`.trimEnd());
}
dcm.failed = failed;

/** The hooks, each with its errors caught. */
export function guarded(hooks) {
  const each = Object.entries(hooks).filter((it) => typeof it[1] === 'function');
  return Object.fromEntries(each.map(([name, hook]) => [name, guard(hook)]));
}

function guard(hook) {
  return () => {
    try {
      const result = hook();
      return result instanceof Promise ? result.catch(failed) : result;
    } catch (error) {
      return failed(error);
    }
  };
}
