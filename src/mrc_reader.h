/* Readers of plugins: inputs that mrc itself cannot read, as rows of typed values. The manual is
 * mrc-plugin(3), and the rules of mrc_plugin.h hold here, too. */
#ifndef MRC_READER_H
#define MRC_READER_H

#include "mrc_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of a field that is MRC_INTEGER or MRC_REAL, both ends included. */
typedef struct mrc_range {
  size_t field;
  int64_t least, most;
} mrc_range;

typedef struct mrc_ranges {
  const mrc_range *at;
  size_t count, bytes;
} mrc_ranges;

/* The part of an input that a job reads. A reader may use it to save work, or ignore it. */
typedef struct mrc_wanted {
  uint32_t size;
  /* By field: 1 if the job reads it. mrc ignores the values of the others. */
  const unsigned char *fields;
  /* Rows with a number in one of these ranges need not be read, nor those that lack a value of its
   * field. All others have to be. mrc tests the condition of the job for all rows that it gets. */
  mrc_ranges left_out;
} mrc_wanted;

/* True if rows with this number need not be read. */
static inline int mrc_is_left_out(const mrc_wanted *wanted, size_t field, int64_t number) {
  for (size_t i = 0; i < wanted->left_out.count; ++i) {
    const mrc_range *range = (const mrc_range *)(const void *)((const char *)wanted->left_out.at +
                                                               i * wanted->left_out.bytes);
    if (range->field == field && range->least <= number && number <= range->most) return 1;
  }
  return 0;
}

/* For readers that use mrc_wanted.left_out. */
#define MRC_LEAVES_OUT ((uint32_t)1)

/* Reads inputs as rows of typed values. On the command line, NAME:TEXT is an input that the reader
 * of the plugin in NAME.so opens. Functions that return int return 0, or what mrc_host.fail()
 * returned. `open`, `begin` and `read` are required. */
struct mrc_reader {
  uint32_t size;       /* sizeof(mrc_reader) */
  uint32_t flags;      /* MRC_LEAVES_OUT */
  const char *summary; /* one line: what it reads, "packets of a capture, such as of tcpdump -w" */

  /* Opens an input: `text` is what follows "NAME:", usually a file. It may be opened several times
   * in a job. `fields` are its columns, at least one; they stay valid until `close`. */
  int (*open)(const mrc_host *host, const char *text, mrc_fields *fields, void **self);
  /* Not called if open failed. */
  void (*close)(void *self);
  /* Divides the rows, in their order, for workers that read the splits at the same time; each
   * should take some milliseconds. The numbers in a split are the reader's own, but not all zero.
   * The splits must depend on the input only. NULL: one worker reads all rows. */
  int (*split)(void *self, mrc_splits *splits);

  /* For each split, one thread at a time calls begin, then read until there are no more rows, and
   * then end, or end earlier. A split that is all zero has all rows. *cursor belongs to the split;
   * several are in use at the same time. If begin fails, neither read nor end is called. split and
   * wanted stay valid until end. */
  int (*begin)(void *self, const mrc_split *split, const mrc_wanted *wanted, void **cursor);
  /* Reads the next rows, up to MRC_BATCH of them, in order: value i of row r becomes
   * words[r * width + i], where `width` is the number of fields. *rows is 0 when called; if it
   * stays 0, the split has ended. Texts stay valid until the next call. Rows that were set before a
   * failure count. */
  int (*read)(void *self, void *cursor, uint64_t *words, int64_t *rows);
  void (*end)(void *self, void *cursor);
};

#ifdef __cplusplus
}
#endif

#endif
