// The page: head, figures, the main chart with its range, panels, and the theme.

const FIRST_ROWS = 8;
const byId = (id) => document.getElementById(id);

// --- Theme ---

function storedTheme() {
  try {
    return localStorage.getItem('mrc-theme');
  } catch (error) {
    return null;
  }
}

function themeButton() {
  const root = document.documentElement;
  const button = make('button', { type: 'button', class: 'theme' });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const show = (theme) => {
    root.setAttribute('data-theme', theme);
    button.textContent = theme === 'dark' ? 'Light theme' : 'Dark theme';
  };
  const other = () => (root.getAttribute('data-theme') === 'dark' ? 'light' : 'dark');
  let chosen = ['dark', 'light'].find((theme) => theme === storedTheme());
  button.addEventListener('click', () => {
    chosen = other();
    show(chosen);
    try { localStorage.setItem('mrc-theme', chosen); } catch (error) { /* kept in memory only */ }
  });
  dark.addEventListener('change', () => chosen || show(dark.matches ? 'dark' : 'light'));
  show(chosen || (dark.matches ? 'dark' : 'light'));
  return button;
}

// --- Head and foot ---

function periodText(report) {
  const [from, to] = [parseTime(report.from), parseTime(report.to)];
  if (!from || !to) return report.from ? visible(report.from + ' – ' + report.to) : '';
  const end = isoDate(from.local) === isoDate(to.local) ? clockText(to.local)
    : momentText(to.local);
  const first = momentText(from.local) + (from.zone === to.zone ? '' : ' ' + from.zone);
  return (first + ' – ' + end + ' ' + to.zone).trim();
}

function fillHead(report) {
  const facts = [periodText(report), plural(report.records, 'record'),
    visible(report.format || '')];
  const line = make('p', { class: 'facts' },
    ...facts.filter((fact) => fact).map((fact) => make('span', {}, fact)));
  if (Number(report.bad_records)) {
    line.append(make('span', { class: 'alert' }, plural(report.bad_records, 'bad record')));
  }
  byId('head').append(make('div', { class: 'title' },
    make('h1', {}, make('bdi', {}, visible(report.title || 'Report'))), themeButton()), line);
  const notes = (report.notes || []).map((note) => make('li', {}, visible(note)));
  if (notes.length) byId('head').append(folded('notes', notes, 3, 'notes'));
}

// A list, folded if it has more than a few items.
function folded(kind, items, most, noun) {
  const list = make('ul', { class: kind }, ...items);
  if (items.length <= most) return list;
  return make('details', { class: 'fold' },
    make('summary', {}, groupDigits(items.length) + ' ' + noun), list);
}

function fillFoot(report) {
  const inputs = (report.inputs || []).map((input) =>
    make('li', {}, make('bdi', {}, visible(input))));
  const made = parseTime(report.made);
  const when = made ? ' from input of ' + momentText(made.local) + ' ' + made.zone : '';
  byId('foot').append(
    folded('inputs', inputs, 5, 'inputs'),
    make('p', {}, 'Made by mrc ' + visible(report.version || '') + when +
      '. This page loads nothing from the network.'));
}

// --- Figures ---

function figure(item) {
  const unknown = item.value === null || item.value === undefined;
  const text = unknown ? 'unknown' : figureText(item);
  const exact = unknown ? null : exactText(item.value, item.kind);
  const size = unknown ? 'bare' : text.length > 24 ? 'long' : text.length > 11 ? 'medium' : null;
  return make('div', {}, make('dt', {}, visible(item.name)),
    make('dd', { class: size, title: exact }, text));
}

function figureText(item) {
  const time = item.kind === 'time' ? parseTime(item.value) : null;
  if (!time) return valueText(item.value, item.kind);
  return time.clock ? momentText(time.local) : dateText(time.local);
}

// --- The range ---

function rangeChoices(series) {
  const spans = [['30 days', 30 * DAY], ['7 days', 7 * DAY], ['24 hours', DAY]];
  const group = make('div', { class: 'choice', role: 'group', 'aria-label': 'Time range' });
  const end = ceilTo(series.to, series.base);
  const buttons = [['Whole period', null]].concat(spans)
    .filter((item) => item[1] === null || item[1] < series.to - series.from)
    .map(([name, span]) => {
      const [from, to] = span === null ? [null, null] : [end - span, end];
      const button = make('button', { type: 'button', click: () => setRange(from, to) }, name);
      const show = () => button.setAttribute('aria-pressed',
        String(range.from === from && range.to === to));
      range.listeners.push(show);
      show();
      return button;
    });
  group.append(...buttons);
  return buttons.length > 1 ? group : null;
}

function monthsOf(series) {
  const months = [];
  const date = new Date(series.from);
  date.setUTCDate(1);
  date.setUTCHours(0, 0, 0, 0);
  while (date.getTime() < series.to) {
    const from = date.getTime();
    date.setUTCMonth(date.getUTCMonth() + 1);
    months.push({ from, to: date.getTime(), name: MONTHS[new Date(from).getUTCMonth()] + ' ' +
      new Date(from).getUTCFullYear() });
  }
  return months;
}

