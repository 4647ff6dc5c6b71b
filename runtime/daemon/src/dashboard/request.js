// Requests to the robot's API, and the error message when one fails.

import { at } from './dom.js';

const API = '/api/v1/';

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

let hideTimer;
export function showError(error) {
  at('trouble').textContent = error.message ?? String(error);
  at('trouble').hidden = false;
  clearTimeout(hideTimer);
  hideTimer = setTimeout(() => { at('trouble').hidden = true; }, 8000);
}

// Wraps an event handler: shows the error when it fails.
export const reporting = (act) => async (...given) => {
  try { await act(...given); } catch (error) { showError(error); }
};
