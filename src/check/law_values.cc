#include "check/inner/law_bench.h"

#include <fmt/format.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>

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

enum Kind : u64 { kSmall, kEdges, kSample, kAny, kKindsOfValues };

constexpr i64 kIntegers[] = {INT64_MAX, INT64_MIN + 1, MRC_NO_INTEGER, 0, -1,
                             1,         INT32_MAX,     i64{1} << 53};
constexpr double kReals[] = {0.0,      -0.0,  1e308,   -1e308,   5e-324,
                             INFINITY, -1e-9, 1.0 / 3, HUGE_VAL, 9007199254740993.0,
                             NAN,      -1};

// Returns the lines, and the words in them.
std::vector<std::string> texts_in(std::span<const std::string> lines) {
  std::vector<std::string> texts;
  for (const std::string &line : lines) {
    texts.push_back(line);
    for (size_t at = 0; at < line.size();) {
      const size_t end = std::min(line.find_first_of(" \t,;", at), line.size());
      if (end > at) texts.push_back(line.substr(at, end - at));
      at = end + 1;
    }
  }
  return texts;
}

bool is_small(double number) { return std::abs(number) < 9e18; }

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

LawValues::LawValues(std::span<const mrc_type> types, std::span<const std::string> lines, u64 seed)
    : types_(types.begin(), types.end()), texts_(texts_in(lines)), random_(seed) {
  for (const std::string &text : texts_) {
    char *end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == '\0') numbers_.push_back(number);
  }
}

LawValue LawValues::value(mrc_type type, u64 kind) {
  LawValue value{.type = type};
  if (kind == kAny) kind = random(kAny);
  const bool sample = kind == kSample && !(type == MRC_TEXT ? texts_.empty() : numbers_.empty());
  if (type == MRC_TEXT) {
    value.text = std::string(random(4), static_cast<char>('a' + random(3)));
    if (sample) value.text = texts_[random(texts_.size())];
    if (kind != kEdges) return value;
    switch (random(16)) {
      case 0: value.text = std::string(0xFFFE + random(3), 'x'); break;  // both forms of a word
      case 1: value.text.reset(); break;
      case 2: value.text = ""; break;
      case 3: value.text = std::string(2, '\0'); break;
      default: value.text = std::string(random(300), static_cast<char>(random(256)));
    }
  } else if (type == MRC_REAL) {
    value.real = static_cast<double>(random(100)) / 10;
    if (sample) value.real = numbers_[random(numbers_.size())];
    if (kind == kEdges) value.real = kReals[random(std::size(kReals))];
  } else {
    value.integer = static_cast<i64>(random(10));
    const double number = sample ? numbers_[random(numbers_.size())] : 0;
    if (sample && is_small(number)) value.integer = static_cast<i64>(number);
    if (kind == kEdges) value.integer = kIntegers[random(std::size(kIntegers))];
  }
  return value;
}

LawRecords LawValues::next(size_t most) { return many(random(most + 1)); }

LawRecords LawValues::many(size_t size) {
  LawRecords records(size);
  const u64 kind = random(kKindsOfValues);
  for (LawRecord &record : records) {
    for (mrc_type type : types_) record.push_back(value(type, kind));
  }
  return records;
}

LawValue simplest(mrc_type type) {
  LawValue value{.type = type};
  if (type == MRC_TEXT) value.text = "a";
  value.integer = 1;
  value.real = 1;
  return value;
}

bool is_simplest(const LawValue &value) {
  return value.type == MRC_TEXT   ? value.text == "a"
         : value.type == MRC_REAL ? value.real == 1
                                  : value.integer == 1;
}

std::string show_value(const LawValue &value) {
  constexpr size_t kLongest = 40;
  if (value.type == MRC_REAL) return fmt::format("{}", value.real);
  if (value.type == MRC_INTEGER || value.type == MRC_TIME) {
    return value.integer == MRC_NO_INTEGER ? "missing" : std::to_string(value.integer);
  }
  if (!value.text) return "missing";
  std::string shown = "\"";
  for (char c : value.text->substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= ' ' && byte < 0x7F && c != '"' && c != '\\';
    shown += plain ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  shown += '"';
  if (value.text->size() > kLongest) shown += fmt::format("... of {} bytes", value.text->size());
  return shown;
}

std::string show_records(const LawRecords &records) {
  constexpr size_t kMost = 20;
  std::string shown;
  for (size_t at = 0; at < records.size(); ++at) {
    if (at == kMost) return shown + fmt::format(" and {} more", records.size() - kMost);
    const LawRecord &record = records[at];
    shown += shown.empty() ? "add(" : " add(";
    for (size_t i = 0; i < record.size(); ++i) {
      shown += i > 0 ? ", " : "";
      shown += show_value(record[i]);
    }
    shown += ')';
  }
  return shown.empty() ? "new" : shown;
}

}  // namespace mrc
