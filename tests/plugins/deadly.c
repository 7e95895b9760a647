/* A job that counts lines, and that dies of lines that begin with "die", in ways that an option
 * says; and one that shows what it is shown, and emits all that it has when a worker ends. */
#include "test_plugin.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const mrc_host *the_host;
static const char *how, *once, *where;

static int set(const mrc_host *host, mrc_settings settings, void **self) {
  (void)self;
  the_host = host;
  how = mrc_setting_at(settings, 0)->text.data;
  once = mrc_setting_at(settings, 1)->text.data;
  where = mrc_setting_at(settings, 2)->text.data;
  return 0;
}

static void eat(void) {
  for (;;) {
    char *more = malloc(1 << 24);
    if (more == NULL) abort();
    memset(more, 1, 1 << 24);
  }
}

/* With `once`, the first worker dies that can make that file, and no other does. */
static int die(void) {
  if (*once != '\0') {
    const int file = open(once, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file < 0) return 0;
    close(file);
  }
  if (strcmp(how, "crash") == 0) *(volatile int *)NULL = 1;
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "exit") == 0) exit(0);
  if (strcmp(how, "kill") == 0) raise(SIGKILL);
  if (strcmp(how, "eat") == 0) eat();
  if (strcmp(how, "fail") == 0) return the_host->fail("because of it");
  while (strcmp(how, "hang") == 0) usleep(1000);
  while (strcmp(how, "stop") == 0) raise(SIGSTOP);
  if (strcmp(how, "wait") == 0) usleep(1000000);
  return 0;
}

static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self;
  (void)worker;
  for (int64_t i = 0; i < records->count; ++i) {
    const mrc_text line = records->records[i];
    const int is_deadly = line.size >= 3 && memcmp(line.data, "die", 3) == 0;
    if (is_deadly && strcmp(where, "map") == 0 && die() != 0) return -1;
    mrc_emit(out, line);
  }
  return 0;
}
static int begin(void *self, void **worker) {
  (void)self;
  (void)worker;
  return strcmp(where, "begin") == 0 ? die() : 0;
}
static int end(void *self, void *worker, mrc_emitter *out) {
  (void)self;
  (void)worker;
  (void)out;
  return strcmp(where, "end") == 0 ? die() : 0;
}

static const mrc_option options[] = {
    {"how", MRC_TEXT, "", "how it dies", 0, 0},
    {"once", MRC_TEXT, "", "a file that is there afterwards", 0, 0},
    {"where", MRC_TEXT, "map", "in which function", 0, 0},
};
static const mrc_job deadly = {.size = sizeof(mrc_job),
                               .name = "deadly",
                               .summary = "count lines, and die of some",
                               .options = MRC_ARRAY(options),
                               .key_type = MRC_TEXT,
                               .open = set,
                               .begin = begin,
                               .map = map,
                               .end = end};

/* The worker's lines, until its end. */
static int begin_held(void *self, void **worker) {
  (void)self;
  *worker = calloc(1, sizeof(int64_t));
  return 0;
}
static int map_held(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self;
  (void)out;
  *(int64_t *)worker += records->count;
  return 0;
}
static int end_held(void *self, void *worker, mrc_emitter *out) {
  const mrc_text lines = {"lines", 5};
  (void)self;
  mrc_emit(out, lines)[0] = (uint64_t) * (int64_t *)worker;
  free(worker);
  return 0;
}
static void show(void *self, const mrc_progress *progress, mrc_rows rows) {
  (void)self;
  const long long bytes = progress->bytes;
  for (size_t i = 0; i < rows.count; ++i) {
    const mrc_row *row = mrc_row_at(rows, i);
    const mrc_text lines = row->cells[0];
    fprintf(stderr, "shown %u %lld %.*s\n", progress->last, bytes, (int)lines.size, lines.data);
  }
}
static const mrc_type integer[] = {MRC_INTEGER};
static const mrc_reduction sum[] = {{.builtin = "sum"}};
static const mrc_job held = {.size = sizeof(mrc_job),
                             .name = "held",
                             .summary = "count lines when a worker ends",
                             .key_type = MRC_TEXT,
                             .values = integer,
                             .value_count = 1,
                             .reductions = MRC_ARRAY(sum),
                             .begin = begin_held,
                             .map = map_held,
                             .end = end_held,
                             .show = show};

TEST_PLUGIN("deadly", &deadly, &held)
