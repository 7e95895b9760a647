/* linear_regression: the line that fits points best, by least squares.
 *
 * The input is points of two bytes, x and y, each from 0 to 255. The answer needs only six sums of
 * them: of 1, x, y, xx, yy and xy. They are integers, so they are exact in any order. Compilers
 * turn the plain loop below into one for 16 points at a time, with one instruction for 16 products
 * and their sum (pmaddwd).
 */
#include "for_each_cpu.h"
#include "mrc_plugin.h"

#include <math.h>
#include <stdio.h>

static const mrc_host *host;

typedef struct {
  int64_t n, x, y, xx, yy, xy;
} Sums;
enum { kSums = sizeof(Sums) / sizeof(int64_t) };

/* ---- Map: the sums of a split ------------------------------------------------------- */

enum { kPointBytes = 2, kSplitBytes = 4 << 20 };

static int split(void *self, mrc_inputs inputs, mrc_splits *splits) {
  (void)self;
  for (size_t i = 0; i < inputs.count; ++i) {
    const mrc_input *input = mrc_input_at(inputs, i);
    const int64_t size = (int64_t)input->bytes.size;
    if (size % kPointBytes != 0) {
      char reason[400];
      snprintf(reason, sizeof reason,
               "%.200s: points have two bytes each, and the input has an odd number of them, %lld",
               input->name, (long long)size);
      return host->fail(reason);
    }
    int64_t at = 0;
    do { /* an empty input has a split, too: its row shows that there are no points */
      const int64_t end = size - at < kSplitBytes ? size : at + kSplitBytes;
      mrc_add_split(splits, (mrc_split){(int64_t)i, at, end, 0});
      at = end;
    } while (at < size);
  }
  return 0;
}

/* At most kBlock points: their sums are below 2^31, since 255 * 255 * kBlock is. */
enum { kBlock = 16384 };

FOR_EACH_CPU static void add_block(const char *bytes, int64_t n, Sums *sums) {
  int32_t x_sum = 0, y_sum = 0, xx = 0, yy = 0, xy = 0;
  for (int64_t i = 0; i < n; ++i) {
    uint16_t point;
    memcpy(&point, bytes + i * kPointBytes, sizeof point);
    const int16_t x = point & 255, y = (int16_t)(point >> 8);
    x_sum += x;
    y_sum += y;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  sums->x += x_sum, sums->y += y_sum, sums->xx += xx, sums->yy += yy, sums->xy += xy;
}

static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self, (void)worker;
  Sums sums = {.n = (int64_t)records->bytes.size / kPointBytes};
  for (int64_t done = 0; done < sums.n; done += kBlock) {
    const int64_t n = sums.n - done < kBlock ? sums.n - done : kBlock;
    add_block(records->bytes.data + done * kPointBytes, n, &sums);
  }
  memcpy(mrc_emit(out, (mrc_text){"all", 3}), &sums, sizeof sums);
  return 0;
}

/* ---- Reduce: sums of sums, and the line --------------------------------------------- */

/* Sums of impossibly many points wrap around. */
static void add_sums(int64_t *into, const int64_t *from) {
  for (int i = 0; i < kSums; ++i) into[i] = (int64_t)((uint64_t)into[i] + (uint64_t)from[i]);
}

static void add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    int64_t sums[kSums];
    memcpy(sums, values.words + i * values.width + part->value, sizeof sums);
    add_sums(MRC_STATE(int64_t, part, states[i]), sums);
  }
}

static void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                  mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    add_sums(MRC_STATE(int64_t, part, into[i]), MRC_CONST_STATE(int64_t, part, from[i]));
  }
}

static const Sums *sums_of(const mrc_part *part, const mrc_state *state) {
  return MRC_CONST_STATE(Sums, part, state);
}