function monthSwitch(series) {
  const months = monthsOf(series);
  if (months.length < 2 || months.length > 1200) return null;
  const select = make('select', { 'aria-label': 'Month' },
    make('option', { value: '' }, 'Month…'),
    ...months.map((month, index) => make('option', { value: index }, month.name)));
  const go = (index) => months[index] && setRange(months[index].from, months[index].to);
  const step = (by) => (select.value === '' ? go(by < 0 ? months.length - 1 : 0)
    : go(Number(select.value) + by));
  const arrow = (by, label, text) => make('button',
    { type: 'button', 'aria-label': label, click: () => step(by) }, text);
  const arrows = [arrow(-1, 'Previous month', '‹'), arrow(1, 'Next month', '›')];
  select.addEventListener('change', () => (select.value === '' ? setRange(null, null)
    : go(Number(select.value))));
  range.listeners.push(() => {
    const at = months.findIndex((month) => month.from === range.from && month.to === range.to);
    select.value = at < 0 ? '' : String(at);
    arrows[0].disabled = at === 0;
    arrows[1].disabled = at === months.length - 1;
  });
  return make('div', { class: 'months' }, arrows[0], select, arrows[1]);
}

// Says which range the charts show, with the sums of the columns that can be added.
function rangeStatus(panel, chart) {
  const text = make('span', { role: 'status' });
  const back = make('button', { type: 'button', click: () => setRange(null, null) },
    'Show the whole period');
  const line = make('p', { class: 'status' }, text, ' ', back);
  const show = () => {
    line.classList.toggle('zoomed', range.from !== null);
    back.hidden = range.from === null;
    text.textContent = range.from === null
      ? 'Drag on a chart or on the strip to see a part of the period.'
      : sumsText(panel, chart) + ' Tables and figures are of the whole period.';
  };
  range.listeners.push(show);
  show();
  return line;
}

function sumsText(panel, chart) {
  const [from, to] = chart.span();
  const rows = chart.series.rows.slice(firstAt(chart.series.times, from),
    firstAt(chart.series.times, to));
  const sums = chart.choices.filter((index) => isAdditive(panel.columns[index])).map((index) => {
    const sum = rows.reduce((total, row) => add(total, isNumber(row[index]) ? row[index] : 0), 0);
    const { kind, name } = panel.columns[index];
    return valueText(sum, kind) + unitOf(visible(name), kind);
  });
  return rangeText(from, to) + (sums.length ? ': ' + sums.join(', ') : '') + '.';
}

// --- Panels ---

function numbersBelow(panel) {
  const details = make('details', { class: 'numbers' }, make('summary', {}, 'Table of numbers'));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) {
      details.append(new PanelTable(panel, 24).element);
    }
  });
  return details;
}

function metricChoice(chart, onChange) {
  const names = chart.choices.map((index) => chart.panel.columns[index].name);
  if (names.length < 2) return null;
  return choice('Measure', names, 0, (index) => {
    chart.select(index);
    if (onChange) onChange();
  });
}

function searchField(panel, table) {
  return make('input', {
    type: 'search', placeholder: 'Search', 'aria-label': 'Search in ' + visible(panel.title),
    autocomplete: 'off', spellcheck: 'false',
    input: (event) => table.search(event.target.value),
  });
}

function undatedNote(series) {
  if (!series.undated) return null;
  return make('p', { class: 'caption' }, plural(series.undated, 'row') + ' without a time: ' +
    'only in the table.');
}

function fillTime(panel, parts) {
  const chart = new TimeChart(panel, false);
  parts.tools.push(metricChoice(chart), copyButton(panel, () => panel.rows));
  parts.body.push(chart.caption, chart.area, chart.legend, undatedNote(chart.series),
    numbersBelow(panel));
}

function fillMain(panel, parts) {
  const chart = new TimeChart(panel, true);
  const overview = new Overview(chart);
  parts.tools.push(metricChoice(chart, () => overview.draw()),
    copyButton(panel, () => panel.rows));
  parts.body.push(make('div', { class: 'range' }, chart.caption,
    rangeChoices(chart.series), monthSwitch(chart.series)),
  chart.area, overview.element, chart.legend, undatedNote(chart.series),
  make('div', { class: 'below' }, rangeStatus(panel, chart), numbersBelow(panel)));
}

function fillColumns(panel, parts) {
  const chart = new ColumnChart(panel);
  parts.tools.push(metricChoice(chart), copyButton(panel, () => panel.rows));
  parts.body.push(chart.area, numbersBelow(panel));
}

function fillHeat(panel, parts) {
  const map = new HeatMap(panel);
  parts.tools.push(metricChoice(map), copyButton(panel, () => panel.rows));
  parts.body.push(map.element, numbersBelow(panel));
}

