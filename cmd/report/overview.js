// Overview: the strip under the main chart, with the whole period and a window on it.

class Overview {
  constructor(chart) {
    this.chart = chart;
    this.svg = draw('svg', { 'aria-hidden': 'true', preserveAspectRatio: 'none' });
    this.window = make('div', { class: 'window' });
    this.handles = ['from', 'to'].map((end) => this.handle(end));
    this.element = make('div', { class: 'overview', pointerdown: (event) => this.begin(event),
      pointermove: (event) => this.move(event), pointerup: () => this.finish() },
    this.svg, this.window, ...this.handles);
    range.listeners.push(() => this.place());
    this.draw();
  }

  handle(end) {
    return make('div', {
      class: 'handle', role: 'slider', tabindex: '0', 'data-end': end,
      'aria-label': end === 'from' ? 'Start of the time range' : 'End of the time range',
      keydown: (event) => this.onKey(event, end),
    });
  }

  draw() {
    const { series, index, additive } = this.chart;
    const step = chooseStep(series.to - series.from, series.base, 1200);
    const all = aggregate(series, series.from, series.to, step, index, additive, () => '');
    const values = all.map((bucket) => Number(bucket.values.get('')) || 0);
    const largest = Math.max(1e-9, ...values);
    const points = values.map((value, i) =>
      `L${i} ${40 - 36 * value / largest}L${i + 1} ${40 - 36 * value / largest}`);
    this.svg.setAttribute('viewBox', `0 0 ${values.length} 40`);
    this.svg.replaceChildren(draw('path', { class: 'fill c0', d: 'M0 40' + points.join('') +
      `L${values.length} 40Z` }));
    this.place();
  }

  limits() {
    const { from, to } = this.chart.series;
    return range.from === null ? [from, to]
      : [Math.max(from, Math.min(to, range.from)), Math.max(from, Math.min(to, range.to))];
  }

  place() {
    const { from, to, base } = this.chart.series;
    const share = (local) => (local - from) / (to - from) * 100;
    const ends = this.limits();
    this.window.style.left = share(ends[0]) + '%';
    this.window.style.right = 100 - share(ends[1]) + '%';
    this.handles.forEach((handle, i) => {
      handle.style.left = share(ends[i]) + '%';
      handle.setAttribute('aria-valuemin', 0);
      handle.setAttribute('aria-valuemax', Math.round((to - from) / base));
      handle.setAttribute('aria-valuenow', Math.round((ends[i] - from) / base));
      handle.setAttribute('aria-valuetext', momentText(ends[i]));
    });
  }

  // Sets the range if it is not empty; the whole period is no range.
  apply(start, end) {
    const { from, to, base } = this.chart.series;
    const first = Math.max(from, floorTo(start, base));
    const last = Math.min(to, Math.max(ceilTo(end, base), first + base));
    if (first <= from && last >= to) setRange(null, null);
    else if (first < last) setRange(first, last);
  }

  onKey(event, end) {
    const { from, to, base } = this.chart.series;
    const small = Math.max(base, ceilTo((to - from) / 100 + MONDAY, base) - MONDAY);
    const moves = { ArrowLeft: -small, ArrowDown: -small, ArrowRight: small, ArrowUp: small,
      PageDown: -10 * small, PageUp: 10 * small, Home: from - to, End: to - from };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const ends = this.limits();
    const moved = ends[end === 'from' ? 0 : 1] + moves[event.key];
    if (end === 'from') this.apply(Math.min(moved, ends[1] - base), ends[1]);
    else this.apply(ends[0], Math.max(moved, ends[0] + base));
  }

  localAt(event) {
    const box = this.element.getBoundingClientRect();
    const { from, to } = this.chart.series;
    return from + (event.clientX - box.left) / box.width * (to - from);
  }

  // A drag moves a handle or the window; from elsewhere it selects a new range.
  begin(event) {
    if (event.button) return;
    this.element.setPointerCapture(event.pointerId);
    const end = event.target.getAttribute('data-end');
    const inside = event.target === this.window && range.from !== null;
    this.drag = { end: end || (inside ? 'window' : 'new'), at: this.localAt(event),
      ends: this.limits(), x: event.clientX, moved: false };
  }

  move(event) {
    if (!this.drag) return;
    this.drag.moved = this.drag.moved || Math.abs(event.clientX - this.drag.x) > 4;
    if (!this.drag.moved) return;
    const { end, at, ends } = this.drag;
    const local = this.localAt(event);
    if (end === 'from') this.apply(Math.min(local, ends[1] - 1), ends[1]);
    else if (end === 'to') this.apply(ends[0], Math.max(local, ends[0] + 1));
    else if (end === 'new') this.apply(Math.min(at, local), Math.max(at, local));
    else this.pan(ends, local - at);
  }

  pan(ends, wanted) {
    const { from, to, base } = this.chart.series;
    const shift = Math.max(from - ends[0], Math.min(to - ends[1], wanted));
    const steps = Math.round(shift / base) * base;
    this.apply(ends[0] + steps, ends[1] + steps);
  }

  finish() { this.drag = undefined; }
}
