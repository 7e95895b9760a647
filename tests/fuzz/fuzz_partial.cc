// What describes a partial, and a list of units, on any bytes: an error, or one that is written and
// read back the same. The first byte says which of them, and whether the bytes become a whole run
// with right checksums, a line of text, or come as they are.
#include "base/hash.h"
#include "base/one_line.h"
#include "kept/merge_partials.h"
#include "kept/unit_list.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

using namespace mrc;

namespace {

// A file in memory, by a name that can be opened.
class MemoryFile {
 public:
  explicit MemoryFile(Bytes bytes) : fd_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (write(fd_, bytes.data(), bytes.size()) < 0) std::abort();
  }
  ~MemoryFile() { close(fd_); }
  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  const int fd_;
};

void merge(Bytes bytes) {
  const MemoryFile file(bytes);
  PartialMerger merger({.once = true});
  const Status status = read_partials(*examine(file.path()), "/tmp", [&](PartialStates states) {
    return merger.take(0, std::move(states));
  });
  if (status.is_ok() && !merger.is_empty()) static_cast<void>(merger.finish());
}

// The text as the last block of a run that is sound.
std::string run_of(Bytes text) {
  const RunFile file = RunFile::adopt(memfd_create("run", MFD_CLOEXEC), "run");
  RunWriter writer(&file, {.shape = {0, 8}});
  const auto bytes = static_cast<size_t>(record_bytes({}, 0, false, std::ssize(text)));
  std::string block(bytes + kRecordSlack, '\0');
  write_record(reinterpret_cast<std::byte *>(block.data()), {}, {.var = text});
  if (!writer.add_block({.records = 1}, Bytes(block).substr(0, bytes)).is_ok()) std::abort();
  if (!writer.finish().is_ok()) std::abort();
  std::string run(static_cast<size_t>(writer.bytes()), '\0');
  if (!file.read(0, reinterpret_cast<std::byte *>(run.data()), std::ssize(run)).is_ok())
    std::abort();
  return run;
}

void read_list(std::string text) {
  text += fmt::format("end {:016x}\n", checksum_bytes(text));
  const Result<UnitList> list = UnitList::from_text(text);
  if (!list.is_ok()) return;
  const Result<UnitList> again = UnitList::from_text(list->to_text());
  if (!again.is_ok() || !(*again == *list)) std::abort();
}

void read_text(Bytes text) {
  const Result<Partial> partial = Partial::from_text(text);
  if (!partial.is_ok()) return;
  const Result<Partial> again = Partial::from_text(partial->to_text());
  if (!again.is_ok() || !(*again == *partial)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const Bytes text(reinterpret_cast<const char *>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0: merge(text); break;
    case 1: merge(run_of(text)); break;
    case 2: {
      std::string line = "0\t";
      append_base64(run_of(text), &line);
      merge(line);
      break;
    }
    case 3: read_list(std::string(text)); break;
    default: read_text(text); break;
  }
  return 0;
}
