// The stages of map and group by themselves, on a text in the cache: where a change
// pays, when whole runs are too noisy to tell.
#include "base/number.h"
#include "combine/aggregates.h"
#include "engine/sinks/group_worker.h"
#include "map/emitter.h"
#include "map/key_image.h"

#include <benchmark/benchmark.h>

#include <random>

namespace {

using namespace mrc;

// As random as a job's, and always the same. With a seed of a few bits keys would collide.
constexpr Seed kSeed{0x243F6A8885A308D3, 0x13198A2E03707344};

// English has words of about four and a half letters.
std::string make_text(i64 distinct) {
  std::mt19937_64 random(1);
  std::string text;
  while (text.size() < 200000) {
    double u = std::generate_canonical<double, 53>(random);
    u64 rank = static_cast<u64>(std::pow(static_cast<double>(distinct), u));
    std::string word;
    for (u64 left = rank * 0x9E3779B97F4A7C15; word.size() < 2 + rank % 6; left >>= 5) {
      word += static_cast<char>('a' + left % 26);
    }
    text += word + " ";
  }
  return text + std::string(kPadding, ' ');
}

class Discard : public BatchSink {
 public:
  void take(const Batch<Key16> &) override {}
  void take(const Batch<Key32> &) override {}
  void take(const Batch<KeyRef> &) override {}
};

void rate(benchmark::State &state, i64 records, size_t bytes) {
  state.SetItemsProcessed(state.iterations() * records);
  state.SetBytesProcessed(static_cast<i64>(state.iterations()) * static_cast<i64>(bytes));
}

void BM_Scan(benchmark::State &state) {
  const Scanner *scanner = runnable_scanners()[static_cast<size_t>(state.range(0))];
  if (scanner == nullptr) return state.SkipWithError("not on this CPU");
  state.SetLabel(scanner->name);
  const std::string text = make_text(10000);
  const char *end = text.data() + text.size() - kPadding;
  Bounds bounds;
  i64 edges = 0;
  for (auto _ : state) {
    edges = 0;
    ScanCursor cursor{text.data(), end};
    while (cursor.next < end) {
      scanner->words[static_cast<size_t>(state.range(1))](&cursor, &bounds);
      edges += bounds.size;
    }
    benchmark::DoNotOptimize(bounds);
  }
  rate(state, edges / 2, text.size());
}
BENCHMARK(BM_Scan)->ArgsProduct({{0, 1, 2}, {0, 1, 2}});

// Scanning, images and hashes, but no table.
void BM_Emit(benchmark::State &state) {
  const std::string text = make_text(10000);
  Discard discard;
  auto emitter = std::make_unique<Emitter>(&discard, kSeed);
  MapSpec spec;
  spec.ignore_case = state.range(0) != 0;
  const auto mapper = make_mapper(spec, best_scanner());
  i64 words = 0;
  for (auto _ : state) {
    words = mapper->map({Bytes(text.data(), text.size() - kPadding)}, emitter.get());
  }
  rate(state, words, text.size());
}
BENCHMARK(BM_Emit)->Arg(0)->Arg(1);

// The whole map phase of one worker, by distinct keys.
void BM_MapGroupCombine(benchmark::State &state) {
  const std::string text = make_text(state.range(0));
  const StateLayout layout(count_aggregation());
  auto worker = std::make_unique<GroupWorker>(layout, GroupSettings{.seed = kSeed});
  const auto mapper = make_mapper(MapSpec{}, best_scanner());
  i64 words = 0;
  for (auto _ : state) {
    words = worker->map(mapper.get(), {Bytes(text.data(), text.size() - kPadding)});
  }
  rate(state, words, text.size());
}
BENCHMARK(BM_MapGroupCombine)->Arg(100)->Arg(10000)->Arg(1000000);

// Keys of a workload, hashed, in batches: what group() gets.
enum class Workload { few_keys, many_keys, zipf };

std::vector<std::unique_ptr<Batch<Key16>>> make_batches(Workload workload) {
  constexpr i64 kRecords = i64{1} << 20;
  const u64 keys = workload == Workload::few_keys ? 1000 : u64{1} << 20;
  std::mt19937_64 random(1);
  std::vector<std::unique_ptr<Batch<Key16>>> batches;
  for (i64 i = 0; i < kRecords; ++i) {
    if (i % Batch<Key16>::kCapacity == 0) batches.push_back(std::make_unique<Batch<Key16>>());
    u64 rank = random() % keys;
    if (workload == Workload::zipf) {
      const double u = std::generate_canonical<double, 53>(random);
      rank = static_cast<u64>(std::pow(static_cast<double>(keys), u));
    }
    std::string text = "k" + std::to_string(rank);
    text.resize(text.size() + kPadding);
    Batch<Key16> &batch = *batches.back();
    const auto at = static_cast<size_t>(batch.size++);
    batch.keys[at] = image16<Fold::none>(text.data(), text.size() - kPadding);
    batch.hashes[at] = hash(batch.keys[at], kSeed);
  }
  return batches;
}

// Adds up what is shown, as a reduction would.
class Total : public GroupVisitor<Key16> {
 public:
  void take(const Batch<Key16> &batch, State *const *states) override {
    for (i64 i = 0; i < batch.size; ++i) records += *reinterpret_cast<const u64 *>(states[i]);
  }
  u64 records = 0;
};

// Grouping, counting and showing all partitions, by kind of container and workload.
void BM_Container(benchmark::State &state) {
  const char *names[] = {"few keys, many dups", "many keys, few dups", "zipf"};
  const ContainerType *type = all_containers()[static_cast<size_t>(state.range(0))];
  state.SetLabel(std::string(type->name) + ", " + names[state.range(1)]);
  const auto batches = make_batches(static_cast<Workload>(state.range(1)));
  const StateLayout layout(count_aggregation());
  const ContainerSpec spec{.type = type,
                           .state_bytes = layout.state_bytes(),
                           .expected_keys = state.range(1) == 0 ? 1000 : 600000};
  std::vector<State *> states(Batch<Key16>::kCapacity);
  for (auto _ : state) {
    const auto container = make_container<Key16>(spec);
    for (const auto &batch : batches) {
      container->group(*batch, states.data());
      layout.add(states.data(), {}, batch->size, nullptr);
    }
    container->seal([&](State *const *into, State *const *from, i64 n) {
      layout.merge(into, from, n, nullptr);
    });
    Total total;
    constexpr int kBits = 7;
    for (i64 i = 0; i < i64{1} << kBits; ++i) container->visit({i, kBits}, &total);
    benchmark::DoNotOptimize(total.records);
  }
  rate(state, std::ssize(batches) * Batch<Key16>::kCapacity, 0);
}
BENCHMARK(BM_Container)->Unit(benchmark::kMillisecond)->Apply([](auto *benchmark) {
  for (i64 type = 0; type < std::ssize(all_containers()); ++type) {
    for (i64 workload : {0, 1, 2}) benchmark->Args({type, workload});
  }
});

// Folding values into the states of so many keys: what one aggregate costs for each record.
constexpr const char *kAggregates[] = {"sum:f",  "var:f",      "count:f",     "p50:f",
                                       "p50~:f", "distinct:f", "distinct~:f", "last:f"};

void BM_Aggregate(benchmark::State &state) {
  const std::string name = kAggregates[state.range(0)];
  state.SetLabel(name);
  std::vector<ValueColumn> columns;
  Aggregation aggregation;
  if (!add_aggregate(name, {}, {}, &columns, &aggregation).is_ok()) return;
  const StateLayout layout(std::move(aggregation));
  const auto keys = static_cast<u64>(state.range(1));
  std::vector<u64> memory(keys * static_cast<u64>(layout.state_bytes()) / 8);
  std::mt19937_64 random(1);
  std::vector<State *> states;
  std::vector<u64> words;
  std::array<char, 10000> texts;
  for (char &c : texts) c = static_cast<char>('0' + random() % 10);
  for (u64 i = 0; i < 1024; ++i) {
    states.push_back(reinterpret_cast<State *>(memory.data()) +
                     static_cast<i64>(random() % keys) * layout.state_bytes());
    for (const ValueColumn &column : columns) {
      const mrc_text text{texts.data() + random() % 1000, 6};
      words.push_back(column.kind == ValueColumn::Kind::position ? i
                      : column.kind == ValueColumn::Kind::text
                          ? mrc_text_word(&text)
                          : make_number(static_cast<i64>(random() % 1000000), 2));
    }
  }
  Arena arena;
  for (auto _ : state) {
    layout.add(states.data(), {words.data(), std::ssize(columns)}, 1024, &arena);
  }
  rate(state, 1024, 0);
}
BENCHMARK(BM_Aggregate)->ArgsProduct({benchmark::CreateDenseRange(0, 7, 1), {1, 400}});

}  // namespace

BENCHMARK_MAIN();
