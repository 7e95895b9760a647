// Charts over time with the range that they share, and columns of bars.

// The range that all charts over time show. Null means the whole period.
const range = { from: null, to: null, charts: [], listeners: [] };

function setRange(from, to) {
  range.from = from;
  range.to = to;
  range.charts.forEach((chart) => chart.draw());
  range.listeners.forEach((listener) => listener());
}

// --- Colors of series ---

const KNOWN_COLORS = {
  '1xx': 'c-dim', '2xx': 'c-good', '3xx': 'c-calm', '4xx': 'c-warn', '5xx': 'c-bad',
  trace: 'c-faint', debug: 'c-dim', info: 'c-good', notice: 'c-calm', warn: 'c-warn',
  warning: 'c-warn', error: 'c-bad', critical: 'c-worse', alert: 'c-worse', fatal: 'c-worse',
};
const KNOWN_NAMES = Object.keys(KNOWN_COLORS);
const MOST_SERIES = 8;

function seriesNames(rows, index) {
  const totals = new Map();
  for (const row of rows) {
    totals.set(row[1], (totals.get(row[1]) || 0) + Math.max(0, Number(row[index]) || 0));
  }
  const names = [...totals.keys()].sort((a, b) => totals.get(b) - totals.get(a));
  const rank = (name) => KNOWN_NAMES.indexOf(String(name).toLowerCase());
  if (!names.every((name) => rank(name) >= 0)) return names;
  return names.sort((a, b) => rank(a) - rank(b));
}

function seriesColor(name, index) {
  const key = String(name).toLowerCase();
  return KNOWN_NAMES.includes(key) ? KNOWN_COLORS[key] : 'c' + index % MOST_SERIES;
}

function choice(label, names, chosen, onChange) {
  const buttons = names.map((name, index) => make('button', {
    type: 'button', 'aria-pressed': String(index === chosen),
    click: () => {
      buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i === index)));
      onChange(index);
    },
  }, visible(name)));
  return make('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons);
}

// --- Charts over time ---

class TimeChart extends Plot {
  constructor(panel, main) {
    super(main ? 216 : 168, visible(panel.title) + ', chart. Arrow keys read it; ' +
      'Shift and arrow keys select a range, Enter zooms to it, Escape shows the whole period.');
    this.panel = panel;
    this.series = readSeries(panel);
    this.stacked = panel.keys > 1;
    this.hidden = new Set();
    this.choices = panel.columns.map((column, index) => index)
      .filter((index) => index >= panel.keys && isNumeric(panel.columns[index]));
    this.caption = make('p', { class: 'caption' });
    this.legend = make('div', { class: 'legend', role: 'group', 'aria-label': 'Series' });
    this.select(0);
    this.area.classList.add('brushable');
    this.listen();
    range.charts.push(this);
  }

  select(choice) {
    this.index = this.choices[choice];
    const column = this.panel.columns[this.index];
    this.kind = column.kind;
    this.additive = isAdditive(column);
    this.names = this.stacked ? seriesNames(this.series.rows, this.index) : [column.name];
    this.shown = new Map(this.names.map((name, i) => [name, this.styleOf(name, i)]));
    if (this.stacked) this.drawLegend();
    if (this.width) this.draw();
  }

  styleOf(name, index) {
    if (!this.stacked) return { id: 0, name: cut(visible(name), 60), color: 'c0' };
    const others = index >= MOST_SERIES - 1 && this.names.length > MOST_SERIES && this.additive;
    if (others) return { id: 'others', name: 'others', color: 'c-dim' };
    return { id: index, name: cut(valueText(name, 'text'), 60),
      color: seriesColor(name, index) };
  }

  drawLegend() {
    const styles = new Map([...this.shown.values()].map((style) => [style.id, style]));
    this.legend.replaceChildren(...[...styles.values()].map((style) => {
      const button = make('button', { type: 'button', 'aria-pressed': 'true' },
        make('span', { class: 'swatch ' + style.color }), style.name);
      button.addEventListener('click', () => this.toggle(style.id, button));
      return button;
    }));
  }

  toggle(id, button) {
    if (!this.hidden.delete(id)) this.hidden.add(id);
    button.setAttribute('aria-pressed', String(!this.hidden.has(id)));
    this.draw();
  }

  span() {
    const { from, to, base } = this.series;
    if (range.from === null) return [from, to];
    return [floorTo(range.from, base), ceilTo(range.to, base)];
  }

  fillBuckets() {
    [this.from, this.to] = this.span();
    this.step = chooseStep(this.to - this.from, this.series.base, this.inner);
    const only = this.names[0];
    const found = aggregate(this.series, this.from, this.to, this.step, this.index, this.additive,
      this.stacked ? (row) => row[1] : () => only);
    this.buckets = found.map((bucket) => ({
      from: bucket.from, to: bucket.to, label: bucketText(bucket.from, bucket.to, this.step),
      partial: bucket.to - bucket.from < this.step, parts: this.parts(bucket.values),
    }));
    this.describe();
  }

