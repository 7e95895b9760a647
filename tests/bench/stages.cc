// The stages of map and group by themselves, on a text in the cache: where a change
// pays, when whole runs are too noisy to tell.
#include "engine/map_worker.h"
#include "map/emitter.h"

#include <benchmark/benchmark.h>

#include <random>

namespace {

using namespace mrc;

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
  auto emitter = std::make_unique<Emitter>(&discard, Seed{1, 2});
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
  const StateLayout layout({&kCount});
  auto worker = std::make_unique<MapWorker>(layout, ContainerSpec{}, Seed{1, 2});
  const auto mapper = make_mapper(MapSpec{}, best_scanner());
  i64 words = 0;
  for (auto _ : state) {
    words = worker->map(*mapper, {Bytes(text.data(), text.size() - kPadding)});
  }
  rate(state, words, text.size());
}
BENCHMARK(BM_MapGroupCombine)->Arg(100)->Arg(10000)->Arg(1000000);

}  // namespace

BENCHMARK_MAIN();