/* Returns n^2 times a covariance, computed exactly up to the conversion. */
static double spread(int64_t n, int64_t ab, int64_t a, int64_t b) {
  return (double)((__int128)n * ab - (__int128)a * b);
}
static double spread_xx(const Sums *s) { return spread(s->n, s->xx, s->x, s->x); }
static double spread_yy(const Sums *s) { return spread(s->n, s->yy, s->y, s->y); }
static double spread_xy(const Sums *s) { return spread(s->n, s->xy, s->x, s->y); }

/* If all x are equal there is no line: 0 / 0 is not a number. */
static double slope(const mrc_part *part, const mrc_state *state) {
  const Sums *s = sums_of(part, state);
  return spread_xy(s) / spread_xx(s);
}
static double intercept(const mrc_part *part, const mrc_state *state) {
  const Sums *s = sums_of(part, state);
  return (double)((__int128)s->y * s->xx - (__int128)s->x * s->xy) / spread_xx(s);
}
static double correlation(const mrc_part *part, const mrc_state *state) {
  const Sums *s = sums_of(part, state);
  const double ratio = spread_xy(s) / sqrt(spread_xx(s) * spread_yy(s));
  return ratio > 1 ? 1 : ratio < -1 ? -1 : ratio;
}
static int64_t sum_n(const mrc_part *p, const mrc_state *s) { return sums_of(p, s)->n; }
static int64_t sum_x(const mrc_part *p, const mrc_state *s) { return sums_of(p, s)->x; }
static int64_t sum_y(const mrc_part *p, const mrc_state *s) { return sums_of(p, s)->y; }
static int64_t sum_xx(const mrc_part *p, const mrc_state *s) { return sums_of(p, s)->xx; }
static int64_t sum_yy(const mrc_part *p, const mrc_state *s) { return sums_of(p, s)->yy; }
static int64_t sum_xy(const mrc_part *p, const mrc_state *s) { return sums_of(p, s)->xy; }

static const mrc_column columns[] = {
    {.name = "points", .integer = sum_n},     {.name = "slope", .real = slope},
    {.name = "intercept", .real = intercept}, {.name = "correlation", .real = correlation},
    {.name = "sx", .integer = sum_x},         {.name = "sy", .integer = sum_y},
    {.name = "sxx", .integer = sum_xx},       {.name = "syy", .integer = sum_yy},
    {.name = "sxy", .integer = sum_xy},
};

static const mrc_type values[kSums] = {MRC_INTEGER, MRC_INTEGER, MRC_INTEGER,
                                       MRC_INTEGER, MRC_INTEGER, MRC_INTEGER};

static const mrc_reducer fit = {
    .size = sizeof(mrc_reducer),
    .name = "fit",
    .summary = "the line that fits points best",
    .state_bytes = sizeof(Sums),
    .add = add,
    .merge = merge,
    .columns = MRC_ARRAY(columns),
    .values = values,
    .value_count = kSums,
};

/* ---- The plugin --------------------------------------------------------------------- */

static const mrc_reduction reductions[] = {{.reducer = &fit}};

static const mrc_job job = {
    .size = sizeof(mrc_job),
    .shape = MRC_SPLITS,
    .name = "linear_regression",
    .summary = "the line that fits points best, by least squares",
    .manual =
        "The input is points of two bytes, x and y, each from 0 to 255. The answer is one\n"
        "row for all inputs together: the number of points, slope and intercept of the\n"
        "line, the correlation, and the sums of x, y, xx, yy and xy. Where there is no\n"
        "line, as all x are the same, slope, intercept and correlation are missing.\n",
    .key_type = MRC_TEXT,
    .key_name = "input",
    .values = values,
    .value_count = kSums,
    .reductions = MRC_ARRAY(reductions),
    .split = split,
    .map = map,
};

static const mrc_job *const jobs[] = {&job, NULL};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "linear_regression",
    .version = "1",
    .summary = "linear regression over points of two bytes",
    .jobs = jobs,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *mrc) {
  host = mrc;
  return &plugin;
}
