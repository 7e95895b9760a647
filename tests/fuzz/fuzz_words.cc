// All scanners against the naive program, on any bytes. The first byte chooses the
// kind of words and the size of the padding's content.
#include "map/emitter.h"
#include "property/naive.h"

#include <cstdlib>

namespace {

using namespace mrc;

class Collector : public BatchSink {
 public:
  void take(const Batch<Key16> &batch) override { collect(batch); }
  void take(const Batch<Key32> &batch) override { collect(batch); }
  void take(const Batch<KeyRef> &batch) override { collect(batch); }
  std::vector<std::string> keys;

 private:
  template <typename Key>
  void collect(const Batch<Key> &batch) {
    for (i64 i = 0; i < batch.size; ++i) {
      keys.emplace_back(key_bytes(batch.keys[static_cast<size_t>(i)]));
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  MapSpec spec;
  spec.words = static_cast<Words>(data[0] % 3);
  const std::string text(reinterpret_cast<const char *>(data) + 1, size - 1);
  std::vector<std::string> expected;
  for (const naive::Key &word : naive::words(text, spec.words)) expected.push_back(word.text);
  std::sort(expected.begin(), expected.end());
  // What lies past a chunk must not matter.
  const std::string padded = text + std::string(kPadding, static_cast<char>(data[0]));
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner == nullptr) continue;
    Collector collector;
    Emitter emitter(&collector, {1, 2});
    make_mapper(spec, *scanner)->map({Bytes(padded.data(), text.size()), 0, 1}, &emitter);
    std::sort(collector.keys.begin(), collector.keys.end());
    if (collector.keys != expected) std::abort();
  }
  return 0;
}
