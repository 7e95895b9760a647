/* pcap: captures of packets, as tcpdump -w writes them, as inputs of all verbs:
 *
 *     mrc stats -k src -a sum:bytes pcap:FILE
 *
 * Packets follow each other without marks, so `split` reads all of their headers. Workers then
 * decode the packets of each split. */
#define _POSIX_C_SOURCE 200809L
#include "mrc_reader.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { kTime, kBytes, kProtocol, kSource, kTarget, kSourcePort, kTargetPort, kFields };
static const mrc_field fields[kFields] = {
    {"time", MRC_TIME}, {"bytes", MRC_INTEGER}, {"protocol", MRC_TEXT}, {"src", MRC_TEXT},
    {"dst", MRC_TEXT},  {"sport", MRC_INTEGER}, {"dport", MRC_INTEGER}};

enum {
  kFileHeader = 24,
  kPacketHeader = 16,
  kLargest = 1 << 26, /* bytes of a packet; more are damage */
  kHead = 128,        /* bytes of a packet that are decoded */
  kSplitBytes = 4 << 20,
  kText = 48 /* room for an address */
};

/* Headers of devices: where the type of what follows them is, and their sizes. */
typedef struct {
  uint32_t type;
  size_t place, size;
} device;
static const device devices[] = {{1, 12, 14}, {101, 0, 0}, {113, 14, 16}, {276, 0, 20}};

typedef struct {
  const mrc_host *host;
  char *path;
  int swapped;   /* the capture is from a machine with the other order of bytes */
  int64_t nanos; /* nanoseconds in a unit of the fraction of a time */
  const device *device;
} capture;

static uint16_t be16(const unsigned char *at) { return (uint16_t)(at[0] << 8 | at[1]); }
static uint32_t number(const capture *in, const unsigned char *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return in->swapped ? __builtin_bswap32(value) : value;
}

/* Passes over bytes. Seeking would cost a system call. Returns 0 if there are fewer. */
static int skip(FILE *file, size_t bytes) {
  unsigned char rest[4096];
  while (bytes > 0) {
    const size_t part = bytes < sizeof rest ? bytes : sizeof rest;
    if (fread(rest, 1, part, file) < part) return 0;
    bytes -= part;
  }
  return 1;
}

/* ---- Opening and dividing ---- */

static int check(capture *in, FILE *file) {
  unsigned char header[kFileHeader];
  if (fread(header, 1, sizeof header, file) < sizeof header) {
    return in->host->fail("is no capture of packets: it is too short");
  }
  uint32_t magic = number(in, header);
  in->swapped = magic == 0xd4c3b2a1 || magic == 0x4d3cb2a1;
  magic = number(in, header);
  in->nanos = magic == 0xa1b23c4d ? 1 : 1000;
  if (magic == 0x0a0d0d0a) {
    return in->host->fail("is a pcapng file; convert it: editcap -F pcap FILE NEW");
  }
  if (magic != 0xa1b23c4d && magic != 0xa1b2c3d4) return in->host->fail("is no capture of packets");
  for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i) {
    if (devices[i].type == (number(in, header + 20) & 0xffff)) in->device = &devices[i];
  }
  if (in->device != NULL) return 0;
  return in->host->fail(
      "its packets are neither of Ethernet, nor of IP, nor of any device of Linux");
}

static void close_capture(void *self) {
  free(((capture *)self)->path);
  free(self);
}

static int open_capture(const mrc_host *host, const char *text, mrc_fields *out, void **self) {
  FILE *file = fopen(text, "rb");
  if (file == NULL) return host->fail(strerror(errno));
  capture *in = calloc(1, sizeof *in);
  in->host = host;
  in->path = strdup(text);
  *self = in;
  *out = (mrc_fields)MRC_ARRAY(fields);
  const int status = check(in, file);
  fclose(file);
  if (status != 0) close_capture(in);
  return status;
}

/* A worker that comes to damage reports it, after the packets before it. */
static int split_capture(void *self, mrc_splits *splits) {
  const capture *in = self;
  FILE *file = fopen(in->path, "rb");
  unsigned char header[kPacketHeader];
  int64_t begin = kFileHeader, at = kFileHeader;
  if (file == NULL) return in->host->fail(strerror(errno));
  skip(file, kFileHeader);
  while (fread(header, sizeof header, 1, file) == 1 && number(in, header + 8) <= kLargest &&
         skip(file, number(in, header + 8))) {
    at += kPacketHeader + number(in, header + 8);
    if (at - begin < kSplitBytes) continue;
    mrc_add_split(splits, (mrc_split){0, begin, at, 0});
    begin = at;
  }
  mrc_add_split(splits, (mrc_split){0, begin, INT64_MAX, 0});
  fclose(file);
  return 0;
}

/* ---- Reading ---- */

typedef struct {
  FILE *file;
  int64_t at, end;
  const mrc_wanted *wanted;
  int decodes; /* the job needs more than the headers of packets */
  char texts[MRC_BATCH][3][kText];
} cursor;