  parts(values) {
    const parts = new Map();
    for (const [name, style] of this.shown) {
      if (this.hidden.has(style.id)) continue;
      const old = parts.get(style.id);
      const value = values.has(name) ? values.get(name) : 0;
      if (old) old.value = add(old.value, value);
      else parts.set(style.id, Object.assign({ value }, style));
    }
    return [...parts.values()];
  }

  describe() {
    const unit = stepName(this.series.base);
    const name = visible(this.panel.columns[this.index].name);
    const per = this.step === this.series.base ? ' per ' + unit
      : this.additive ? ' per ' + stepName(this.step)
        : ', highest ' + unit + ' in each ' + stepName(this.step);
    this.caption.textContent = name + per + ', ' + rangeText(this.from, this.to);
  }

  x(local) { return AXIS + (local - this.from) / (this.to - this.from) * this.inner; }

  bounds(index) {
    return [this.x(this.buckets[index].from), this.x(this.buckets[index].to)];
  }

  axisTicks() {
    const ticks = timeTicks(this.from, this.to, Math.max(2, Math.floor(this.inner / 64)),
      this.series.base);
    return ticks.map((tick) => ({ x: Math.max(this.x(tick.local), AXIS), label: tick.label }));
  }

  // --- Brushing ---

  listen() {
    this.area.addEventListener('pointerdown', (event) => this.begin(event));
    this.area.addEventListener('pointerup', () => this.finish());
    this.area.addEventListener('pointercancel', () => this.cancel());
    this.area.addEventListener('dblclick', () => setRange(null, null));
  }

  begin(event) {
    if (event.button || this.localX(event) < AXIS) return;
    this.area.setPointerCapture(event.pointerId);
    this.anchor = this.indexAt(this.localX(event));
    this.pressed = this.localX(event);
  }

  onMove(event) {
    super.onMove(event);
    if (this.pressed === undefined) return;
    if (Math.abs(this.localX(event) - this.pressed) > 4) this.mark(this.anchor, this.current);
  }

  mark(anchor, end) {
    if (anchor < 0 || end < 0) return;
    this.marked = [Math.min(anchor, end), Math.max(anchor, end)];
    const left = this.bounds(this.marked[0])[0];
    this.brush = this.brush || draw('rect', { class: 'brush', y: TOP });
    this.brush.setAttribute('height', this.base() - TOP);
    this.brush.setAttribute('x', left);
    this.brush.setAttribute('width', this.bounds(this.marked[1])[1] - left);
    this.svg.append(this.brush);
  }

  finish() {
    const marked = this.marked;
    this.cancel();
    if (marked) setRange(this.buckets[marked[0]].from, this.buckets[marked[1]].to);
  }

  cancel() {
    this.pressed = this.anchor = this.marked = undefined;
    if (this.brush) this.brush.remove();
  }

  onKey(event) {
    const before = this.current;
    if (event.key === 'Enter' && this.marked) this.finish();
    else if (event.key === 'Escape') {
      if (this.marked) this.cancel();
      else setRange(null, null);
    } else super.onKey(event);
    if (!event.key.startsWith('Arrow')) return;
    if (!event.shiftKey) this.cancel();
    else {
      if (this.anchor === undefined) this.anchor = before < 0 ? this.current : before;
      this.mark(this.anchor, this.current);
    }
  }
}

// --- Columns in the given order: hours of the day, bins of a histogram ---

class ColumnChart extends Plot {
  constructor(panel) {
    super(168, visible(panel.title) + ', chart. Arrow keys read it.');
    this.panel = panel;
    this.widest = 56;
    this.choices = panel.columns.map((column, index) => index)
      .filter((index) => index >= panel.keys && isNumeric(panel.columns[index]));
    this.select(0);
  }

  select(choice) {
    this.index = this.choices[choice];
    this.kind = this.panel.columns[this.index].kind;
    const name = cut(visible(this.panel.columns[this.index].name), 60);
    this.buckets = this.panel.rows.map((row) => ({
      label: row.slice(0, this.panel.keys).map((key, i) =>
        cut(valueText(key, this.panel.columns[i].kind), 60)).join(', '),
      parts: [{ name, color: 'c0', value: isNumber(row[this.index]) ? row[this.index] : 0 }],
    }));
    if (this.width) this.draw();
  }

  axisTicks() {
    const labels = this.buckets.map((bucket) => cut(bucket.label, 14));
    const longest = Math.max(...labels.map((label) => label.length));
    const most = Math.max(1, Math.floor(this.inner / (longest * 7 + 10)));
    const every = Math.ceil(this.buckets.length / most);
    return labels.map((label, index) => {
      const [left, right] = this.bounds(index);
      return { x: Math.max((left + right) / 2, longest * 3.5), label: [label] };
    }).filter((tick, index) => index % every === 0);
  }
}
