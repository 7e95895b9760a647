/* Reducers with parameters: trimmed means, and texts with a separator. */
#include "mrc_plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const mrc_host *mrc;
static int64_t opened; /* instances that were not closed */

/* tmean: the mean of a list without the least and the most numbers. */
typedef struct trim {
  int64_t percent;
} trim;

static int tmean_open(const mrc_host *host, mrc_settings parameters, void **self) {
  const int64_t percent = mrc_setting_at(parameters, 0)->integer;
  if (percent == 13) return host->fail("13 percent bring bad luck");
  trim *own = calloc(1, sizeof *own);
  own->percent = percent;
  *self = own;
  ++opened;
  return 0;
}
static void close_any(void *self) {
  --opened;
  free(self);
}
static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static void tmean_reduce(const mrc_part *part, mrc_text key, mrc_list list, mrc_out *out) {
  (void)key;
  const trim *own = part->context;
  double *sorted = malloc(sizeof *sorted * (size_t)(list.count + 1)), sum = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < list.count; ++i) {
    const double value = mrc_word_real(mrc_value(list.values, i, part->value));
    if (!isnan(value)) sorted[count++] = value;
  }
  qsort(sorted, (size_t)count, sizeof *sorted, by_size);
  const int64_t cut = count * own->percent / 100;
  for (int64_t i = cut; i < count - cut; ++i) sum += sorted[i];
  char text[512]; /* has room for the largest number */
  if (count > 2 * cut) {
    const int size = snprintf(text, sizeof text, "%.3f", sum / (double)(count - 2 * cut));
    out->write(out, text, (size_t)size);
  }
  free(sorted);
}

/* above: how many numbers are above a limit, and how many texts begin with a prefix. */
typedef struct limit {
  double least;
  mrc_text prefix;
} limit;
static int limit_open(const mrc_host *host, mrc_settings parameters, void **self) {
  limit *own = calloc(1, sizeof *own);
  (void)host;
  own->least = mrc_setting_at(parameters, 0)->real;
  *self = own;
  ++opened;
  return 0;
}
static int prefix_open(const mrc_host *host, mrc_settings parameters, void **self) {
  limit *own = calloc(1, sizeof *own);
  (void)host;
  own->prefix = mrc_setting_at(parameters, 0)->text;
  *self = own;
  ++opened;
  return 0;
}
static void above_add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                      mrc_arena *arena) {
  (void)arena;
  const limit *own = part->context;
  for (int64_t i = 0; i < n; ++i) {
    const double value = mrc_word_real(mrc_value(values, i, part->value));
    *MRC_STATE(int64_t, part, states[i]) += value > own->least;
  }
}
static void begins_add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                       mrc_arena *arena) {
  (void)arena;
  const mrc_text prefix = ((const limit *)part->context)->prefix;
  for (int64_t i = 0; i < n; ++i) {
    const mrc_text text = mrc_word_text(mrc_value(values, i, part->value));
    const int begins = text.data != NULL && text.size >= prefix.size &&
                       memcmp(text.data, prefix.data, prefix.size) == 0;
    *MRC_STATE(int64_t, part, states[i]) += begins;
  }
}
static void sum_merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from,
                      int64_t n, mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    *MRC_STATE(int64_t, part, into[i]) += *MRC_STATE(int64_t, part, from[i]);
  }
}
static int64_t shown(const mrc_part *part, const mrc_state *state) {
  if (opened <= 0) return mrc->fail("the instance is closed");
  return *MRC_CONST_STATE(int64_t, part, state);
}

static const mrc_type real_type[] = {MRC_REAL}, text_type[] = {MRC_TEXT};
static const mrc_option trim_parameter[] = {{.name = "percent",
                                             .type = MRC_INTEGER,
                                             .initial = "10",
                                             .help = "percent to leave out at each end",
                                             .least = 0,
                                             .most = 49}};
static const mrc_option limit_parameter[] = {
    {.name = "limit", .type = MRC_REAL, .initial = "0", .help = "the limit"}};
static const mrc_option prefix_parameter[] = {
    {.name = "prefix", .type = MRC_TEXT, .help = "the text that it begins with"}};
static const mrc_column count_column[] = {{.name = "count", .integer = shown}};

static const mrc_reducer tmean = {.size = sizeof(mrc_reducer),
                                  .name = "tmean",
                                  .summary = "the trimmed mean",
                                  .values = real_type,
                                  .value_count = 1,
                                  .reduce = tmean_reduce,
                                  .parameters = MRC_ARRAY(trim_parameter),
                                  .open = tmean_open,
                                  .close = close_any};
static const mrc_reducer above = {.size = sizeof(mrc_reducer),
                                  .name = "above",
                                  .summary = "how many numbers are above a limit",
                                  .state_bytes = 8,
                                  .add = above_add,
                                  .merge = sum_merge,
                                  .columns = MRC_ARRAY(count_column),
                                  .values = real_type,
                                  .value_count = 1,
                                  .parameters = MRC_ARRAY(limit_parameter),
                                  .open = limit_open,
                                  .close = close_any};
static const mrc_reducer begins = {.size = sizeof(mrc_reducer),
                                   .name = "begins",
                                   .summary = "how many texts begin with another",
                                   .state_bytes = 8,
                                   .add = begins_add,
                                   .merge = sum_merge,
                                   .columns = MRC_ARRAY(count_column),
                                   .values = text_type,
                                   .value_count = 1,
                                   .parameters = MRC_ARRAY(prefix_parameter),
                                   .open = prefix_open,
                                   .close = close_any};

static const mrc_reducer *const reducers[] = {&tmean, &above, &begins, NULL};
static const mrc_plugin plugin = {.size = sizeof(mrc_plugin),
                                  .abi = MRC_ABI,
                                  .name = "parameters",
                                  .version = "1",
                                  .summary = "reducers with parameters",
                                  .reducers = reducers};

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  mrc = host;
  return &plugin;
}
