/* string_match: how many lines of a dictionary equal each of a few keys.
 *
 * The keys may be given encrypted, as in Phoenix and Metis, by adding a number to each byte. Those
 * programs encrypt each line to compare it with the keys. Since the cipher can be reversed, it is
 * enough to decrypt the keys once and search for them directly.
 *
 * A line can only be a key if a line ends before its first byte, and if that byte and a later one
 * equal those of the key. These three bytes are checked for 32 positions at a time; few positions
 * remain for a full comparison.
 */
#include "for_each_cpu.h"
#include "mrc_plugin.h"

#include <stdio.h>
#include <stdlib.h>

enum { kMostKeys = 64, kBlock = 32, kFarthest = 32 };

static const mrc_host *host;

typedef struct {
  mrc_text text;
  int64_t later; /* index of the second byte to check: the last one, if it is near */
} Key;

typedef struct {
  int64_t count;
  Key keys[kMostKeys];
  char *bytes; /* the bytes of all keys */
} Keys;

/* ---- The keys ----------------------------------------------------------------------- */

enum { kOptionKeys, kOptionCipher };
static const mrc_option options[] = {
    {.name = "keys",
     .type = MRC_TEXT,
     .initial = "Helloworld,howareyou,ferrari,whotheman",
     .help = "what to look for: lines, with commas between them"},
    {.name = "cipher",
     .type = MRC_INTEGER,
     .initial = "0",
     .help = "the keys are encrypted: this was added to each byte",
     .least = 0,
     .most = 255},
};

static int is_known(const Keys *keys, mrc_text text) {
  for (int64_t i = 0; i < keys->count; ++i) {
    const mrc_text known = keys->keys[i].text;
    if (known.size == text.size && memcmp(known.data, text.data, text.size) == 0) return 1;
  }
  return 0;
}

static int add_key(Keys *keys, mrc_text text) {
  if (text.size == 0) return host->fail("keys: one of them is empty");
  if (is_known(keys, text)) return 0;
  if (keys->count == kMostKeys) return host->fail("keys: there are more than 64 of them");
  const int64_t last = (int64_t)text.size - 1;
  keys->keys[keys->count++] = (Key){text, last < kFarthest ? last : kFarthest - 1};
  return 0;
}

static void close_keys(void *self) {
  Keys *keys = self;
  free(keys->bytes);
  free(keys);
}

static int open_keys(const mrc_host *mrc, mrc_settings settings, void **self) {
  const mrc_text list = mrc_setting_at(settings, kOptionKeys)->text;
  const int cipher = (int)mrc_setting_at(settings, kOptionCipher)->integer;
  Keys *keys = calloc(1, sizeof *keys);
  if (keys == NULL || (keys->bytes = malloc(list.size + 1)) == NULL) {
    free(keys);
    return mrc->fail("no memory for the keys");
  }
  int failed = 0;
  for (size_t begin = 0, at = 0; at <= list.size && failed == 0; ++at) {
    if (at < list.size && list.data[at] != ',') {
      keys->bytes[at] = (char)(list.data[at] - cipher);
    } else {
      failed = add_key(keys, (mrc_text){keys->bytes + begin, at - begin});
      begin = at + 1;
    }
  }
  if (failed != 0) {
    close_keys(keys);
    return failed;
  }
  *self = keys;
  return 0;
}

/* ---- The search --------------------------------------------------------------------- */

/* Bytes at any address. */
typedef unsigned char Block __attribute__((vector_size(kBlock), aligned(1), may_alias));

/* True if any byte of a block is set. */
static inline int has_any(const unsigned char *block) {
  uint64_t words[kBlock / 8], any = 0;
  memcpy(words, block, sizeof words);
  for (int i = 0; i < kBlock / 8; ++i) any |= words[i];
  return any != 0;
}

/* Finds the next block at or after `at` with a line end before a possible key: these bytes are
 * set in `places`. Reads up to 64 bytes past the last one. */
FOR_EACH_CPU static int64_t find_block(const Keys *keys, const char *bytes, int64_t at,
                                       int64_t size, unsigned char *places) {
  for (; at < size; at += kBlock) {
    const char *const next = bytes + at + 1;
    Block found = {0};
    for (int64_t i = 0; i < keys->count; ++i) {
      const Key *key = &keys->keys[i];
      const unsigned char first = (unsigned char)key->text.data[0];
      const unsigned char later = (unsigned char)key->text.data[key->later];
      found |= (Block)(*(const Block *)next == first) &
               (Block)(*(const Block *)(next + key->later) == later);
    }
    found &= (Block)(*(const Block *)(bytes + at) == (unsigned char)'\n');
    memcpy(places, &found, sizeof found);
    if (has_any(places)) return at;
  }
  return size;
}

/* True if the line equals the key. `size`: bytes of the line and all lines after it. */
static int is_line(const char *line, int64_t size, mrc_text key) {
  const int64_t rest = size - (int64_t)key.size;
  if (rest < 0 || memcmp(line, key.data, key.size) != 0) return 0;
  const char *end = line + key.size;
  return rest == 0 || end[0] == '\n' || (end[0] == '\r' && (rest == 1 || end[1] == '\n'));
}

static void count_line(const Keys *keys, const char *line, int64_t size, int64_t *counts) {
  for (int64_t i = 0; i < keys->count; ++i) counts[i] += is_line(line, size, keys->keys[i].text);
}

static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)out;
  const Keys *keys = self;
  const char *bytes = records->bytes.data;
  const int64_t size = (int64_t)records->bytes.size;
  if (size > 0) count_line(keys, bytes, size, worker);
  unsigned char places[kBlock];
  for (int64_t at = 0; (at = find_block(keys, bytes, at, size, places)) < size; at += kBlock) {
    for (int64_t line = at + 1; line <= at + kBlock && line < size; ++line) {
      if (places[line - 1 - at] != 0) count_line(keys, bytes + line, size - line, worker);
    }
  }
  return 0;
}

static int begin(void *self, void **worker) {
  (void)self;
  *worker = calloc(kMostKeys, sizeof(int64_t));
  return *worker != NULL ? 0 : host->fail("no memory for the counts");
}

/* Emits keys that were not found, too, so that they have a row. */
static int end(void *self, void *worker, mrc_emitter *out) {
  const Keys *keys = self;
  const int64_t *counts = worker;
  for (int64_t i = 0; i < keys->count; ++i) {
    mrc_emit(out, keys->keys[i].text)[0] = (uint64_t)counts[i];
  }
  free(worker);
  return 0;
}

/* ---- The plugin --------------------------------------------------------------------- */

static const mrc_type values[] = {MRC_INTEGER};
static const mrc_reduction reductions[] = {{.builtin = "sum", .name = "count"}};

static const mrc_job job = {
    .size = sizeof(mrc_job),
    .shape = MRC_BYTES,
    .name = "string_match",
    .summary = "count the lines that are one of a few keys",
    .manual =
        "The input is a dictionary: lines. The answer is how many of them are each of the\n"
        "keys; a key that is not found has 0.\n",
    .options = MRC_ARRAY(options),
    .key_type = MRC_TEXT,
    .values = values,
    .value_count = 1,
    .reductions = MRC_ARRAY(reductions),
    .open = open_keys,
    .close = close_keys,
    .begin = begin,
    .map = map,
    .end = end,
};

static const mrc_job *const jobs[] = {&job, NULL};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "string_match",
    .version = "1",
    .summary = "looks for keys in a dictionary",
    .jobs = jobs,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *mrc) {
  host = mrc;
  return &plugin;
}
