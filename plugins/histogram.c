/* histogram: how often each of the 256 values of blue, green and red occurs in images.
 *
 * The input is any number of uncompressed bitmaps (BMP) with 24 bits for each pixel. Groups of rows
 * are the splits. Each worker counts in its own tables, four for each colour, which neighbouring
 * pixels use in turn: neighbours are often alike, and an increment that waits for the one before it
 * costs five times as much as one that does not. All 768 counts are emitted once, when a worker
 * ends.
 */
#include "mrc_plugin.h"

#include <stdio.h>
#include <stdlib.h>

enum { kColours = 3, kValues = 256, kTables = 12, kStep = 24, kSplitBytes = 4 << 20 };

static const mrc_host *host;

/* ---- The header of a bitmap: where its rows are ------------------------------------- */

typedef struct {
  int64_t width;  /* in pixels */
  int64_t height; /* in rows */
  int64_t first;  /* offset of the first row */
} Image;

static int64_t little_endian(const char *bytes, int size) {
  uint64_t value = 0;
  for (int i = size - 1; i >= 0; --i) value = value << 8 | (unsigned char)bytes[i];
  return (int64_t)value;
}

/* Each row is padded to a multiple of four bytes. */
static int64_t row_bytes(int64_t width) { return (width * kColours + 3) & ~(int64_t)3; }

static int refuse(const mrc_input *input, const char *why) {
  char reason[400];
  snprintf(reason, sizeof reason, "%.200s: %s", input->name, why);
  return host->fail(reason);
}

static int refuse_number(const mrc_input *input, const char *what, int64_t number) {
  char why[160];
  snprintf(why, sizeof why, "%s %lld", what, (long long)number);
  return refuse(input, why);
}

/* Checks that all rows are there. */
static int check_size(const mrc_input *input, const Image *image) {
  const int64_t size = (int64_t)input->bytes.size;
  /* The last row need not be padded. */
  const int64_t needed = row_bytes(image->width) * (image->height - 1) + image->width * kColours;
  if (image->first <= size && needed <= size - image->first) return 0;
  char why[160];
  snprintf(why, sizeof why,
           "truncated: %lld rows of %lld pixels end at byte %lld, and the file at %lld",
           (long long)image->height, (long long)image->width, (long long)(image->first + needed),
           (long long)size);
  return refuse(input, why);
}

static int read_header(const mrc_input *input, Image *image) {
  const char *bytes = input->bytes.data;
  if (input->bytes.size < 2 || memcmp(bytes, "BM", 2) != 0) {
    return refuse(input, "not a bitmap: it does not begin with BM");
  }
  if (input->bytes.size < 54) return refuse(input, "truncated: ends in the header of the bitmap");
  if (little_endian(bytes + 14, 4) < 40)
    return refuse(input, "a bitmap of OS/2, which is not read");
  const int64_t depth = little_endian(bytes + 28, 2), compression = little_endian(bytes + 30, 4);
  if (depth != 24)
    return refuse_number(input, "24 bits for each pixel are wanted; here are", depth);
  if (compression != 0) return refuse_number(input, "compressed, by method", compression);
  image->first = little_endian(bytes + 10, 4);
  image->width = (int32_t)little_endian(bytes + 18, 4);
  image->height = (int32_t)little_endian(bytes + 22, 4);
  if (image->height < 0) image->height = -image->height; /* rows from top to bottom */
  if (image->width <= 0 || image->height == 0) return refuse(input, "an image without pixels");
  if (image->first < 54)
    return refuse_number(input, "its pixels begin in its header, at byte", image->first);
  return check_size(input, image);
}

static int split(void *self, mrc_inputs inputs, mrc_splits *splits) {
  (void)self;
  for (size_t i = 0; i < inputs.count; ++i) {
    const mrc_input *input = mrc_input_at(inputs, i);
    Image image = {0, 0, 0};
    if (read_header(input, &image) != 0) return -1;
    const int64_t stride = row_bytes(image.width), rows = 1 + kSplitBytes / stride;
    for (int64_t row = 0; row < image.height; row += rows) {
      int64_t end = image.first + (row + rows) * stride;
      const int64_t last = image.first + (image.height - 1) * stride + image.width * kColours;
      if (end > last) end = last;
      mrc_add_split(splits, (mrc_split){(int64_t)i, image.first + row * stride, end, image.width});
    }
  }
  return 0;
}

