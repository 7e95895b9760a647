// Commands that read the inputs of a job, in splits of whole records, while the job reads what they
// print.
#include "engine/inner/plan_steps.h"
#include "split/chunk_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// Commands that share splits take small ones, so that they finish together. A command of its own
// costs as much as some MiB of work.
constexpr i64 kSharedSplit = i64{1} << 20;
constexpr i64 kOwnSplit = i64{32} << 20;
constexpr i64 kCommandsPerWorker = 4;
// A batch of lines for a combiner: many copies of a key are in it, and starting a command for it
// costs little beside it.
constexpr i64 kBatch = i64{16} << 20;
constexpr i64 kLeastBatch = i64{64} << 10;

i64 bytes_of(const std::vector<Source> &sources) {
  i64 bytes = 0;
  for (const Source &source : sources) bytes += source.end - source.begin;
  return bytes;
}

Status divide_keys(const Program &program, i64 cpus, Plan::Fed *fed) {
  const i64 bytes =
      std::max(bytes_of(fed->sources) / (kCommandsPerWorker * cpus) + 1, kSharedSplit);
  for (i64 i = 0; i < std::ssize(fed->sources); ++i) {
    const Source &input = fed->sources[static_cast<size_t>(i)];
    if (input.stream || input.end == input.begin) continue;
    Result<std::vector<Split>> splits =
        split_by_key(input, i, program.split_bytes.value_or(bytes), program.map.terminator);
    if (!splits.is_ok()) return splits.status();
    fed->splits.insert(fed->splits.end(), splits->begin(), splits->end());
  }
  return Status::ok();
}

Source command_of(const Program &program, std::string name) {
  Source source{.path = std::move(name), .command = program.feed.command, .stream = true};
  source.feed_seconds = program.feed.seconds;
  return source;
}

// Calls visit(source, split) for each command that has an input of its own, in the order of the
// input. The split is null for a stream.
template <typename Visit>
void each_own_input(const Plan::Fed &fed, Visit visit) {
  auto split = fed.splits.begin();
  for (i64 i = 0; i < std::ssize(fed.sources); ++i) {
    const Source &source = fed.sources[static_cast<size_t>(i)];
    if (source.stream) visit(source, nullptr);
    for (; split != fed.splits.end() && split->source == i; ++split) visit(source, &*split);
  }
}

std::string name_of(const Source &source, const Split *split) {
  if (split == nullptr) return source.name();
  return fmt::format("{}, bytes {} to {}", source.name(), split->begin, split->end - 1);
}

void describe_input(const Program &program, Plan *plan) {
  plan->decisions.push_back(
      {"commands", fmt::format("{} of {}", plan->sources.size(), program.feed.command),
       plan->fed.is_shared ? "as many as workers; each takes splits while there are some"
       : program.feed.share == FeedSpec::Share::keys ? "one for each range of keys"
                                                     : "one for each split"});
  if (program.feed.combiner.empty()) return;
  plan->decisions.push_back(
      {"combiner", program.feed.combiner, "reads sorted batches of what each command prints"});
}

// Returns what the queue of each command has.
std::vector<QueueSpec> queues_of(const Plan::Fed &fed, const CutBytes &cuts) {
  std::vector<QueueSpec> queues;
  if (fed.is_shared) {
    queues.push_back({.sources = fed.sources, .splits = fed.splits, .cuts = cuts});
    return queues;
  }
  each_own_input(fed, [&](const Source &source, const Split *split) {
    QueueSpec &queue = queues.emplace_back(QueueSpec{.sources = {source}, .cuts = cuts});
    if (split == nullptr) return;
    queue.splits = {*split};
    queue.splits[0].source = 0;
  });
  return queues;
}

}  // namespace

void plan_feeds(const Program &program, i64 cpus, Plan *plan) {
  Plan::Fed &fed = plan->fed;
  fed.sources = std::exchange(plan->sources, {});
  fed.is_shared = program.feed.share == FeedSpec::Share::any;
  if (fed.sources.empty()) return;
  if (program.feed.share == FeedSpec::Share::keys) {
    plan->problem = divide_keys(program, cpus, &fed);
  } else {
    const i64 bytes = fed.is_shared ? kSharedSplit : kOwnSplit;
    fed.splits = plan_splits(fed.sources, program.split_bytes.value_or(bytes));
  }
  const i64 work = std::ssize(fed.splits) +
                   std::ranges::count_if(fed.sources, [](const Source &of) { return of.stream; });
  for (i64 i = 0; fed.is_shared && i < std::clamp<i64>(work, 1, cpus); ++i) {
    plan->sources.push_back(command_of(program, "map"));
  }
  if (!fed.is_shared) {
    each_own_input(fed, [&](const Source &source, const Split *split) {
      plan->sources.push_back(command_of(program, name_of(source, split)));
    });
  }
  if (plan->sources.empty()) plan->sources.push_back(command_of(program, "map"));
  describe_input(program, plan);
}

namespace {

std::shared_ptr<Combiner> make_combiner(const Program &program, const Plan &plan) {
  if (program.feed.combiner.empty()) return nullptr;
  const auto combiner = std::make_shared<Combiner>();
  combiner->command = program.feed.combiner;
  combiner->terminator = program.map.terminator;
  combiner->most_bytes = std::clamp(plan.memory / (16 * plan.workers), kLeastBatch, kBatch);
  return combiner;
}

}  // namespace

void open_feeds(const Program &program, const Plan &plan, const QueueSpec &like,
                std::vector<Source> *sources) {
  if (program.feed.command.empty()) return;
  const CutBytes cuts({&program.map.terminator, 1});
  std::vector<QueueSpec> queues = queues_of(plan.fed, cuts);
  if (queues.empty()) queues.push_back({.sources = {}, .cuts = cuts});
  const i64 commands = plan.fed.is_shared ? std::ssize(*sources) : 1;
  std::vector<std::shared_ptr<Feed>> feeds;
  for (QueueSpec &queue : queues) {
    queue.complain = like.complain;
    queue.most_window_bytes = like.most_window_bytes;
    queue.io = plan.io;
    feeds.push_back(std::make_shared<ChunkFeed>(std::move(queue), program.map.terminator,
                                                plan.fed.is_shared, commands));
  }
  const std::shared_ptr<Combiner> combiner = make_combiner(program, plan);
  for (size_t i = 0; i < sources->size(); ++i) {
    (*sources)[i].combiner = combiner;
    (*sources)[i].feed = feeds[std::min(i, feeds.size() - 1)];
  }
}

}  // namespace mrc