function fillTable(panel, parts) {
  const table = new PanelTable(panel, panel.shape === 'table' ? FIRST_ROWS : 24);
  if (panel.rows.length > FIRST_ROWS) parts.tools.push(searchField(panel, table));
  parts.tools.push(copyButton(panel, () => table.matching));
  parts.body.push(table.element);
}

// One or two times make a table, since a chart of them shows nothing more.
function isTimeChart(panel) {
  if (panel.shape !== 'time') return false;
  const times = new Set();
  for (const row of panel.rows) {
    if (parseTime(row[0])) times.add(row[0]);
    if (times.size > 2) return true;
  }
  return false;
}

function fillerOf(panel, main) {
  const hasNumber = panel.columns.some((column, i) => i >= panel.keys && isNumeric(column));
  if (!panel.rows.length) return fillNothing;
  if (isTimeChart(panel) && hasNumber) return main ? fillMain : fillTime;
  if (panel.shape === 'heat' && hasNumber && panel.keys === 2) return fillHeat;
  return panel.shape === 'bars' && hasNumber && panel.rows.length > 12 ? fillColumns : fillTable;
}

function fillNothing(panel, parts) {
  parts.body.push(make('p', { class: 'empty' }, 'No records here.'));
}

function isWide(panel) {
  const texts = panel.columns.filter((column) => !isNumeric(column)).length;
  return panel.shape === 'profile' || (panel.shape === 'table' &&
    panel.columns.length + texts > 7);
}

function section(panel, index, main) {
  const id = 'p' + index;
  const parts = { tools: [], body: [] };
  fillerOf(panel, main)(panel, parts);
  const about = panel.about ? make('p', { class: 'about' }, visible(panel.about)) : null;
  return make('section', {
    id, class: 'panel' + (main ? ' main' : '') + (isWide(panel) ? ' wide' : ''),
    'aria-labelledby': id + '-title',
  }, make('div', { class: 'heading' }, make('h2', { id: id + '-title' }, visible(panel.title)),
    make('div', { class: 'tools' }, ...parts.tools.filter((tool) => tool))),
  about, ...parts.body.filter((part) => part));
}

// Moves each wide panel after an even number of narrow ones, so that two columns have no hole.
function withoutHoles(sections) {
  const ordered = [];
  const waiting = [];
  let half = false;
  for (const item of sections) {
    if (item.classList.contains('wide') && half) waiting.push(item);
    else {
      ordered.push(item);
      if (!item.classList.contains('wide')) half = !half;
      if (!half) ordered.push(...waiting.splice(0));
    }
  }
  return ordered.concat(waiting);
}

// --- Navigation ---

function fillNav(sections) {
  const links = new Map(sections.map((item) => [item,
    make('a', { href: '#' + item.id }, cut(item.querySelector('h2').textContent, 80))]));
  const list = make('ul', { id: 'panels' }, ...[...links.values()].map((a) => make('li', {}, a)));
  const button = make('button', { type: 'button', 'aria-expanded': 'false',
    'aria-controls': 'panels' }, 'Panels');
  const open = (yes) => button.setAttribute('aria-expanded', String(yes));
  button.addEventListener('click', () => open(button.getAttribute('aria-expanded') !== 'true'));
  list.addEventListener('click', () => open(false));
  byId('nav').append(button, list);
  byId('nav').addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    open(false);
    button.focus();
  });
  followScroll(links);
}

function followScroll(links) {
  const visibleNow = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) visibleNow.add(entry.target);
      else visibleNow.delete(entry.target);
    }
    let found = false;
    for (const [item, link] of links) {
      if (!found && visibleNow.has(item)) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
      found = found || visibleNow.has(item);
    }
  }, { rootMargin: '-80px 0px -50% 0px' });
  for (const item of links.keys()) observer.observe(item);
}

// --- Start ---

function showReport(report) {
  const zone = parseTime(report.from);
  pageZone = zone ? zone.zone : 'UTC';
  fillHead(report);
  const panels = report.panels || [];
  const isOwn = (panel) => panel.name.startsWith('own ');
  const main = panels.find((panel) => isTimeChart(panel) && !isOwn(panel)) ||
    panels.find(isTimeChart) || panels.find((panel) => panel.shape === 'time');
  const figures = make('dl', { class: 'figures' }, ...(report.figures || []).map(figure));
  const sections = new Map(panels.map((panel, index) =>
    [panel, section(panel, index, panel === main)]));
  const rest = withoutHoles(panels.filter((panel) => panel !== main)
    .map((panel) => sections.get(panel)));
  const ordered = main ? [sections.get(main)].concat(rest) : rest;
  byId('main').replaceChildren(figures, ...ordered.slice(0, main ? 1 : 0),
    make('div', { class: 'grid' }, ...rest));
  fillNav(ordered);
  fillFoot(report);
  fitters.forEach((fit) => fit());
}

showReport(JSON.parse(byId('data').textContent, reviveText));
