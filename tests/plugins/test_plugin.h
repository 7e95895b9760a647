/* The end of a plugin that is a test: TEST_PLUGIN("name", &job, ...) is its entry. */
#ifndef TEST_PLUGIN_H
#define TEST_PLUGIN_H

#include "mrc_plugin.h"

#define TEST_PLUGIN(its_name, ...)                              \
  static const mrc_job *const jobs[] = {__VA_ARGS__, NULL};     \
  static const mrc_plugin plugin = {.size = sizeof(mrc_plugin), \
                                    .abi = MRC_ABI,             \
                                    .name = its_name,           \
                                    .version = "1",             \
                                    .summary = "a test",        \
                                    .jobs = jobs};              \
  const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {       \
    (void)host;                                                 \
    return &plugin;                                             \
  }

#endif
