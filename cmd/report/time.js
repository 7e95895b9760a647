// Times. Times are shown as they are written: positions on a chart are local times of the
// document, counted in milliseconds as if they were UTC, and no browser zone is ever used.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONDAY = 4 * DAY; // 1970-01-05, where weeks are aligned
const MONTHS = ('January February March April May June July August September October ' +
  'November December').split(' ');
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const STEPS = [SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 10 * MINUTE,
  15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 28 * DAY,
  364 * DAY, 3640 * DAY, 36400 * DAY];
const TIME = new RegExp('^(\\d{4})-(\\d\\d)-(\\d\\d)(?:[T ](\\d\\d):(\\d\\d)' +
  '(?::(\\d\\d)(\\.\\d+)?)?)?(Z|[+-]\\d\\d:?\\d\\d)?$');

// Returns {local, clock, fraction, zone}, or null if the text is not a time.
function parseTime(text) {
  const match = TIME.exec(String(text));
  if (!match) return null;
  const numbers = match.slice(1, 7).map((part) => Number(part || 0));
  const [year, month, day, hour, minute, second] = numbers;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return {
    local: date.getTime(), clock: match[4] !== undefined, fraction: match[7] || '',
    zone: match[8] === 'Z' ? 'UTC' : match[8] || '',
  };
}

const isoDate = (local) => new Date(local).toISOString().slice(0, 10);
const monthOf = (local) => isoDate(local).slice(0, 7);

function clockText(local) {
  const text = new Date(local).toISOString().slice(11, 19);
  return text.endsWith(':00') ? text.slice(0, 5) : text;
}

function dateText(local, withYear = true) {
  const date = new Date(local);
  const text = date.getUTCDate() + '\u00a0' + MONTHS[date.getUTCMonth()].slice(0, 3);
  return withYear ? text + '\u00a0' + date.getUTCFullYear() : text;
}

const momentText = (local) => dateText(local) + ', ' + clockText(local);

// Cells leave out the zone that the head of the page names.
let pageZone = '';

function timeText(value, zone = pageZone) {
  const time = parseTime(value);
  if (!time) return visible(String(value));
  if (!time.clock) return isoDate(time.local);
  const text = isoDate(time.local) + ' ' + clockText(time.local) + time.fraction;
  return time.zone && time.zone !== zone ? text + ' ' + time.zone : text;
}

// --- Ranges and steps ---

const floorTo = (local, step) => Math.floor((local - MONDAY) / step) * step + MONDAY;
const ceilTo = (local, step) => Math.ceil((local - MONDAY) / step) * step + MONDAY;

function stepName(step) {
  const units = [[7 * DAY, 'week'], [DAY, 'day'], [HOUR, 'hour'], [MINUTE, 'minute'],
    [SECOND, 'second']];
  const [size, name] = units.find((unit) => step % unit[0] === 0) || units[4];
  const count = step / size;
  return count === 1 ? name : count + ' ' + name + 's';
}

function rangeText(from, to) {
  const last = to - SECOND;
  if (from % DAY === 0 && to % DAY === 0) {
    return to - from === DAY ? dateText(from) : dateText(from) + ' – ' + dateText(to - DAY);
  }
  const end = isoDate(from) === isoDate(last) ? clockText(to) : momentText(to);
  return momentText(from) + ' – ' + (end === '00:00' ? '24:00' : end);
}

// The text of one bucket of a chart.
function bucketText(from, to, step) {
  const day = WEEKDAYS[(new Date(from).getUTCDay() + 6) % 7].slice(0, 3) + ' ';
  return step >= 7 * DAY ? rangeText(from, to) : day + rangeText(from, to);
}

// --- Ticks ---

function monthTicks(from, to, months) {
  const ticks = [];
  const date = new Date(from);
  let index = date.getUTCFullYear() * 12 + date.getUTCMonth();
  index = Math.floor(index / months) * months;
  for (; ; index += months) {
    const local = new Date(0).setUTCFullYear(Math.floor(index / 12), index % 12, 1);
    if (local >= to) return ticks;
    if (local >= from) ticks.push({ local, label: monthLabel(index, months, !ticks.length) });
  }
}

function monthLabel(index, months, first) {
  const year = String(Math.floor(index / 12));
  if (months >= 12 || index % 12 === 0) return [year];
  const month = MONTHS[index % 12].slice(0, 3);
  return [first ? month + ' ' + year : month];
}

