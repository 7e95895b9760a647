// HeatMap: a table of weekdays by hours, whose cells are shaded by their values.

class HeatMap {
  constructor(panel) {
    this.panel = panel;
    this.choices = panel.columns.map((column, index) => index)
      .filter((index) => index >= panel.keys && isNumeric(panel.columns[index]));
    this.readout = make('p', { class: 'caption' });
    this.grid = make('table', {
      class: 'heat', tabindex: '0', 'aria-label': visible(panel.title),
      pointerover: (event) => this.point(event.target), pointerleave: () => this.rest(),
      keydown: (event) => this.onKey(event), blur: () => this.rest(),
    });
    this.scale = make('div', { class: 'scale', 'aria-hidden': 'true' });
    this.element = make('div', {}, this.readout, this.grid, this.scale);
    this.select(0);
  }

  select(choice) {
    this.index = this.choices[choice];
    this.column = this.panel.columns[this.index];
    this.values = new Map(this.panel.rows.map((row) =>
      [Number(row[0]) + ' ' + Number(row[1]), row[this.index]]));
    this.largest = Math.max(1e-9, ...[...this.values.values()].map((value) => Number(value) || 0));
    this.cells = WEEKDAYS.map((name, day) => this.cellsOf(day));
    this.grid.replaceChildren(make('thead', {}, this.hours()), make('tbody', {},
      ...WEEKDAYS.map((name, day) => make('tr', {},
        make('th', { scope: 'row' }, name.slice(0, 3)), ...this.cells[day]))));
    this.drawScale();
    this.rest();
  }

  hours() {
    const heads = Array.from({ length: 24 }, (unused, hour) =>
      make('th', { scope: 'col', class: hour % 6 ? 'sparse' : null },
        make('span', {}, String(hour).padStart(2, '0'))));
    return make('tr', {}, make('td', {}), ...heads);
  }

  value(day, hour) {
    const value = this.values.get(day + 1 + ' ' + hour);
    return isNumber(value) ? value : 0;
  }

  cellsOf(day) {
    return Array.from({ length: 24 }, (unused, hour) => {
      const value = this.value(day, hour);
      const cell = make('td', { 'data-at': day + ' ' + hour },
        make('span', {}, valueText(value, this.column.kind)));
      cell.style.setProperty('--heat', Math.max(0, Number(value)) / this.largest);
      return cell;
    });
  }

  drawScale() {
    const boxes = [0, 0.25, 0.5, 0.75, 1].map((share) => {
      const box = make('i', {});
      box.style.setProperty('--heat', share);
      return box;
    });
    const most = this.values.size ? this.largest : 0;
    this.scale.replaceChildren('0', ...boxes, valueText(most, this.column.kind));
  }

  rest() {
    this.mark(null);
    let best = null;
    for (let day = 0; day < 7; day++) {
      for (let hour = 0; hour < 24; hour++) {
        if (best && compareNumbers(this.value(...best), this.value(day, hour)) >= 0) continue;
        best = [day, hour];
      }
    }
    this.readout.textContent = 'Highest: ' + this.text(...best);
  }

  text(day, hour) {
    const two = (number) => String(number).padStart(2, '0') + ':00';
    return `${WEEKDAYS[day]}, ${two(hour)}–${two(hour + 1)}: ` +
      valueText(this.value(day, hour), this.column.kind) +
      unitOf(visible(this.column.name), this.column.kind);
  }

  mark(cell) {
    if (this.marked) this.marked.classList.remove('marked');
    this.marked = cell;
    if (cell) cell.classList.add('marked');
  }

  point(target) {
    const cell = target.closest('[data-at]');
    if (!cell) return;
    this.mark(cell);
    this.readout.textContent = this.text(...cell.getAttribute('data-at').split(' ').map(Number));
  }

  onKey(event) {
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const at = this.marked ? this.marked.getAttribute('data-at').split(' ').map(Number) : [0, 0];
    const step = this.marked ? moves[event.key] : [0, 0];
    const day = (at[0] + step[0] + 7) % 7;
    this.point(this.cells[day][(at[1] + step[1] + 24) % 24]);
    announce(this.readout.textContent);
  }
}
