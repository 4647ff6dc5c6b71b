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
  const named = fields.map(([key, value]) => `${key}: ${typeName(value)}`);
  return fields.length ? `{ ${named.join(', ')} }` : typeName(schema);
}

const body = (message) => fieldNames(Object.values(message?.content ?? {})[0]?.schema);

function operation(path, method, described) {
  const role = described.security?.[0]?.token?.[0];
  const answers = Object.entries(described.responses ?? {})
    .map(([status, response]) => `${status} ${body(response) || response.description || ''}`);
  const taken = body(described.requestBody);
  const needs = described.tags?.includes('moves') ? ', and control' : '';
  return headed(`${method.toUpperCase()} ${path}`,
    paragraph([described.summary, described.description].filter(Boolean).join(' ')),
    paragraph(role ? `needs the role ${role}${needs}` : 'for everybody', 'dim'),
    list([
      ...(described.parameters ?? []).map((one) => `${one.name} (${one.in}) ${one.description ?? ''}`),
      ...(taken ? [`body: ${taken}`] : []),
      `answers: ${answers.join(', ')}`,
    ]));
}

function shape(name, schema) {
  const fields = Object.entries(schema.properties ?? {});
  return headed(name, paragraph(schema.description ?? ''),
    list(fields.map(([key, value]) => `${key}: ${typeName(value)} – ${value.description ?? ''}`)));
}

const operations = Object.entries(openapi.paths)
  .flatMap(([path, item]) => Object.entries(item).map(([method, described]) => operation(path, method, described)));
const shapes = Object.entries(openapi.components?.schemas ?? {}).map(([name, schema]) => shape(name, schema));
at('operations').replaceChildren(make('section', {}, paragraph(openapi.info.description)), ...operations, ...shapes);