/* ---- Counting ----------------------------------------------------------------------- */

typedef struct {
  int64_t counts[kColours][kValues];
  uint32_t tables[kTables][kValues]; /* of one split; table t has colour t % 3 */
} Worker;

static int begin(void *self, void **worker) {
  (void)self;
  *worker = calloc(1, sizeof(Worker));
  return *worker != NULL ? 0 : host->fail("no memory for the counts");
}

/* Counts pixels, from the first byte of a pixel on. */
static void count_pixels(const char *bytes, int64_t size, uint32_t (*tables)[kValues]) {
  for (; size >= kStep; size -= kStep, bytes += kStep) {
    uint64_t words[3];
    memcpy(words, bytes, sizeof words);
    for (int word = 0; word < 3; ++word) {
      for (int byte = 0; byte < 8; ++byte) {
        ++tables[(word * 8 + byte) % kTables][words[word] >> 8 * byte & 255];
      }
    }
  }
  for (int64_t i = 0; i < size; ++i) ++tables[i % kTables][(unsigned char)bytes[i]];
}

static void add_tables(Worker *worker) {
  for (int table = 0; table < kTables; ++table) {
    for (int value = 0; value < kValues; ++value) {
      worker->counts[table % kColours][value] += worker->tables[table][value];
    }
  }
  memset(worker->tables, 0, sizeof worker->tables);
}

static int map(void *self, void *state, const mrc_records *records, mrc_emitter *out) {
  (void)self, (void)out;
  Worker *worker = state;
  const int64_t size = (int64_t)records->bytes.size;
  const int64_t row = records->split->tag * kColours, stride = row_bytes(records->split->tag);
  if (row == stride) {
    count_pixels(records->bytes.data, size, worker->tables);
  } else {
    for (int64_t at = 0; at < size; at += stride) {
      count_pixels(records->bytes.data + at, row, worker->tables);
    }
  }
  add_tables(worker);
  return 0;
}

static int end(void *self, void *state, mrc_emitter *out) {
  static const char *const names[kColours] = {"blue", "green", "red"};
  (void)self;
  Worker *worker = state;
  for (int colour = 0; colour < kColours; ++colour) {
    for (int value = 0; value < kValues; ++value) {
      char name[16]; /* three digits sort rows by value */
      const int size = snprintf(name, sizeof name, "%s %03d", names[colour], value);
      uint64_t *values = mrc_emit_kept(out, (mrc_text){name, (size_t)size});
      values[0] = (uint64_t)worker->counts[colour][value];
    }
  }
  free(worker);
  return 0;
}

/* ---- The plugin --------------------------------------------------------------------- */

static const mrc_type values[] = {MRC_INTEGER};
static const mrc_reduction reductions[] = {{.builtin = "sum", .name = "count"}};

static const mrc_job job = {
    .size = sizeof(mrc_job),
    .shape = MRC_SPLITS,
    .name = "histogram",
    .summary = "count the values of blue, green and red in bitmaps",
    .manual =
        "The input is any number of bitmaps (BMP) of 24 bits for each pixel, not\n"
        "compressed. The answer has 768 rows, \"blue 000\" to \"red 255\", and how many\n"
        "pixels of all inputs have that value.\n",
    .key_type = MRC_TEXT,
    .key_name = "bin",
    .values = values,
    .value_count = 1,
    .reductions = MRC_ARRAY(reductions),
    .split = split,
    .begin = begin,
    .map = map,
    .end = end,
};

static const mrc_job *const jobs[] = {&job, NULL};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "histogram",
    .version = "1",
    .summary = "histograms of bitmaps",
    .jobs = jobs,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *mrc) {
  host = mrc;
  return &plugin;
}
