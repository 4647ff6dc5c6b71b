// Shows the API's description as a page.

import { at, make } from './dom.js';

const openapi = await (await fetch('/api/v2/openapi.json')).json();

const paragraph = (text, className = '') => make('p', { textContent: text, className });
const list = (lines) => make('ul', {}, ...lines.map((text) => make('li', { textContent: text })));
const headed = (text, ...inside) => make('section', {}, make('h2', { textContent: text }), ...inside);

function typeName(schema) {
  if (!schema) return '';
  if (schema.$ref) return schema.$ref.split('/').pop();
  if (schema.type === 'array') return `[${typeName(schema.items)}]`;
  return [schema.type].flat().filter(Boolean).join(' or ');
}

// An object without a name of its own is shown with its fields.
function fieldNames(schema) {
  const fields = Object.entries(schema?.properties ?? {});
  return fields.length ? `{ ${fields.map(([key, it]) => `${key}: ${typeName(it)}`).join(', ')} }` : typeName(schema);
}

const body = (it) => fieldNames(Object.values(it?.content ?? {})[0]?.schema);

function operation(path, method, it) {
  const role = it.security?.[0]?.token?.[0];
  const answers = Object.entries(it.responses ?? {})
    .map(([status, response]) => `${status} ${body(response) || response.description || ''}`);
  const taken = body(it.requestBody);
  const needs = it.tags?.includes('moves') ? ', and control' : '';
  return headed(`${method.toUpperCase()} ${path}`,
    paragraph([it.summary, it.description].filter(Boolean).join(' ')),
    paragraph(role ? `needs the role ${role}${needs}` : 'for everybody', 'dim'),
    list([
      ...(it.parameters ?? []).map((one) => `${one.name} (${one.in}) ${one.description ?? ''}`),
      ...(taken ? [`body: ${taken}`] : []),
      `answers: ${answers.join(', ')}`,
    ]));
}

function shape(name, schema) {
  const fields = Object.entries(schema.properties ?? {});
  return headed(name, paragraph(schema.description ?? ''),
    list(fields.map(([key, it]) => `${key}: ${typeName(it)} – ${it.description ?? ''}`)));
}

const operations = Object.entries(openapi.paths)
  .flatMap(([path, item]) => Object.entries(item).map(([method, it]) => operation(path, method, it)));
const shapes = Object.entries(openapi.components?.schemas ?? {}).map(([name, schema]) => shape(name, schema));
at('operations').replaceChildren(make('section', {}, paragraph(openapi.info.description)), ...operations, ...shapes);
