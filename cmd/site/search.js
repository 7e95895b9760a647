// Searches the manual. Text only ever becomes text nodes. The browser loads search-index.js, which
// defines MANUAL, when the field is used first: reading needs no index.
(() => {
  'use strict';

  const MOST = 30;
  const FOREIGN = 'mrc-habits.7.html'; // names of other programs come after those of mrc
  const box = document.getElementById('site-search');
  const field = box.querySelector('input');
  const found = document.getElementById('site-found');
  const [status, list] = found.children;
  let rows = null;

  const make = (tag, ...children) => {
    const element = document.createElement(tag);
    element.append(...children);
    return element;
  };

  // --- The index ---

  // The names in a title, such as -k and --key, stand in it with and without their dashes.
  function rowOf(page, [anchor, title, text]) {
    const lower = title.toLowerCase();
    const names = lower.split(/[^\p{L}\p{N}_.:-]+/u).filter((name) => name);
    const bare = names.map((name) => name.replace(/^(-+|mrc-)/, ''));
    return { page, anchor, title, lower, names: new Set(names.concat(bare)),
      text: text || page.about };
  }

  function readIndex() {
    if (rows) return;
    rows = [];
    const script = make('script');
    script.src = 'search-index.js';
    script.addEventListener('load', () => {
      rows = MANUAL.flatMap((page) => page.rows.map((row) => rowOf(page, row)));
      search();
    });
    document.head.append(script);
  }

  // --- Ranking ---

  // A name counts more than a part of a title, and that more than a word of the text.
  function weight(row, word) {
    if (row.names.has(word)) return row.lower[0] === '-' ? 65 : 60;
    if ([...row.names].some((name) => name.startsWith(word))) return 30;
    if (row.lower.includes(word)) return 20;
    const at = row.text.toLowerCase().indexOf(word);
    return at < 0 ? -Infinity : /\p{L}/u.test(row.text[at - 1] || '') ? 2 : 5;
  }

  function rank(row, words) {
    const kind = row.anchor === '' ? 15 : row.page.file === FOREIGN ? -35 : 0;
    return words.reduce((sum, word) => sum + weight(row, word), kind - row.title.length / 10);
  }

  // --- Results ---

  // The text with each of the words marked in it.
  function marked(text, words) {
    const literal = words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&'));
    return text.split(new RegExp('(' + literal.join('|') + ')', 'i'))
      .map((part, index) => (index % 2 ? make('mark', part) : part));
  }

  // What is around the first of the words in the text, or its beginning.
  function excerpt(text, words) {
    const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at > 40);
    const from = places.length ? text.indexOf(' ', Math.min(...places) - 40) + 1 : 0;
    const to = text.length < from + 140 ? text.length : text.lastIndexOf(' ', from + 140);
    return (from ? '… ' : '') + text.slice(from, to) + (to < text.length ? ' …' : '');
  }

  function item(row, words) {
    const link = make('a', make('b', ...marked(row.title, words)));
    link.href = row.page.file + (row.anchor && '#' + row.anchor);
    if (row.anchor) link.append(' ', make('small', row.page.rows[0][1]));
    link.append(make('span', ...marked(excerpt(row.text, words), words)));
    return make('li', link);
  }

  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
    found.hidden = !words.length || !rows.length;
    if (found.hidden) return;
    const hits = rows.map((row) => [rank(row, words), row]).filter(([sum]) => sum > -Infinity)
      .sort((a, b) => b[0] - a[0]);
    status.textContent = (hits.length || 'no') + (hits.length === 1 ? ' place' : ' places') +
      (hits.length > MOST ? `, the best ${MOST}` : '');
    list.replaceChildren(...hits.slice(0, MOST).map(([, row]) => item(row, words)));
    found.scrollTop = 0;
  }

  // --- Keys ---

  function move(event) {
    const stops = [field, ...list.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement);
    const next = { ArrowDown: stops[at + 1], ArrowUp: stops[at - 1], Escape: field }[event.key];
    if (event.key === 'Enter' && at === 0 && stops.length > 1) stops[1].click();
    if (!next) return;
    event.preventDefault();
    next.focus();
    if (event.key === 'Escape') found.hidden = true;
  }

  box.hidden = false;
  field.addEventListener('focus', readIndex);
  field.addEventListener('input', search);
  field.addEventListener('click', search);
  box.addEventListener('keydown', (event) => found.hidden || event.isComposing || move(event));
  document.addEventListener('click', (event) => {
    if (event.target !== field) found.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === field || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    field.select();
  });

  // Contents are folded if the window is narrow.
  document.querySelector('.contents').open = matchMedia('(min-width: 1181px)').matches;
})();