static int begin_split(void *self, const mrc_split *split, const mrc_wanted *wanted, void **out) {
  const capture *in = self;
  cursor *c = malloc(sizeof *c);
  c->file = fopen(in->path, "rb");
  c->at = split->end == 0 ? kFileHeader : split->begin;
  c->end = split->end == 0 ? INT64_MAX : split->end;
  if (c->file == NULL || fseeko(c->file, c->at, SEEK_SET) != 0) {
    const int problem = errno;
    if (c->file != NULL) fclose(c->file);
    free(c);
    return in->host->fail(strerror(problem));
  }
  c->wanted = wanted;
  c->decodes = memchr(wanted->fields + kProtocol, 1, kFields - kProtocol) != NULL;
  *out = c;
  return 0;
}

static void end_split(void *self, void *worker) {
  (void)self;
  fclose(((cursor *)worker)->file);
  free(worker);
}

static uint64_t text_word(const char *text) {
  const mrc_text value = {text, strlen(text)};
  return mrc_text_word(&value);
}

/* The headers of IPv6 that may stand between its own and that of the protocol are not followed. */
static void decode_ip(const unsigned char *at, size_t size, char (*texts)[kText], uint64_t *row) {
  const int is_6 = size > 0 && at[0] >> 4 == 6;
  if (size < (is_6 ? 40 : 20)) return;
  const unsigned protocol = at[is_6 ? 6 : 9];
  const char *name = protocol == 1    ? "icmp"
                     : protocol == 6  ? "tcp"
                     : protocol == 17 ? "udp"
                     : protocol == 58 ? "icmp6"
                                      : NULL;
  if (name == NULL) snprintf(texts[2], kText, "%u", protocol);
  row[kProtocol] = text_word(name == NULL ? texts[2] : name);
  inet_ntop(is_6 ? AF_INET6 : AF_INET, at + (is_6 ? 8 : 12), texts[0], kText);
  inet_ntop(is_6 ? AF_INET6 : AF_INET, at + (is_6 ? 24 : 16), texts[1], kText);
  row[kSource] = text_word(texts[0]);
  row[kTarget] = text_word(texts[1]);
  const size_t ports = is_6 ? 40 : (size_t)(at[0] & 15) * 4;
  const int is_first = is_6 || (be16(at + 6) & 0x1fff) == 0; /* of the fragments of a packet */
  if ((protocol != 6 && protocol != 17) || !is_first || size < ports + 4) return;
  row[kSourcePort] = be16(at + ports);
  row[kTargetPort] = be16(at + ports + 2);
}

static void decode(const device *device, const unsigned char *at, size_t size, char (*texts)[kText],
                   uint64_t *row) {
  size_t place = device->place, begin = device->size;
  if (begin == 0) {
    decode_ip(at, size, texts, row);
    return;
  }
  if (size < begin) return;
  while (device->type == 1 && (be16(at + place) == 0x8100 || be16(at + place) == 0x88a8)) {
    place += 4, begin += 4; /* the tag of a virtual network */
    if (size < begin) return;
  }
  const unsigned type = be16(at + place);
  if (type == 0x800 || type == 0x86dd) {
    decode_ip(at + begin, size - begin, texts, row);
    return;
  }
  snprintf(texts[2], kText, "0x%04x", type);
  row[kProtocol] = text_word(type == 0x806 ? "arp" : texts[2]);
}

static int fail_at(const capture *in, int64_t at) {
  char reason[100];
  snprintf(reason, sizeof reason,
           "is cut short or damaged at byte %lld; what lies before that is used", (long long)at);
  return in->host->fail(reason);
}

static int read_packets(void *self, void *worker, uint64_t *words, int64_t *rows) {
  const capture *in = self;
  cursor *c = worker;
  while (*rows < MRC_BATCH && c->at < c->end) {
    unsigned char header[kPacketHeader], head[kHead];
    const size_t got = fread(header, 1, sizeof header, c->file);
    if (got == 0 && !ferror(c->file)) c->end = 0;
    if (c->end == 0) return 0;
    if (got < sizeof header) return fail_at(in, c->at);
    const uint32_t captured = number(in, header + 8), bytes = number(in, header + 12);
    const size_t size = captured < kHead ? captured : kHead;
    if (captured > kLargest || fread(head, 1, size, c->file) < size ||
        !skip(c->file, captured - size)) {
      return fail_at(in, c->at);
    }
    c->at += kPacketHeader + captured;
    if (mrc_is_left_out(c->wanted, kBytes, bytes)) continue;
    uint64_t *row = words + *rows * kFields;
    row[kTime] =
        (uint64_t)(number(in, header) * INT64_C(1000000000) + number(in, header + 4) * in->nanos);
    row[kBytes] = bytes; /* on the wire, not in the file */
    row[kProtocol] = row[kSource] = row[kTarget] = 0;
    row[kSourcePort] = row[kTargetPort] = (uint64_t)MRC_NO_INTEGER;
    if (c->decodes) decode(in->device, head, size, c->texts[*rows], row);
    ++*rows;
  }
  return 0;
}

static const mrc_reader reader = {.size = sizeof(mrc_reader),
                                  .flags = MRC_LEAVES_OUT,
                                  .summary = "packets of a capture, as tcpdump -w writes it",
                                  .open = open_capture,
                                  .close = close_capture,
                                  .split = split_capture,
                                  .begin = begin_split,
                                  .read = read_packets,
                                  .end = end_split};
static const mrc_plugin plugin = {.size = sizeof(mrc_plugin),
                                  .abi = MRC_ABI,
                                  .name = "pcap",
                                  .version = "1.0",
                                  .summary = "captures of packets as inputs",
                                  .reader = &reader};

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return &plugin;
}
