/* histogram_movies: how many movies there are by their average rating (MaRCO, table 3).
 *
 * Input: lines MOVIE:USER_RATING,USER_RATING,... (ratings.h). Output: a row for each range of
 * averages with at least one movie, and the number of its movies. There are 8 ranges of 0.5, or
 * --set bins=N. A range includes its lower end and excludes its upper end, except the last one,
 * which includes the movies that everybody rated 5.
 *
 * The range of an average is computed in integers, so no movie is on the wrong side of a border. */
#include "ratings.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BINS = 400 };

static const mrc_host *host;

typedef struct histogram {
  int64_t bins;
  char labels[MOST_BINS][16];
} histogram;

static int open_job(const mrc_host *unused, mrc_settings settings, void **self) {
  (void)unused;
  histogram *all = calloc(1, sizeof *all);
  if (all == NULL) return host->fail("no memory");
  all->bins = mrc_setting_at(settings, 0)->integer;
  for (int64_t bin = 0; bin < all->bins; ++bin) {
    const double width = (MOST_STARS - 1.0) / (double)all->bins;
    snprintf(all->labels[bin], sizeof all->labels[bin], "%.2f-%.2f", 1 + width * (double)bin,
             1 + width * (double)(bin + 1));
  }
  *self = all;
  return 0;
}

static void close_job(void *self) { free(self); }

/* Returns the bin of the average of `count` ratings whose sum is `sum`. */
static int64_t find_bin(int64_t sum, int64_t count, int64_t bins) {
  const int64_t bin = (sum - count) * bins / ((MOST_STARS - 1) * count);
  return bin < bins ? bin : bins - 1;
}

static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)worker;
  const histogram *all = self;
  for (int64_t i = 0; i < records->count; ++i) {
    ratings list;
    rating next;
    int64_t sum = 0;
    ratings_begin(&list, records->records[i]);
    while (ratings_next(&list, &next)) sum += next.stars;
    if (list.wrong != NULL) {
      mrc_bad(out, records->records[i], list.wrong);
      continue;
    }
    const char *label = all->labels[find_bin(sum, list.taken, all->bins)];
    mrc_emit(out, (mrc_text){label, strlen(label)});
  }
  return 0;
}

static const mrc_option options[] = {
    {"bins", MRC_INTEGER, "8", "how many ranges there are between 1 and 5", 1, MOST_BINS},
};
static const mrc_reduction reductions[] = {{.builtin = "count", .name = "movies"}};
static const mrc_job job = {
    .size = sizeof job,
    .shape = MRC_LINES,
    .name = "histogram_movies",
    .summary = "how many movies there are by their average rating",
    .manual =
        "Input: a line MOVIE:USER_RATING,USER_RATING,... for each movie.\n"
        "Output: ranges of averages, and how many movies are in each.",
    .options = MRC_ARRAY(options),
    .key_name = "average",
    .reductions = MRC_ARRAY(reductions),
    .open = open_job,
    .close = close_job,
    .map = map,
};

static const mrc_job *const jobs[] = {&job, NULL};
static const mrc_plugin plugin = {
    .size = sizeof plugin,
    .abi = MRC_ABI,
    .name = "histogram_movies",
    .version = "1",
    .summary = "a histogram of movies by their average rating",
    .jobs = jobs,
};

MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *offered) {
  host = offered;
  return &plugin;
}
