// PanelTable: the rows of a panel with sorting, search, and more rows on request.

const LONG_TEXT = 240;
const isText = (column) => !isNumeric(column) && column.kind !== 'bins';
const collator = new Intl.Collator('en', { numeric: true });

function compareCells(a, b, column) {
  if (isNumeric(column) && isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (column.kind === 'time') {
    const [first, second] = [parseTime(a), parseTime(b)];
    if (first && second && first.local !== second.local) return first.local - second.local;
  }
  return collator.compare(String(a), String(b));
}

// Cuts long text, with a button that shows all of it.
function longText(cell, text) {
  const letters = Array.from(text);
  const short = letters.slice(0, LONG_TEXT - 40).join('') + '…';
  const part = document.createTextNode(short);
  const less = 'Show all ' + groupDigits(letters.length) + ' characters';
  const button = make('button', { type: 'button', class: 'quiet', 'aria-expanded': 'false' }, less);
  button.addEventListener('click', () => {
    const open = button.getAttribute('aria-expanded') === 'true';
    button.setAttribute('aria-expanded', String(!open));
    part.data = open ? short : text;
    button.textContent = open ? less : 'Show less';
  });
  cell.append(part, ' ', button);
}

// Paths and addresses break after a separator, if at all possible.
function breakable(text) {
  if (text.length < 20) return [text];
  const parts = text.match(/[^/?&;,]*[/?&;,]+|[^/?&;,]+/g);
  return parts.reduce((nodes, part) => nodes.concat(nodes.length ? make('wbr') : [], part), []);
}

// True for text in a column of numbers or times, which may be of any length.
function misfits(value, column) {
  if (column.kind === 'time') return !parseTime(value);
  return isNumeric(column) && !isNumber(value);
}

function fillCell(cell, value, column, missing) {
  const bare = value === null || value === undefined || value === '';
  const text = value === null ? missing : valueText(value, column.kind);
  const exact = bare ? null : exactText(value, column.kind);
  if (!bare && misfits(value, column)) cell.classList.add('lengthy');
  if (exact && exact.replace(/\s/g, ' ') !== text) cell.setAttribute('title', exact);
  if (text.length > 13) cell.classList.add('roomy');
  if (bare) cell.append(make('span', { class: 'bare' }, text));
  else if (text.length > LONG_TEXT) longText(cell, text);
  else if (isNumeric(column) && isNumber(value)) cell.append(text);
  else cell.append(make('bdi', {}, ...breakable(text)));
}

// Gives status classes and levels the colors that they have in charts.
function markKnown(cell, name) {
  const key = String(name).toLowerCase();
  if (KNOWN_NAMES.includes(key)) {
    cell.prepend(make('span', { class: 'swatch ' + KNOWN_COLORS[key] }));
  }
}

class PanelTable {
  constructor(panel, first) {
    Object.assign(this, { panel, query: '' }, withHistograms(panel));
    this.limits = [first, 50, 150, 300].filter((limit) => limit >= first);
    this.limit = first;
    this.firstNumber = panel.columns.findIndex((column, index) =>
      index >= panel.keys && isNumeric(column));
    this.sorted = panel.shape === 'table' && this.firstNumber >= 0
      ? { index: this.firstNumber, down: true } : null;
    this.given = this.sorted;
    this.body = make('tbody', {});
    this.count = make('span', { class: 'count' });
    this.more = make('button', { type: 'button', click: () => this.grow(1) }, 'Show more');
    this.fewer = make('button', { type: 'button', click: () => this.grow(-1) }, 'Show fewer');
    this.foot = make('div', { class: 'under' }, this.count, this.more, this.fewer);
    this.element = make('div', { class: 'rows' });
    this.element.append(this.makeTable(), this.foot);
    this.update();
    fitTo(this.element, () => this.element.clientWidth !== this.width && this.fit());
  }

  makeTable() {
    this.form = this.narrowForm();
    this.heads = this.columns.map((column, index) => this.head(column, index));
    this.table = make('table', {
      class: 'data ' + (this.form || 'cards'), role: 'table',
      'aria-label': visible(this.panel.title),
    }, make('thead', { role: 'rowgroup' }, make('tr', { role: 'row' }, ...this.heads)), this.body);
    this.body.setAttribute('role', 'rowgroup');
    this.table.style.setProperty('--values', Math.min(this.columns.length - this.panel.keys, 4));
    return this.table;
  }

  // Narrow tables put keys above the numbers, or show each record as a card.
  narrowForm() {
    const values = this.columns.slice(this.panel.keys);
    const numbers = values.every(isNumeric);
    if (this.columns.length < (numbers ? 4 : 3)) return '';
    return numbers && values.length <= 4 ? 'stack' : 'cards';
  }

  // Takes the narrow form if the panel is small or the rows do not fit.
  fit() {
    this.width = this.element.clientWidth;
    this.table.classList.remove('narrow');
    const small = this.form && this.width <= 480;
    if (small || this.table.scrollWidth > this.width) this.table.classList.add('narrow');
  }

  head(column, index) {
    const name = visible(column.name);
    if (column.kind === 'bins') {
      return make('th', { scope: 'col', role: 'columnheader', class: 'plain' },
        make('span', {}, name));
    }
    const button = make('button', { type: 'button', click: () => this.sortBy(index) },
      make('span', {}, name));
    const lengthy = name.length > 24 ? ' lengthy' : '';
    return make('th', { scope: 'col', role: 'columnheader',
      class: this.sideOf(index) + lengthy }, button);
  }

  sideOf(index) {
    if (isNumeric(this.columns[index])) return index < this.panel.keys ? 'key number' : 'number';
    return (index < this.panel.keys ? 'key' : 'text') +
      (this.columns[index].kind === 'time' ? ' time' : '');
  }

  // --- Sorting and searching ---

  // Numbers begin with the largest, text with the first; the third click restores the order.
  sortBy(index) {
    const down = isNumeric(this.columns[index]) || this.columns[index].kind === 'time';
    const again = this.sorted && this.sorted.index === index;
    if (!again) this.sorted = { index, down };
    else if (this.sorted.down === down) this.sorted = { index, down: !down };
    else this.sorted = this.given;
    this.update();
  }

  selected() {
    const query = this.query.toLowerCase();
    const texts = this.columns.map((column, index) => index)
      .filter((index) => index < this.panel.keys || isText(this.columns[index]));
    const found = !query ? this.rows.slice() : this.rows.filter((row) => texts.some((index) =>
      this.searchable(row[index], this.columns[index]).includes(query)));
    return this.sorted && this.sorted !== this.given ? found.sort(this.order()) : found;
  }

  searchable(value, column) {
    const shown = valueText(value, column.kind);
    return (typeof value === 'string' ? value + '\n' + shown : shown).toLowerCase();
  }

  order() {
    const { index, down } = this.sorted;
    return (a, b) => {
      if (a[index] === null || b[index] === null) {
        return Number(a[index] === null) - Number(b[index] === null);
      }
      const numeric = isNumeric(this.columns[index]);
      if (numeric && isNumber(a[index]) !== isNumber(b[index])) return isNumber(a[index]) ? -1 : 1;
      const result = compareCells(a[index], b[index], this.columns[index]);
      return down ? -result : result;
    };
  }

  search(text) {
    this.query = text;
    this.update();
    announce(plural(this.matching.length, 'row'));
  }

  // --- Rows ---

  grow(direction) {
    const next = this.limits.indexOf(this.limit) + direction;
    this.limit = this.limits[next] || (direction > 0 ? this.limit + 300 : this.limits[0]);
    if (direction < 0) this.limit = this.limits[0];
    this.update();
    if (this.more.hidden && !this.fewer.hidden && direction > 0) this.fewer.focus();
    if (direction < 0) this.more.focus();
  }

  // Bars show the column by which the rows are sorted, or the first number.
  barIndex() {
    const sorted = this.sorted && isNumeric(this.columns[this.sorted.index]);
    const index = sorted && this.sorted.index >= this.panel.keys
      ? this.sorted.index : this.firstNumber;
    return this.panel.shape === 'profile' || isTimeChart(this.panel) ? -1 : index;
  }

  update() {
    this.matching = this.selected();
    const bar = this.barIndex();
    const largest = bar < 0 ? 0 : largestOf(this.rows.map((row) => Number(row[bar]) || 0));
    const shown = this.matching.slice(0, this.limit);
    this.body.replaceChildren(...shown.map((row) =>
      this.row(row, bar, largest > 0 ? Number(row[bar]) / largest : 0)));
    this.heads.forEach((head, index) => {
      const by = this.sorted && this.sorted.index === index;
      if (this.columns[index].kind === 'bins') return;
      head.setAttribute('aria-sort', by ? (this.sorted.down ? 'descending' : 'ascending') : 'none');
      head.classList.toggle('barred', index === bar);
    });
    this.describe(shown.length);
    if (this.element.isConnected) this.fit();
  }

  row(row, bar, share) {
    return make('tr', { role: 'row' }, ...this.columns.map((column, index) => {
      const key = index < this.panel.keys;
      const cell = make(key ? 'th' : 'td', {
        scope: key ? 'row' : null, role: key ? 'rowheader' : 'cell', class: this.sideOf(index),
        'data-name': key ? null : visible(column.name),
      });
      if (index === 0 && share > 0) {
        cell.classList.add('bar');
        cell.style.setProperty('--share', share * 100 + '%');
      }
      if (column.kind === 'bins') fillBins(cell, row[index], row);
      else fillCell(cell, row[index], column, this.panel.shape === 'profile' ? '–' : 'missing');
      if (index === 0 && this.panel.shape === 'bars') markKnown(cell, row[index]);
      return cell;
    }));
  }

  describe(shown) {
    const total = this.matching.length;
    const groups = this.panel.groups > this.rows.length
      ? ' · top ' + groupDigits(this.rows.length) + ' of ' + groupDigits(this.panel.groups) : '';
    const found = this.query ? plural(total, 'row') + ' found' : plural(total, 'row');
    this.count.textContent = (shown < total ? groupDigits(shown) + ' of ' : '') + found + groups;
    this.more.hidden = shown >= total;
    this.fewer.hidden = this.limit === this.limits[0] || total <= this.limits[0];
    this.foot.hidden = this.more.hidden && this.fewer.hidden && !this.query && !groups;
  }
}

// --- Copying ---

function copyByCommand(text) {
  const field = make('textarea', { class: 'hidden-text', 'aria-hidden': 'true' });
  const before = document.activeElement;
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before) before.focus();
  return done;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    return copyByCommand(text);
  }
}

function copyButton(panel, rowsOf) {
  const name = 'Copy CSV';
  const label = name + ': ' + visible(panel.title);
  const button = make('button', { type: 'button', class: 'copy', 'aria-label': label }, name);
  button.addEventListener('click', async () => {
    const rows = rowsOf();
    const done = await copyText(csvText(panel.columns, rows));
    const said = done ? 'Copied ' + plural(rows.length, 'row') : 'The browser refused to copy';
    button.textContent = said;
    announce(said);
    setTimeout(() => { button.textContent = name; }, 2000);
  });
  return button;
}
