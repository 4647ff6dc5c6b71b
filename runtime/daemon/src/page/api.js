// The API's description as a page.
const make = (tag, words = {}, ...inside) => { const it = Object.assign(document.createElement(tag), words); it.append(...inside); return it; };
const told = await (await fetch('/api/v1/openapi.json')).json();
const form = (schema) => {
  if (!schema) return '';
  if (schema.$ref) return schema.$ref.split('/').pop();
  if (schema.type === 'array') return `[${form(schema.items)}]`;
  return [schema.type].flat().filter(Boolean).join(' or ');
};
const body = (it) => form(Object.values(it?.content ?? {})[0]?.schema);
const list = [make('section', {}, make('p', { textContent: told.info.description }))];
for (const [path, item] of Object.entries(told.paths)) {
  for (const [method, it] of Object.entries(item)) {
    const role = it.security?.[0]?.token?.[0];
    const answer = Object.entries(it.responses ?? {}).map(([status, response]) => `${status} ${body(response) || response.description || ''}`);
    list.push(make('section', {}, make('h2', { textContent: `${method.toUpperCase()} ${path}` }),
      make('p', { textContent: [it.summary, it.description].filter(Boolean).join(' ') }),
      make('p', { className: 'dim', textContent: role ? `needs the role ${role}` : 'for everybody' }),
      make('ul', {}, ...(it.parameters ?? []).map((one) => make('li', { textContent: `${one.name} (${one.in}) ${one.description ?? ''}` })),
        ...(body(it.requestBody) ? [make('li', { textContent: `body: ${body(it.requestBody)}` })] : []),
        make('li', { textContent: `answers: ${answer.join(', ')}` }))));
  }
}
for (const [name, schema] of Object.entries(told.components?.schemas ?? {})) {
  list.push(make('section', {}, make('h2', { textContent: name }), make('p', { textContent: schema.description ?? '' }),
    make('ul', {}, ...Object.entries(schema.properties ?? {}).map(([key, it]) => make('li', { textContent: `${key}: ${form(it)} – ${it.description ?? ''}` })))));
}
document.getElementById('operations').replaceChildren(...list);
