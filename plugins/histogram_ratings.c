/* histogram_ratings: how often each rating, 1 to 5, was given (MaRCO, table 3).
 *
 * Input: lines MOVIE:USER_RATING,USER_RATING,... (ratings.h). Output: a row for each rating that
 * occurs, with its count.
 *
 * Five keys are too few for a table: each thread counts by itself, and emits its five sums when
 * it ends. */
#include "ratings.h"

#include <stdlib.h>

static const mrc_host *host;

typedef struct counts {
  int64_t of[MOST_STARS + 1];
} counts;

static int begin(void *self, void **worker) {
  (void)self;
  *worker = calloc(1, sizeof(counts));
  return *worker == NULL ? host->fail("no memory") : 0;
}

/* Counts all ratings of a line, or none if the line is invalid. Returns what is wrong, or NULL. */
static const char *count_line(counts *sums, mrc_text line) {
  counts of_line = {{0}};
  ratings all;
  rating next;
  ratings_begin(&all, line);
  while (ratings_next(&all, &next)) ++of_line.of[next.stars];
  if (all.wrong == NULL) {
    for (int stars = 1; stars <= MOST_STARS; ++stars) sums->of[stars] += of_line.of[stars];
  }
  return all.wrong;
}

static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self;
  for (int64_t i = 0; i < records->count; ++i) {
    const char *wrong = count_line(worker, records->records[i]);
    if (wrong != NULL) mrc_bad(out, records->records[i], wrong);
  }
  return 0;
}

static int end(void *self, void *worker, mrc_emitter *out) {
  (void)self;
  const counts *sums = worker;
  for (int stars = 1; stars <= MOST_STARS; ++stars) {
    if (sums->of[stars] > 0) *mrc_emit_integer(out, stars) = (uint64_t)sums->of[stars];
  }
  free(worker);
  return 0;
}

static const mrc_type values[] = {MRC_INTEGER};
static const mrc_reduction reductions[] = {{.builtin = "sum", .name = "count"}};
static const mrc_job job = {
    .size = sizeof job,
    .shape = MRC_LINES,
    .name = "histogram_ratings",
    .summary = "how often each rating from 1 to 5 was given to movies",
    .manual =
        "Input: a line MOVIE:USER_RATING,USER_RATING,... for each movie.\n"
        "Output: each rating that occurs, and how many there are of it.",
    .key_type = MRC_INTEGER,
    .key_name = "rating",
    .values = values,
    .value_count = 1,
    .reductions = MRC_ARRAY(reductions),
    .begin = begin,
    .map = map,
    .end = end,
};

static const mrc_job *const jobs[] = {&job, NULL};
static const mrc_plugin plugin = {
    .size = sizeof plugin,
    .abi = MRC_ABI,
    .name = "histogram_ratings",
    .version = "1",
    .summary = "a histogram of the ratings of movies",
    .jobs = jobs,
};

MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *offered) {
  host = offered;
  return &plugin;
}
