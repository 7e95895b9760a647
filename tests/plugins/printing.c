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

TEST_PLUGIN("printing", &odd, &loud)