function stepTicks(from, to, step) {
  const ticks = [];
  for (let local = ceilTo(from, step); local < to; local += step) {
    const midnight = local % DAY === 0;
    if (step >= DAY) ticks.push({ local, label: [dateText(local, false)] });
    else if (midnight || !ticks.length) {
      ticks.push({ local, label: [clockText(local), dateText(local, false)] });
    } else ticks.push({ local, label: [clockText(local)] });
  }
  return ticks;
}

function timeTicks(from, to, most, base) {
  const span = to - from;
  const steps = [SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE,
    HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY];
  const step = steps.find((size) => span / size <= most && size >= base);
  if (step) return stepTicks(from, to, step);
  const counts = [1, 2, 3, 6, 12, 24, 60, 120, 600, 1200, 12000];
  return monthTicks(from, to, counts.find((size) => span / (size * 30.4 * DAY) <= most) || 12000);
}

// --- Series ---

const BY_NAME = new RegExp('^(requests?|hits?|pages?|assets?|records?|lines?|count|events?|' +
  'errors?|messages?|bandwidth|bytes)$', 'i');

// A distinct count or a quantile of two hours is not the sum of those of each hour.
function isAdditive(column) {
  if (typeof column.sum === 'boolean') return column.sum;
  return (column.kind === 'number' || column.kind === 'bytes') && BY_NAME.test(column.name);
}

function commonStep(times) {
  let step = 0;
  for (let i = 1; i < times.length; i++) {
    let a = times[i] - times[i - 1];
    let b = step;
    while (a) [a, b] = [b % a, a];
    step = b;
  }
  return step;
}

function baseStep(panel, times) {
  if (panel.step > 0) return panel.step * SECOND;
  if (panel.name === 'hours') return HOUR;
  if (panel.name === 'days') return DAY;
  const common = commonStep(times);
  if (common) return STEPS.filter((step) => common % step === 0).pop() || common;
  return times.length && panel.rows.every((row) => /^\d{4}-\d\d-\d\d$/.test(row[0])) ? DAY : HOUR;
}

// The rows of a time panel that have a time, in the order of local time.
function readSeries(panel) {
  const dated = [];
  for (const row of panel.rows) {
    const time = parseTime(row[0]);
    if (time) dated.push({ local: time.local, row });
  }
  dated.sort((a, b) => a.local - b.local);
  const times = dated.map((item) => item.local);
  const base = baseStep(panel, times);
  return {
    times, base, rows: dated.map((item) => item.row), undated: panel.rows.length - dated.length,
    from: times.length ? floorTo(times[0], base) : 0,
    to: times.length ? floorTo(times[times.length - 1], base) + base : 0,
  };
}

function chooseStep(span, base, width) {
  const most = Math.max(12, Math.floor(width / 2.6));
  if (span / base <= most) return base;
  const fitting = STEPS.filter((step) => step > base && step % base === 0);
  return fitting.find((step) => span / step <= most) || fitting[fitting.length - 1] || base;
}

function firstAt(times, local) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < local) low = middle + 1;
    else high = middle;
  }
  return low;
}

function emptyBuckets(from, to, step) {
  const first = floorTo(from, step);
  const count = Math.max(1, Math.ceil((to - first) / step));
  return Array.from({ length: count }, (unused, index) => ({
    from: Math.max(from, first + index * step), to: Math.min(to, first + (index + 1) * step),
    values: new Map(),
  }));
}

// Adds the values of a column within each bucket, or takes the largest if it cannot be added.
function aggregate(series, from, to, step, index, additive, nameOf) {
  const buckets = emptyBuckets(from, to, step);
  const first = floorTo(from, step);
  for (let i = firstAt(series.times, from); i < series.times.length; i++) {
    if (series.times[i] >= to) break;
    const value = series.rows[i][index];
    if (!isNumber(value)) continue;
    const values = buckets[Math.floor((series.times[i] - first) / step)].values;
    const name = nameOf(series.rows[i]);
    const old = values.has(name) ? values.get(name) : null;
    if (old === null) values.set(name, value);
    else if (additive) values.set(name, add(old, value));
    else if (compareNumbers(value, old) > 0) values.set(name, value);
  }
  return buckets;
}
