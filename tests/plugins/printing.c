/* A job with rounds that prints some of its rows, and one whose functions print by themselves. */
#include "test_plugin.h"

#include <stdio.h>
#include <stdlib.h>

/* Rows whose count is odd, of which `round` sees all. */
static int look(void *self, int64_t number, mrc_rows rows) {
  (void)self, (void)number;
  printf("%d rows\n", (int)rows.count);
  return MRC_DONE;
}
static void format_odd(void *self, const mrc_row *row, mrc_out *out) {
  (void)self;
  if (strtol(row->cells[0].data, NULL, 10) % 2 == 0) return;
  out->write(out, row->key.data, row->key.size);
  mrc_write(out, "\n");
}
static const mrc_job odd = {.size = sizeof(mrc_job),
                            .name = "odd",
                            .summary = "a test",
                            .format = format_odd,
                            .round = look};

static int open_loud(const mrc_host *host, mrc_settings settings, void **self) {
  (void)host, (void)settings, (void)self;
  puts("open");
  return 0;
}
static void close_loud(void *self) {
  (void)self;
  puts("close");
}
static int map_loud(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self, (void)worker;
  for (int64_t i = 0; i < records->count; ++i) {
    puts("map");
    mrc_emit(out, records->records[i]);
  }
  return 0;
}
static void format_loud(void *self, const mrc_row *row, mrc_out *out) {
  (void)self, (void)row;
  puts("format");
  mrc_write(out, "a row\n");
}
static const mrc_job loud = {.size = sizeof(mrc_job),
                             .name = "loud",
                             .summary = "a test",
                             .open = open_loud,
                             .close = close_loud,
                             .map = map_loud,
                             .format = format_loud};

/* Ranks, which are known when the rounds have ended: two lines for each row. */
static long total;
static int sum_up(void *self, int64_t number, mrc_rows rows) {
  (void)self;
  total = 0;
  for (size_t i = 0; i < rows.count; ++i) {
    total += strtol(mrc_row_at(rows, i)->cells[0].data, NULL, 10);
  }
  return number < 2 ? MRC_AGAIN : MRC_DONE;
}
static void format_rank(void *self, const mrc_row *row, mrc_out *out) {
  char line[100];
  (void)self;
  const long count = strtol(row->cells[0].data, NULL, 10);
  if (count % 2 == 0) return;
  snprintf(line, sizeof line, "%.*s\t%ld.5e-1\t\"x\"\n", (int)row->key.size, row->key.data,
           100 * count / total);
  mrc_write(out, line);
  snprintf(line, sizeof line, "0%ld\n", count);
  mrc_write(out, line);
}
static void head_rank(void *self, mrc_out *out) {
  (void)self;
  mrc_write(out, "line\trank\tnote\n");
}
static const mrc_job ranked = {.size = sizeof(mrc_job),
                               .name = "ranked",
                               .summary = "a test",
                               .format = format_rank,
                               .header = head_rank,
                               .round = sum_up};

TEST_PLUGIN("printing", &odd, &loud, &ranked)
