// Readers take no memory while they read: batches keep what they have.
#include "unit/fields/read_records.h"

#include <atomic>
#include <new>

namespace {
std::atomic<long> allocations;
}

#ifndef MRC_SANITIZED  // sanitizers bring their own
void *operator new(std::size_t size) {
  ++allocations;
  if (void *memory = std::malloc(size)) return memory;
  std::abort();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace mrc {
namespace {

std::string repeat(const std::string &text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

void read_all(const RecordReader &reader, const Chunk &chunk, RecordBatch *batch) {
  const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
  while (next < end) {
    batch->clear();
    reader.read(chunk, &next, batch);
  }
}

// How often memory is taken for a second reading of the text.
long allocations_of(const FormatSpec &spec, const std::vector<std::string> &wanted,
                    const std::string &text) {
  const PaddedText padded(text);
  const Chunk chunk{padded.text(), 0, 0};
  const Result<Dialect> dialect = sniff(spec, text, true);
  const auto reader = make_reader(*dialect, fields(wanted));
  const auto batch = std::make_unique<RecordBatch>();
  read_all(**reader, chunk, batch.get());
  const long before = allocations;
  read_all(**reader, chunk, batch.get());
  return allocations - before;
}

TEST(Readers, TakeNoMemoryForRecords) {
  const std::string log = "1.2.3.4 - - [t] \"GET /a?b HTTP/1.1\" 200 12 \"-\" \"x\"\n";
  const std::string wrapped = "\"1.2.3.4 - - [t] \"\"GET /a?b HTTP/1.1\"\" 200 12\",x\n";
  const FormatSpec combined{.format = &LineFormat::combined};
  EXPECT_EQ(
      allocations_of(combined, {"ip", "path", "agent"}, repeat(log + wrapped + "bad\n", 2000)), 0);
  EXPECT_EQ(allocations_of({.delimiter = ';'}, {"1", "2", "0"}, repeat("a;b\n\n", 5000)), 0);
  EXPECT_EQ(allocations_of({.format = &LineFormat::fields}, {"2"}, repeat(" a b c\n", 5000)), 0);
  EXPECT_EQ(allocations_of({.format = &LineFormat::logfmt}, {"msg", "a"},
                           repeat("a=1 msg=\"x \\\"y\\\" and more than fits in place\"\n", 5000)),
            0);
  EXPECT_EQ(allocations_of({.format = &LineFormat::ltsv}, {"b"}, repeat("a:1\tb:2\n", 5000)), 0);
  EXPECT_EQ(allocations_of({.format = &LineFormat::syslog}, {"program", "severity"},
                           repeat("<34>Oct 11 22:14:15 host su[1]: m\n", 5000)),
            0);
}

}  // namespace
}  // namespace mrc
#endif
