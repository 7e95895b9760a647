// Plot: columns over buckets, with axes, a cursor, and a tip that the mouse and the arrow
// keys move. Charts derive from it and provide buckets {label, parts: [{name, color, value}]}.

const AXIS = 46;
const TOP = 10;
const RIGHT = 10;

// Round numbers from 0 to just above the largest value, in three to five steps if there are any.
function valueTicks(largest, whole) {
  if (!(largest > 0)) return [0, 1];
  const power = Math.pow(10, Math.floor(Math.log10(largest)) - 1);
  const steps = [1, 2, 2.5, 5, 10, 20, 25, 50].map((factor) => factor * power)
    .filter((step) => !whole || Number.isInteger(step))
    .map((step) => ({ step, count: Math.ceil(largest / step - 1e-9) }))
    .filter((item) => item.count <= 5);
  const good = steps.filter((item) => item.count > 2);
  const best = (good.length ? good : steps)
    .reduce((a, b) => (b.step * b.count <= a.step * a.count ? b : a));
  return Array.from({ length: best.count + 1 }, (unused, index) => index * best.step);
}

class Plot {
  constructor(height, label) {
    this.height = height;
    this.foot = 24;
    this.widest = Infinity;
    this.current = -1;
    this.buckets = [];
    this.svg = draw('svg', { 'aria-hidden': 'true', focusable: 'false' });
    this.tip = make('div', { class: 'tip', hidden: '' });
    this.area = make('div', {
      class: 'plot', tabindex: '0', role: 'group', 'aria-label': label,
      keydown: (event) => this.onKey(event), blur: () => this.moveTo(-1),
      pointermove: (event) => this.onMove(event), pointerleave: () => this.moveTo(-1),
    }, this.svg, this.tip);
    this.area.style.height = height + 'px';
    fitTo(this.area, () => this.area.clientWidth !== this.width && this.draw());
  }

  // --- To be provided by charts ---

  fillBuckets() {}
  axisTicks() { return []; }
  bounds(index) {
    const size = this.inner / this.buckets.length;
    return [AXIS + index * size, AXIS + (index + 1) * size];
  }

  // --- Drawing ---

  draw() {
    this.width = this.area.clientWidth;
    this.inner = Math.max(1, this.width - AXIS - RIGHT);
    if (!this.width) return;
    this.current = -1;
    this.tip.hidden = true;
    this.fillBuckets();
    const ticks = this.axisTicks();
    this.foot = ticks.some((tick) => tick.label.length > 1) ? 38 : 24;
    this.scale();
    this.svg.setAttribute('width', this.width);
    this.svg.setAttribute('height', this.height);
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
    this.band = draw('rect', { class: 'band', y: TOP, height: this.base() - TOP, width: 0 });
    this.svg.replaceChildren(...this.grid(), this.band, ...this.columns(), ...this.axis(ticks));
  }

  base() { return this.height - this.foot; }

  scale() {
    const totals = this.buckets.map((bucket) =>
      bucket.parts.reduce((sum, part) => sum + Math.max(0, Number(part.value)), 0));
    this.ticks = valueTicks(Math.max(0, ...totals), this.kind === 'number' && this.whole());
    this.largest = this.ticks[this.ticks.length - 1];
  }

  whole() {
    return this.buckets.every((bucket) => bucket.parts.every((part) => isInteger(part.value)));
  }

  y(value) { return this.base() - value / this.largest * (this.base() - TOP); }

  grid() {
    return this.ticks.reduce((marks, tick) => {
      const y = Math.round(this.y(tick)) + 0.5;
      const line = draw('line', { class: tick ? 'grid' : 'zero', x1: AXIS, x2: this.width - RIGHT,
        y1: y, y2: y });
      const text = draw('text', { class: 'axis end', x: AXIS - 8, y: y + 3.5 },
        shortText(tick, this.kind));
      return marks.concat(line, text);
    }, []);
  }

  axis(ticks) {
    return ticks.filter((tick) => tick.x <= this.width - 16).map((tick) => {
      const y = this.base() + 17;
      const lines = tick.label.map((line, index) =>
        draw('tspan', { x: tick.x, y: y + index * 14 }, line));
      return draw('text', { class: 'axis middle' }, ...lines);
    });
  }

  // One path for each color, so that thousands of columns stay cheap.
  columns() {
    const paths = new Map();
    this.buckets.forEach((bucket, index) => {
      let bottom = 0;
      for (const part of bucket.parts) {
        const value = Math.max(0, Number(part.value));
        if (!value) continue;
        const shape = this.column(index, bottom, bottom + value);
        const color = part.color + (bucket.partial ? ' partial' : '');
        paths.set(color, (paths.get(color) || '') + shape);
        bottom += value;
      }
    });
    return [...paths].map(([color, d]) => draw('path', { class: 'fill ' + color, d }));
  }

  column(index, bottom, top) {
    let [left, right] = this.bounds(index);
    const gap = right - left > 5 ? 1.5 : right - left > 2.5 ? 0.75 : 0;
    const spare = Math.max(gap, right - left - this.widest) / 2;
    left += spare;
    right -= spare;
    const low = this.y(bottom);
    const high = Math.min(this.y(top), low - (bottom ? 0.5 : 1));
    const round = (number) => Math.round(number * 100) / 100;
    return `M${round(left)} ${round(low)}V${round(high)}H${round(right)}V${round(low)}Z`;
  }

  // --- The cursor ---

  indexAt(x) {
    for (let i = 0; i < this.buckets.length; i++) if (x < this.bounds(i)[1]) return i;
    return this.buckets.length - 1;
  }

  localX(event) { return event.clientX - this.area.getBoundingClientRect().left; }

  onMove(event) {
    const x = this.localX(event);
    this.moveTo(x < AXIS - 4 || !this.buckets.length ? -1 : this.indexAt(x));
  }

  moveTo(index) {
    if (index === this.current || !this.band) return;
    this.current = index;
    this.tip.hidden = index < 0;
    this.band.setAttribute('width', 0);
    if (index < 0) return;
    const [left, right] = this.bounds(index);
    this.band.setAttribute('x', left);
    this.band.setAttribute('width', Math.max(1, right - left));
    this.showTip(this.buckets[index], (left + right) / 2);
  }

  showTip(bucket, x) {
    const lines = bucket.parts.filter((part) => Number(part.value)).reverse().map((part) =>
      make('div', { class: 'line' }, make('span', { class: 'swatch ' + part.color }),
        make('b', {}, valueText(part.value, this.kind)), unitOf(part.name, this.kind)));
    if (!lines.length) lines.push(make('div', { class: 'line' }, make('b', {}, '0')));
    this.tip.replaceChildren(make('div', { class: 'when' }, bucket.label), ...lines);
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = Math.max(half, Math.min(this.width - half, x)) + 'px';
  }

  say() {
    const bucket = this.buckets[this.current];
    const parts = bucket.parts.filter((part) => Number(part.value)).map((part) =>
      valueText(part.value, this.kind) + unitOf(part.name, this.kind));
    announce(bucket.label + ': ' + (parts.join(', ') || '0'));
  }

  onKey(event) {
    const last = this.buckets.length - 1;
    const moves = {
      ArrowLeft: this.current < 0 ? last : Math.max(0, this.current - 1),
      ArrowRight: Math.min(last, this.current + 1), Home: 0, End: last,
    };
    if (!(event.key in moves) || last < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.moveTo(moves[event.key]);
    this.say();
  }
}
