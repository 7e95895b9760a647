// Histograms in cells of a profile: a column after the others, of the panel's `histograms`.

const BINS = { width: 120, height: 28 };

// Returns the columns and rows of a table, with the histograms of a profile as a last column.
function withHistograms(panel) {
  const histograms = panel.histograms || [];
  const { columns, rows } = panel;
  if (!histograms.some((bins) => bins && bins.length)) return { columns, rows };
  return {
    columns: columns.concat({ name: 'distribution', kind: 'bins' }),
    rows: rows.map((row, index) => row.concat([histograms[index] || null])),
  };
}

// Edges of durations are seconds.
function edgeText(value, kind) {
  if (typeof value === 'string' && parseTime(value)) return timeText(value);
  return valueText(value, /^duration/.test(kind) ? 'seconds' : 'number');
}

function binText(bin, kind) {
  return edgeText(bin.from, kind) + ' to ' + edgeText(bin.to, kind) + ': ' +
    plural(visible(String(bin.count)), 'record');
}

function labelOfBins(bins, name, kind) {
  const highest = bins.reduce((a, b) => (Number(b.count) > Number(a.count) ? b : a));
  return 'Distribution of ' + name + ': ' + plural(bins.length, 'bar') + ' from ' +
    edgeText(bins[0].from, kind) + ' to ' + edgeText(bins[bins.length - 1].to, kind) +
    '; the highest is ' + binText(highest, kind);
}

// A bar of few records is still to be seen, and each can be pointed at in its full height.
function binBar(bin, index, step, largest, kind) {
  const share = largest > 0 ? (Number(bin.count) || 0) / largest : 0;
  const height = share > 0 ? Math.max(1, share * (BINS.height - 2)) : 0;
  return draw('g', {}, draw('title', {}, binText(bin, kind)),
    draw('rect', { class: 'hit', x: index * step, width: step, height: BINS.height }),
    draw('rect', { class: 'c0', x: index * step + step * 0.06, width: step * 0.88,
      y: BINS.height - 1 - height, height }));
}

function histogramOf(bins, name, kind) {
  const largest = largestOf(bins.map((bin) => Number(bin.count) || 0));
  const step = Math.min(BINS.width / bins.length, BINS.width / 8);
  return draw('svg', { class: 'bins', role: 'img', preserveAspectRatio: 'none',
    viewBox: '0 0 ' + BINS.width + ' ' + BINS.height, 'aria-label': labelOfBins(bins, name, kind) },
  draw('line', { class: 'zero', x1: 0, x2: BINS.width, y1: BINS.height - 0.5,
    y2: BINS.height - 0.5 }),
  ...bins.map((bin, index) => binBar(bin, index, step, largest, kind)));
}

// `row` begins with the name of a field and its kind.
function fillBins(cell, bins, row) {
  cell.append(bins && bins.length
    ? histogramOf(bins, visible(String(row[0])), String(row[1]))
    : make('span', { class: 'bare' }, '–'));
}
