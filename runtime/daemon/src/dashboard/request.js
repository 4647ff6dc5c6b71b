// Requests to the robot's API, and the error message when one fails.

import { at } from './dom.js';

const API = '/api/v2/';

// Another site cannot make a browser send this header.
export const OWN = 'x-dcm-run';

export async function request(method, path, body) {
  const headers = { [OWN]: '1' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const sending = fetch(API + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await sending.catch(() => { throw unreachable(); });
  const received = await answer.json().catch(() => ({}));
  if (!answer.ok) throw failure(answer.status, received.error);
  return received;
}

// Sends one of the loop's own requests. Its reply is a word alone, or an object with a word as its only key.
export async function ask(kind, fields = {}) {
  const reply = await request('POST', `loop/${kind}`, fields);
  return typeof reply === 'string' ? reply : Object.values(reply)[0];
}

const unreachable = () => new Error('the robot cannot be reached');

function failure(status, error = { code: 'strange', sentence: `the robot answered ${status}` }) {
  // The pairing dialog opens.
  if (status === 401) document.dispatchEvent(new Event('unauthorized'));
  const sentence = error.fix ? `${error.sentence}; fix: ${error.fix}` : error.sentence;
  return Object.assign(new Error(sentence), error);
}

// Whether the robot has no such route: it runs an older version.
export const isUnknown = (error) => error.code === 'no-route';

// Uploads bytes and reports the progress, which `fetch` cannot do.
export function upload(path, kind, bytes, onProgress) {
  return new Promise((done, fail) => {
    const xhr = new XMLHttpRequest();
    xhr.open('PUT', API + path);
    xhr.setRequestHeader(OWN, '1');
    xhr.setRequestHeader('content-type', kind);
    xhr.responseType = 'json';
    xhr.upload.onprogress = (event) => onProgress(event.loaded / event.total);
    xhr.onload = () => {
      if (xhr.status < 300) done(xhr.response);
      else fail(failure(xhr.status, xhr.response?.error));
    };
    xhr.onerror = () => fail(unreachable());
    xhr.send(bytes);
  });
}

let hideTimer, errors = 0;
export function showError(error) {
  errors += 1;
  at('trouble').textContent = error.message ?? String(error);
  at('trouble').hidden = false;
  clearTimeout(hideTimer);
  hideTimer = setTimeout(hideError, 8000);
}

export function hideError() {
  clearTimeout(hideTimer);
  at('trouble').hidden = true;
}

// Wraps an event handler: shows the error when it fails, and hides an earlier one when it succeeds.
export const reporting = (act) => async (...given) => {
  const before = errors;
  try { await act(...given); } catch (error) { showError(error); return; }
  // An error that came while it acted is another act's, and stays.
  if (before === errors) hideError();
};
