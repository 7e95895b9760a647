// Runs inside the machine of tests/numa/run: is what workers write to near them, and are
// files dealt to workers that are near their pages? Prints a line for each worker and
// group, and fails if any is not as it should be.
//   near_memory GROUPS FOLDER
#include "engine/inner/plan_steps.h"
#include "group/group.h"
#include "input/input.h"
#include "map/key_image.h"
#include "sched/sched.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>

namespace mrc {
namespace {

constexpr i64 kPage = 4096;
constexpr i64 kKeys = 20000;              // 1 to 2 MiB of slots, after three growths
constexpr i64 kFileBytes = i64{4} << 20;  // each

std::mutex mutex;
bool failed = false;

// One line about so many pages that should all be near.
void tell(const std::string &what, i64 near, i64 all) {
  std::lock_guard lock(mutex);
  fmt::print("{}: {} of {} pages near{}\n", what, near, all, near == all ? "" : ", FAILED");
  if (near != all || all == 0) failed = true;
}

// The node of each page, negative if the kernel does not tell.
std::vector<int> nodes_of(std::vector<void *> pages) {
  std::vector<int> nodes(pages.size(), -1);
  syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, nodes.data(), 0);
  return nodes;
}

// How many of these pages are on the node. The kernel does not tell where a page is while it puts
// it into a huge one, which a slow machine gives it the time to do: then it is asked again. A page
// that is on another node stays there.
i64 count_on(i64 node, const std::vector<void *> &pages) {
  constexpr int kTries = 100;
  std::vector<int> nodes = nodes_of(pages);
  const auto unknown = [&] { return std::ranges::count_if(nodes, [](int at) { return at < 0; }); };
  for (int i = 0; i < kTries && unknown() > 0; ++i) {
    usleep(20000);
    nodes = nodes_of(pages);
  }
  const i64 near = std::ranges::count(nodes, node);
  if (near != std::ssize(pages)) {
    std::lock_guard lock(mutex);
    fmt::print("{} pages are on other nodes, {} nowhere\n", std::ssize(pages) - near - unknown(),
               unknown());
  }
  return near;
}

void *page_of(const void *address) {
  return reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(address) & ~uintptr_t{kPage - 1});
}

// Calls fn with the addresses of the states of all keys.
void group_all(Groups *groups, const std::function<void(State **, i64)> &fn) {
  auto batch = std::make_unique<Batch<Key16>>();
  std::vector<State *> states(static_cast<size_t>(batch->kCapacity));
  for (i64 key = 0; key < kKeys;) {
    batch->size = std::min(kKeys - key, batch->kCapacity);
    for (i64 i = 0; i < batch->size; ++i, ++key) {
      char text[32] = {};
      const int length = snprintf(text, 16, "%ld", static_cast<long>(key));
      batch->keys[static_cast<size_t>(i)] = image16<Fold::none>(text, length);
      batch->hashes[static_cast<size_t>(i)] = hash(batch->keys[static_cast<size_t>(i)], Seed{1, 2});
    }
    groups->container<Key16>().group(*batch, states.data());
    fn(states.data(), batch->size);
  }
}

void check_table(const std::string &worker, i64 node) {
  Groups groups(ContainerSpec{});
  group_all(&groups, [](State **, i64) {});  // until it does not grow any more
  std::vector<void *> pages;
  group_all(&groups, [&](State **states, i64 n) {
    for (i64 i = 0; i < n; ++i) pages.push_back(page_of(states[i]));
  });
  std::ranges::sort(pages);
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  tell(worker + " table", count_on(node, pages), std::ssize(pages));
}

void check_buffer(const std::string &worker, i64 node) {
  Pages buffer(i64{1} << 20);
  std::memset(buffer.data(), 1, static_cast<size_t>(buffer.size()));
  std::vector<void *> pages;
  for (i64 at = 0; at < buffer.size(); at += kPage) pages.push_back(buffer.data() + at);
  tell(worker + " buffer", count_on(node, pages), std::ssize(pages));
}

// The first worker of a group writes its file: new pages are on the node of their writer.
void write_file(const std::string &path) {
  FILE *file = fopen(path.c_str(), "w");
  if (file == nullptr) std::abort();
  for (i64 at = 0; at < kFileBytes; at += 16) fputs("some words here\n", file);
  fclose(file);
}

// Each group must get the splits of its own file, wherever that comes in the input.
void check_files(const Topology &topology, const std::string &folder, WorkerPool *pool) {
  Program program;
  program.inputs.clear();
  for (i64 group = topology.size() - 1; group >= 0; --group) {
    program.inputs.push_back(folder + "/" + std::to_string(group));
  }
  program.pin = true;
  program.threads = topology.cpus();
  const Plan plan = make_plan(program, &topology);
  std::vector<Split> splits = plan.splits;
  Shares shares = plan.shares;
  if (!find_nodes(plan, pool, &splits).is_ok()) std::abort();
  deal_by_pages(plan, &splits, &shares);
  i64 at = 0;
  for (i64 group = 0; group < topology.size(); ++group) {
    i64 own = 0, all = shares.ends[static_cast<size_t>(group)] - at;
    for (; at < shares.ends[static_cast<size_t>(group)]; ++at) {
      own += topology.size() - 1 - splits[static_cast<size_t>(at)].source == group;
    }
    tell("group " + std::to_string(group) + " splits", own, all);
  }
}

bool check(i64 groups, const std::string &folder) {
  const Topology topology = Topology::load();
  fmt::print("{} groups on {} nodes, {} CPUs\n", topology.size(), topology.nodes(),
             topology.cpus());
  if (topology.size() != groups || topology.nodes() != groups) return false;
  const std::vector<Place> places = place_workers(topology, topology.cpus(), true);
  WorkerPool pool(topology.cpus());
  Status status = pool.run(pool.size(), [&](i64 worker) {
    const Place &place = places[static_cast<size_t>(worker)];
    const CpuGroup &group = topology.groups()[static_cast<size_t>(place.group)];
    if (Status bound = bind(place); !bound.is_ok()) return bound;
    const std::string name = fmt::format("worker {} on node {}", worker, group.node);
    check_table(name, group.node);
    check_buffer(name, group.node);
    if (place.cpu == group.cpus[0]) write_file(folder + "/" + std::to_string(place.group));
    return Status::ok();
  });
  if (!status.is_ok()) fmt::print("{}\n", status.message());
  if (status.is_ok()) check_files(topology, folder, &pool);
  return status.is_ok() && !failed;
}

}  // namespace
}  // namespace mrc

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const bool good = mrc::check(std::atoll(argv[1]), argv[2]);
  fmt::print("near_memory: {}\n", good ? "passed" : "FAILED");
  return good ? 0 : 1;
}
