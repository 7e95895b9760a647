// Static initialisers and destructors, threads, malloc and free, exceptions of its own:
// none of it is anybody else's business.
#include "mrc_plugin.h"

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Loud {
  Loud() : numbers({{1, "one"}, {2, "two"}}) {}
  ~Loud() { std::free(std::malloc(numbers.size())); }
  std::map<int, std::string> numbers;
};
Loud loud;

bool works() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([] { std::free(std::malloc(1 << 20)); });
  for (std::thread &thread : threads) thread.join();
  try {
    throw std::runtime_error(loud.numbers[1]);
  } catch (const std::exception &caught) {
    return caught.what() == loud.numbers[1];
  }
}

mrc_job job = {};
const mrc_job *const jobs[] = {&job, nullptr};
mrc_plugin plugin = {};

}  // namespace

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  if (!works()) return host->fail("does not work"), nullptr;
  job.size = sizeof job;
  job.name = "lively";
  job.key_type = MRC_TEXT;
  plugin.size = sizeof plugin;
  plugin.abi = MRC_ABI;
  plugin.name = "lively";
  plugin.jobs = jobs;
  return &plugin;
}
