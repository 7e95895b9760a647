// Elements and the text of values. Text from the log only ever becomes text nodes.

const make = (tag, attributes, ...children) =>
  dress(document.createElement(tag), attributes, children);

const draw = (tag, attributes, ...children) =>
  dress(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Functions that fit a chart or a table to its width, for the first time before it is painted.
const fitters = [];

function fitTo(element, fit) {
  fitters.push(fit);
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(element);
}

function announce(text) {
  document.getElementById('live').textContent = text;
}

// --- Numbers ---

const NUMERIC = new Set(['number', 'bytes', 'seconds', 'percent']);
const isNumeric = (column) => NUMERIC.has(column.kind);
const isNumber = (value) => typeof value === 'number' ||
  (typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value));
const isInteger = (value) => /^-?\d+$/.test(String(value));

function groupDigits(value) {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(String(value));
  if (!match) return visible(String(value));
  return match[1] + match[2].replace(/\B(?=(\d{3})+$)/g, ',') + (match[3] || '');
}

// Numbers beyond 2^53 are strings in the document, so sums of them need BigInt.
function add(a, b) {
  const sum = Number(a) + Number(b);
  if (Number.isSafeInteger(sum) || !isInteger(a) || !isInteger(b)) return sum;
  return String(BigInt(a) + BigInt(b));
}

function compareNumbers(a, b) {
  if ((typeof a === 'string' || typeof b === 'string') && isInteger(a) && isInteger(b)) {
    return BigInt(a) < BigInt(b) ? -1 : Number(BigInt(a) > BigInt(b));
  }
  return Number(a) - Number(b);
}

const largestOf = (numbers) => numbers.reduce((a, b) => Math.max(a, b), 0);

const significant = (number) => String(Number(number.toPrecision(3)));

function scaled(value, units, base) {
  let number = Math.abs(Number(value));
  let unit = 0;
  while (unit + 1 < units.length && Number(number.toPrecision(3)) >= base) {
    number /= base;
    unit++;
  }
  const sign = Number(value) < 0 ? '-' : '';
  const text = unit ? significant(number) : groupDigits(Number(number.toFixed(2)));
  return [sign + text, units[unit]];
}

const BYTES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

function bytesText(value) {
  const [text, unit] = scaled(value, BYTES, 1000);
  const missing = 3 - text.replace(/\D/g, '').length;
  if (unit === 'B' || missing <= 0) return text + '\u00a0' + unit;
  return text + (text.includes('.') ? '' : '.') + '0'.repeat(missing) + '\u00a0' + unit;
}

function secondsText(value) {
  const number = Number(value);
  const size = Math.abs(number);
  if (size === 0) return '0\u00a0s';
  if (size < 0.0009995) return significant(number * 1e6) + '\u00a0µs';
  if (size < 0.9995) return significant(number * 1e3) + '\u00a0ms';
  if (size < 60) return significant(number) + '\u00a0s';
  return (number < 0 ? '-' : '') + longDuration(Math.round(size));
}

function longDuration(seconds) {
  const parts = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
  const first = parts.findIndex((part) => seconds >= part[1]);
  const [unit, size] = parts[first];
  const text = groupDigits(Math.floor(seconds / size)) + '\u00a0' + unit;
  const rest = seconds % size;
  if (first === 3 || rest < parts[first + 1][1]) return text;
  return text + ' ' + Math.floor(rest / parts[first + 1][1]) + '\u00a0' + parts[first + 1][0];
}

function percentText(value) {
  return isInteger(value) ? groupDigits(value) + '%' : Number(Number(value).toFixed(2)) + '%';
}

// Short numbers, for axes.
function shortText(value, kind) {
  if (kind === 'bytes') return scaled(value, BYTES, 1000).join('\u00a0');
  if (kind === 'seconds') return secondsText(value);
  if (kind === 'percent') return percentText(value);
  return scaled(value, ['', 'k', 'M', 'G', 'T', 'P', 'E'], 1000).join('');
}

// --- Text ---

// Text that is not UTF-8 is {"bytes": BASE64} in the document.
function reviveText(name, value) {
  if (value === null || typeof value !== 'object' || typeof value.bytes !== 'string') return value;
  return Array.from(atob(value.bytes), (letter) =>
    letter < '\x80' ? letter : '\\x' + letter.charCodeAt(0).toString(16)).join('');
}

// Characters that would be invisible, or would reorder their neighbours, are spelled out.
const HIDDEN = new RegExp('[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e' +
  '\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff' +
  '\\u{e0000}-\\u{e0fff}]', 'gu');

const CONTROLS = { 0: 'NUL', 8: 'BS', 9: 'TAB', 10: 'LF', 13: 'CR', 27: 'ESC', 127: 'DEL' };

function visible(text) {
  if (/^ +$/.test(text)) return '\u2423'.repeat(text.length);
  return text.replace(HIDDEN, (found) => {
    const code = found.codePointAt(0);
    const name = CONTROLS[code] || 'U+' + code.toString(16).toUpperCase().padStart(4, '0');
    return '\u2039' + name + '\u203a';
  });
}

// Cuts names on charts and in lists; the tables have all of them.
function cut(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : text;
}

function valueText(value, kind) {
  if (value === null || value === undefined) return 'missing';
  if (value === '') return 'empty';
  if (kind === 'time') return timeText(value);
  if (!NUMERIC.has(kind) || !isNumber(value)) return visible(String(value));
  if (kind === 'bytes') return bytesText(value);
  if (kind === 'seconds') return secondsText(value);
  return kind === 'percent' ? percentText(value) : groupDigits(value);
}

// The name after a value, unless the value says it: 3 kB, 12 requests.
const unitOf = (name, kind) => (kind === 'bytes' && name === 'bytes' ? '' : ' ' + name);

// The exact value, where the text of the cell is rounded.
function exactText(value, kind) {
  if (!isNumber(value)) return null;
  if (kind === 'bytes') return groupDigits(value) + ' bytes';
  if (kind === 'seconds') return groupDigits(value) + ' s';
  return kind === 'percent' ? groupDigits(value) + '%' : null;
}

const plural = (count, noun) =>
  groupDigits(count) + ' ' + noun + (Number(count) === 1 ? '' : 's');

// --- CSV ---

// A missing value is an empty field, an empty text is "". Histograms are no text and left out.
function csvField(value) {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

function csvText(columns, rows) {
  const lines = [columns.map((column) => column.name)]
    .concat(rows.map((row) => row.slice(0, columns.length)));
  return lines.map((line) => line.map(csvField).join(',') + '\r\n').join('');
}
