#include "check/inner/law_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace mrc {
namespace {

constexpr size_t kPage = 4096, kZone = 64;
constexpr size_t kSpace = size_t{1} << 38;  // more than a check needs; reserving it takes no memory

// All guarded memory lies in one range of addresses, and no address is used twice. A byte for each
// page describes it, as an index of `reasons_`, so that a signal handler can look it up.
class Space {
 public:
  Space() {
    begin_ = reserve(kSpace, PROT_NONE);
    reason_of_ = reserve(kSpace / kPage, PROT_READ | PROT_WRITE);
  }

  unsigned char *take(size_t bytes) {
    const size_t at = used_.fetch_add(bytes);
    if (at + bytes > kSpace) abort();  // a check that takes weeks
    return begin_ + at;
  }
  void explain(const unsigned char *from, size_t bytes, const char *what) {
    memset(reason_of_ + page_of(from), index_of(what), bytes / kPage);
  }
  const char *reason(const void *address) const {
    const auto *at = static_cast<const unsigned char *>(address);
    if (at < begin_ || at >= begin_ + kSpace) return nullptr;
    return reasons_[reason_of_[page_of(at)]];
  }

 private:
  static unsigned char *reserve(size_t bytes, int access) {
    void *space = mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) {
      fputs("mrc: error: a check needs 256 GiB of addresses: ulimit -v unlimited\n", stderr);
      _exit(2);
    }
    return static_cast<unsigned char *>(space);
  }
  size_t page_of(const unsigned char *at) const { return static_cast<size_t>(at - begin_) / kPage; }
  // There are fewer than ten texts. Equal texts at different addresses only take two entries.
  unsigned char index_of(const char *what) {
    for (size_t i = 1; i < reasons_.size(); ++i) {
      const char *none = nullptr;
      if (reasons_[i].compare_exchange_strong(none, what) || none == what) {
        return static_cast<unsigned char>(i);
      }
    }
    return 0;
  }

  unsigned char *begin_, *reason_of_;
  std::atomic<size_t> used_ = 0;
  std::array<std::atomic<const char *>, 256> reasons_ = {};
};

Space &space() {
  static Space *const space = new Space();
  return *space;
}
std::atomic<bool> space_in_use = false;

constexpr int kPattern = 0xA5;

// True if the first byte is kPattern and each byte equals the next.
bool is_pattern(const unsigned char *from, const unsigned char *to) {
  return from == to ||
         (*from == kPattern && memcmp(from, from + 1, static_cast<size_t>(to - from - 1)) == 0);
}

size_t rounded(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

GuardedMemory::GuardedMemory(size_t bytes, const char *what)
    : size_(bytes), mapped_(rounded(rounded(bytes, 8) + 2 * kZone, kPage) + 2 * kPage) {
  map_ = space().take(mapped_);
  space_in_use = true;
  space().explain(map_, mapped_, what);
  end_ = map_ + mapped_ - kPage;
  if (mprotect(map_ + kPage, mapped_ - 2 * kPage, PROT_READ | PROT_WRITE) != 0) abort();
  data_ = end_ - kZone - rounded(bytes, 8);
  memset(map_ + kPage, kPattern, mapped_ - 2 * kPage);
}

GuardedMemory::~GuardedMemory() {
  if (!forbidden_) forbid("what an earlier call was given: a pointer was kept");
}

bool GuardedMemory::intact() const {
  return is_pattern(map_ + kPage, data_) && is_pattern(data_ + size_, end_);
}

void GuardedMemory::forbid(const char *what) {
  forbidden_ = true;
  space().explain(map_, mapped_, what);
  // A new mapping at the same addresses frees the memory and keeps the addresses in use.
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(map_, mapped_, PROT_NONE, kFlags, -1, 0) == MAP_FAILED) abort();
}

const char *explain_address(const void *address) {
  return space_in_use ? space().reason(address) : nullptr;
}

GuardedArena::GuardedArena()
    : mrc_arena{[](mrc_arena *arena, size_t bytes) -> void * {
        auto &pieces = static_cast<GuardedArena *>(arena)->pieces_;
        pieces.push_back(std::make_unique<GuardedMemory>(bytes, "memory beside that of an arena"));
        memset(pieces.back()->data(), 0xCD, bytes);
        return pieces.back()->data();
      }} {}

bool GuardedArena::intact() const {
  for (const auto &piece : pieces_) {
    if (!piece->intact()) return false;
  }
  return true;
}

void GuardedArena::forbid() {
  for (const auto &piece : pieces_) piece->forbid("memory of an arena that is gone");
  pieces_.clear();
}

}  // namespace mrc
