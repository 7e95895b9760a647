// The splitter on any bytes: chunks in sequence are the file, each ends after a cut
// byte, whatever the size of splits (first byte) and the way of reading (second).
#include "split/split_queue.h"
#include "support/next_chunk.h"

#include <unistd.h>

#include <cstdlib>

namespace {

using namespace mrc;

// One file, overwritten for each input.
const std::string &path() {
  static const std::string name = "/tmp/mrc-fuzz-split-" + std::to_string(getpid());
  return name;
}

void write_input(Bytes text) {
  FILE *file = fopen(path().c_str(), "wb");
  if (file == nullptr || fwrite(text.data(), 1, text.size(), file) != text.size()) std::abort();
  fclose(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3) return 0;
  const Bytes text(reinterpret_cast<const char *>(data) + 2, size - 2);
  write_input(text);
  Result<Source> source = examine(path());
  if (!source.is_ok()) std::abort();
  // It begins as a compressed file or an archive does, which is not split.
  if (source->stream || source->collection) return 0;
  const CutBytes cuts(data[1] & 2 ? " \n.," : "\n");
  SplitQueue queue({.sources = {*source},
                    .splits = plan_splits({*source}, 1 + data[0]),
                    .cuts = cuts,
                    .complain = [](const Source &, const Status &) { std::abort(); },
                    .in_order = (data[1] & 4) != 0,
                    .io = data[1] & 1 ? IoMode::mmap : IoMode::read});
  ChunkReader reader(&queue);
  std::string seen;
  for (;;) {
    Result<std::optional<Chunk>> chunk = next_chunk(&reader);
    if (!chunk.is_ok()) std::abort();
    if (!*chunk) break;
    const Bytes bytes = (*chunk)->bytes;
    if (bytes.empty() || (*chunk)->offset != static_cast<i64>(seen.size())) std::abort();
    seen += bytes;
    const char *end = bytes.data() + bytes.size();
    if (cuts.first(end - 1, end) == nullptr && seen.size() != text.size()) std::abort();
  }
  if (seen != text) std::abort();
  unlink(path().c_str());
  return 0;
}
