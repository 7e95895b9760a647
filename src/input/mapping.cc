// Decides whether a file is mapped or read.
#include "input/input.h"

#include <linux/magic.h>
#include <sys/resource.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

namespace mrc {
namespace {

constexpr i64 kLeastMapped = i64{1} << 20, kPiece = i64{1} << 20;

// Numbers of file systems that share their pages with mappings (statfs(2)). Others ask a server or
// a program for pages, or keep a cache of their own.
constexpr long kExt = 0xef53, kXfs = 0x58465342, kBtrfs = 0x9123683e, kF2fs = 0xf2f52010;
constexpr long kBcachefs = 0xca451a4e, kTmpfs = 0x01021994, kRamfs = 0x858458f6;
constexpr long kOverlayfs = 0x794c7630, kSquashfs = 0x73717368, kErofs = 0xe0f5e1e2;
constexpr std::array kSharePages = {kExt,   kXfs,       kBtrfs,    kF2fs,  kBcachefs,
                                    kTmpfs, kOverlayfs, kSquashfs, kRamfs, kErofs};

bool shares_pages(const InputFile &file) {
  struct statfs system;
  return fstatfs(file.fd(), &system) == 0 &&
         std::ranges::count(kSharePages, static_cast<long>(system.f_type)) > 0;
}

using Clock = std::chrono::steady_clock;

// Returns the time to see each cache line of the range.
Result<Clock::duration> time_to_see(Window *window, i64 begin, i64 end) {
  const auto start = Clock::now();
  i64 seen = 0;
  for (i64 at = begin; at < end; at += window->stride()) {
    const Result<Bytes> bytes = window->view(at, std::min(end, at + window->stride()));
    if (!bytes.is_ok()) return bytes.status();
    for (size_t i = 0; i < bytes->size(); i += 64) seen += (*bytes)[i];
  }
  [[maybe_unused]] const volatile i64 used = seen;
  return Clock::now() - start;
}

// Returns the time of the second of two looks; the first maps the file, or waits for the disk.
Result<std::chrono::microseconds> time_window(IoMode mode, const Source &source,
                                              const InputFile &file) {
  Pages buffer;
  const std::unique_ptr<Window> window = open_window(mode, source, file, &buffer);
  const i64 end = std::min(source.end, source.begin + kPiece);
  const Result<Clock::duration> first = time_to_see(window.get(), source.begin, end);
  if (!first.is_ok()) return first.status();
  const Result<Clock::duration> time = time_to_see(window.get(), source.begin, end);
  if (!time.is_ok()) return time.status();
  if (const Status torn = window->verify(); !torn.is_ok()) return torn;
  return std::chrono::duration_cast<std::chrono::microseconds>(*time);
}

}  // namespace

bool may_be_mapped(const Source &source) {
  const bool is_file = !source.stream && !source.followed && source.collection == nullptr;
  return is_file && source.end - source.begin >= kLeastMapped;
}

bool is_worth_mapping(const Source &source, const InputFile &file) {
  return may_be_mapped(source) && shares_pages(file);
}

Result<ReadingTimes> time_reading(const Source &source) {
  const Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  if (!shares_pages(*file)) return Status::about(source.name(), "its file system maps no pages");
  const Result<std::chrono::microseconds> read = time_window(IoMode::read, source, *file);
  const Result<std::chrono::microseconds> mapped = time_window(IoMode::mmap, source, *file);
  if (!read.is_ok()) return read.status();
  if (!mapped.is_ok()) return mapped.status();
  return ReadingTimes{.read = *read, .mapped = *mapped};
}

}  // namespace mrc
