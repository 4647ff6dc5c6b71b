// What is wrong with the page for people who see, hear or point otherwise: a list of sentences. Run by `looks.rs`.
(() => {
  const found = [];
  const shown = (it) => it.checkVisibility({ visibilityProperty: true }) && !it.closest('[inert]');
  const named = (it) => {
    const ids = (it.getAttribute('aria-labelledby') ?? '').split(' ');
    const by = [...ids.map((id) => document.getElementById(id)), ...(it.labels ?? [])];
    const text = by.map((one) => one?.textContent ?? '').join('').trim();
    return it.getAttribute('aria-label') || text || it.textContent.trim();
  };
  const words = (it) => `${it.tagName.toLowerCase()}#${it.id}.${it.className} "${it.textContent.trim().slice(0, 40)}"`;
  const all = [...document.querySelectorAll('body, body *')].filter(shown);

  // Every control, picture, table, group and landmark has a name; a button's name has the words that are seen on it.
  const kinds = 'button, input, select, textarea, meter, progress, canvas, a, [role=group], [role=region], dialog';
  for (const it of all.filter((one) => one.matches(kinds))) {
    const isNamed = it.matches('dialog, [role=group], [role=region]')
      ? it.hasAttribute('aria-label') || it.hasAttribute('aria-labelledby') : true;
    if (!named(it) || !isNamed) found.push(`no name: ${words(it)}`);
  }
  for (const it of all.filter((one) => one.matches('button[aria-label]'))) {
    const text = it.textContent.trim();
    if (/\w/.test(text) && !it.getAttribute('aria-label').includes(text)) found.push(`named otherwise: ${words(it)}`);
  }
  const regions = all.filter((it) => it.matches('section[aria-labelledby], [role=region]')).map(named);
  for (const it of regions) {
    if (regions.indexOf(it) !== regions.lastIndexOf(it)) found.push(`two places are called ${it}`);
  }

  // One main, one h1, no step of headings left out, no id twice; what scrolls can be scrolled by keys.
  for (const it of ['main', 'h1', 'header']) {
    if (document.querySelectorAll(it).length !== 1) found.push(`not one ${it}`);
  }
  let level = 0;
  for (const it of all.filter((one) => /^H[1-6]$/.test(one.tagName))) {
    if (Number(it.tagName[1]) > level + 1) found.push(`a heading is left out before ${words(it)}`);
    level = Number(it.tagName[1]);
  }
  const ids = [...document.querySelectorAll('[id]')].map((it) => it.id);
  for (const id of new Set(ids.filter((it, place) => ids.indexOf(it) !== place))) found.push(`twice: #${id}`);
  for (const it of all) {
    const style = getComputedStyle(it);
    const scrolls = ['auto', 'scroll'].includes(style.overflowY) && it.scrollHeight > it.clientHeight + 1;
    if (scrolls && it.tabIndex < 0 && !it.querySelector('a, button, input')) found.push(`no keys scroll ${words(it)}`);
  }

  // Text stands out from what is behind it.
  const rgb = (text) => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((it) => it / 255)
    .map((it) => (it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4))
    .reduce((sum, it, place) => sum + it * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (it) => {
    for (let at = it; at; at = at.parentElement) {
      const [r, g, b, a = 1] = rgb(getComputedStyle(at).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  for (const it of all) {
    const hasText = [...it.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim());
    if (!hasText || it.closest('svg, :disabled, .unseen, option')) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(it), size = parseFloat(fontSize);
    const [high, low] = [light(rgb(color)), light(behind(it))].sort((a, b) => b - a);
    const wanted = size >= 24 || (size >= 18.6 && fontWeight >= 700) ? 3 : 4.5;
    const is = (high + 0.05) / (low + 0.05);
    if (is < wanted) found.push(`contrast ${is.toFixed(1)}: ${words(it)}`);
  }

  // Nothing is wider than the window but what scrolls by itself; what is pressed is large enough for a finger.
  const wide = document.documentElement.clientWidth;
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > wide) found.push(`the page is ${scrollWidth} wide`);
  for (const it of all) {
    const { right, width, height } = it.getBoundingClientRect();
    if (right > wide + 1 && !it.closest('.scroll, .unseen')) found.push(`too far right: ${words(it)}`);
    if (it.matches('button') && (width < 24 || height < 24)) found.push(`too small: ${words(it)}`);
  }
  return found;
})()
