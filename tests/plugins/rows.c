/* A reader of rows that are computed: rows:COUNT is so many, rows:COUNT,FAULT goes wrong. */
#include "mrc_reader.h"

#include <stdio.h>
#include <stdlib.h>

enum { kNumber, kHalf, kName, kTime, kFields, kSplitRows = 700 };
static const mrc_field fields[kFields] = {
    {"number", MRC_INTEGER}, {"half", MRC_REAL}, {"name", MRC_TEXT}, {"at", MRC_TIME}};
static const mrc_field twins[] = {{"a", MRC_TEXT}, {"a", MRC_TEXT}};
static const mrc_field unknown[] = {{"a", 9}};

typedef struct {
  const mrc_host *host;
  int64_t count;
  char fault[20];
} input;

static int has(const input *in, const char *fault) { return strcmp(in->fault, fault) == 0; }

static int open_rows(const mrc_host *host, const char *text, mrc_fields *out, void **self) {
  input in = {.host = host};
  long long count = 0;
  sscanf(text, "%lld,%19s", &count, in.fault);
  in.count = count;
  if (has(&in, "open")) return host->fail("there is no such thing");
  if (has(&in, "silent")) return 7;
  *out = (mrc_fields)MRC_ARRAY(fields);
  if (has(&in, "fields")) out->count = 0;
  if (has(&in, "twins")) *out = (mrc_fields)MRC_ARRAY(twins);
  if (has(&in, "type")) *out = (mrc_fields)MRC_ARRAY(unknown);
  *self = malloc(sizeof in);
  *(input *)*self = in;
  return 0;
}

static int split_rows(void *self, mrc_splits *splits) {
  const input *in = self;
  if (has(in, "split")) return in->host->fail("cannot be divided");
  for (int64_t at = 0; at < in->count; at += kSplitRows) {
    const int64_t end = at + kSplitRows < in->count ? at + kSplitRows : in->count;
    mrc_add_split(splits, (mrc_split){0, at, end, 0});
  }
  return 0;
}

typedef struct {
  int64_t at, end;
  const mrc_wanted *wanted;
  char names[MRC_BATCH][16];
} cursor;

static int begin_rows(void *self, const mrc_split *split, const mrc_wanted *wanted, void **out) {
  const input *in = self;
  if (has(in, "begin") && split->begin > 0) return in->host->fail("this part is gone");
  cursor *c = malloc(sizeof *c);
  c->at = split->begin;
  c->end = split->end == 0 ? in->count : split->end;
  c->wanted = wanted;
  *out = c;
  return 0;
}

static int read_rows(void *self, void *worker, uint64_t *words, int64_t *rows) {
  const input *in = self;
  cursor *c = worker;
  for (; *rows < MRC_BATCH && c->at < c->end; ++c->at) {
    const int64_t i = c->at;
    if (has(in, "read") && i == 1000) return in->host->fail("row 1000 is damaged");
    const int64_t number = has(in, "hasty") ? i / 2 : i;
    if (mrc_is_left_out(c->wanted, kNumber, number)) continue;
    uint64_t *row = words + *rows * kFields;
    snprintf(c->names[*rows], sizeof c->names[0], "name %d", (int)(i % 7));
    const mrc_text name = {i % 5 == 0 ? NULL : c->names[*rows], strlen(c->names[*rows])};
    row[kNumber] = (uint64_t)(i % 11 == 0 ? MRC_NO_INTEGER : i);
    row[kHalf] = mrc_real_word((double)i / 2);
    row[kName] = mrc_text_word(&name);
    row[kTime] = (uint64_t)(i * INT64_C(500000000));
    ++*rows;
  }
  if (has(in, "rows")) *rows = MRC_BATCH + 1;
  return 0;
}

static void end_rows(void *self, void *worker) {
  (void)self;
  free(worker);
}

static const mrc_reader reader = {.size = sizeof(mrc_reader),
                                  .flags = MRC_LEAVES_OUT,
                                  .summary = "rows that are computed",
                                  .open = open_rows,
                                  .close = free,
                                  .split = split_rows,
                                  .begin = begin_rows,
                                  .read = read_rows,
                                  .end = end_rows};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin), .abi = MRC_ABI, .name = "rows", .reader = &reader};

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return &plugin;
}
