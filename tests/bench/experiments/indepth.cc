// The in-depth study: splits handed out one by one or fixed beforehand, with a worker that
// is slower than the others (fig. 2), and comparing hashes before keys (5.10).
#include "workshop.h"

#include <fmt/format.h>

namespace bench {
namespace {

void run_schedule(Workshop *shop) {
  const auto file = shop->input("books300.txt");
  if (!file) return;
  for (const bool disturbed : {false, true}) {
    Contest contest(fmt::format("wordcount --pin, {} ({})",
                                disturbed ? "another process on the first CPU" : "all CPUs alike",
                                describe_file(*file)));
    for (const char *schedule : {"dynamic", "static"}) {
      for (const char *split : {"256K", "2M", "16M", "64M"}) {
        Command command = shop->mrc(
            fmt::format("wordcount --pin --split {} --engine schedule={}", split, schedule), *file);
        command.disturbed = disturbed;
        contest.add(fmt::format("{}, splits of {}", schedule, split), std::move(command));
      }
    }
    contest.run(shop->rounds());
  }
}

void run_fingerprint(Workshop *shop) {
  const struct {
    const char *verb, *file;
  } jobs[] = {{"count", "long200.txt"}, {"wordcount", "zipf300.txt"}};
  for (const auto &job : jobs) {
    const auto file = shop->input(job.file);
    if (!file) continue;
    for (const char *container : {"flat", "hashtree", "tree", "append-group"}) {
      Contest contest(
          fmt::format("{} --container {}: {}", job.verb, container, describe_file(*file)));
      for (const char *fingerprint : {"on", "off"}) {
        contest.add(fmt::format("fingerprint={}", fingerprint),
                    shop->mrc(fmt::format("{} --container {} --engine fingerprint={}", job.verb,
                                          container, fingerprint),
                              *file));
      }
      contest.run(shop->rounds());
    }
  }
}

}  // namespace

const Experiment kSchedule = {"indepth", "schedule",
                              "static and dynamic splits, one slow worker (in-depth fig. 2)",
                              run_schedule};
const Experiment kFingerprint = {"indepth", "fingerprint",
                                 "comparing hashes before keys (in-depth 5.10)", run_fingerprint};

}  // namespace bench
