/* A job that counts lines, and forks at lines that begin with "fork". An option says what becomes
 * of the second process. */
#define _GNU_SOURCE
#include "test_plugin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;

static int set(const mrc_host *host, mrc_settings settings, void **self) {
  (void)host;
  (void)self;
  how = mrc_setting_at(settings, 0)->text.data;
  return 0;
}

/* Whether this is a second process, which is to fail. */
static int fails(void) {
  const pid_t id = strcmp(how, "clone") == 0 ? (pid_t)syscall(SYS_fork) : fork();
  if (id != 0) {
    if (strcmp(how, "exec") == 0 || strcmp(how, "wait") == 0) waitpid(id, NULL, 0);
    return 0;
  }
  if (strcmp(how, "exec") == 0) execl("/bin/true", "true", (char *)NULL);
  if (strcmp(how, "exit") == 0) exit(0);
  if (strcmp(how, "crash") == 0) abort();
  while (strcmp(how, "stay") == 0) pause();
  return strcmp(how, "fail") == 0;
}

static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self;
  (void)worker;
  for (int64_t i = 0; i < records->count; ++i) {
    const mrc_text line = records->records[i];
    if (line.size >= 4 && memcmp(line.data, "fork", 4) == 0 && fails()) return -1;
    mrc_emit(out, line);
  }
  return 0;
}

static const mrc_option options[] = {
    {"how", MRC_TEXT, "return", "what the second process does", 0, 0}};
static const mrc_job forks = {.size = sizeof(mrc_job),
                              .name = "forks",
                              .summary = "count lines, and fork",
                              .key_type = MRC_TEXT,
                              .options = MRC_ARRAY(options),
                              .open = set,
                              .map = map};

TEST_PLUGIN("forks", &forks)
