// Questions to the robot's API, and what is said when one goes wrong.

import { at } from './parts.js';

const API = '/api/v1/';

// No other site can make a browser send this header.
export const OWN = 'x-dcm-run';

export async function ask(method, path, body) {
  const headers = { [OWN]: '1' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const asked = fetch(API + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await asked.catch(() => { throw unreachable(); });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw trouble(answer.status, told.error);
  return told;
}

const unreachable = () => new Error('the robot cannot be reached');

function trouble(status, error = { code: 'strange', sentence: `the robot answered ${status}` }) {
  // Whoever is not known is asked who it is.
  if (status === 401) document.dispatchEvent(new Event('stranger'));
  const sentence = error.fix ? `${error.sentence}; fix: ${error.fix}` : error.sentence;
  return Object.assign(new Error(sentence), error);
}

// Whether an older robot does not know this question at all.
export const isUnknown = (error) => error.code === 'no-route';

// fetch does not tell how much has gone.
export function send(path, kind, bytes, gone) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open('PUT', API + path);
    request.setRequestHeader(OWN, '1');
    request.setRequestHeader('content-type', kind);
    request.responseType = 'json';
    request.upload.onprogress = (event) => gone(event.loaded / event.total);
    request.onload = () => {
      if (request.status < 300) done(request.response);
      else fail(trouble(request.status, request.response?.error));
    };
    request.onerror = () => fail(unreachable());
    request.send(bytes);
  });
}

let quiet;
export function complain(error) {
  at('trouble').textContent = error.message ?? String(error);
  at('trouble').hidden = false;
  clearTimeout(quiet);
  quiet = setTimeout(() => { at('trouble').hidden = true; }, 8000);
}

// What is done by a press: when it fails, that is said.
export const attempt = (act) => async (...given) => {
  try { await act(...given); } catch (error) { complain(error); }
};
