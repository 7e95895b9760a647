#include "scaling/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace bench {
namespace {

constexpr Shape kShapes[] = {
    {"equal", "all keys are equal, and have 72 bytes", 128},
    {"three", "three keys", 64},
    {"unique", "all keys differ, from their first byte on", 72},
    {"prefix", "all keys differ, after 5,000 bytes that are equal", 5072},
    {"agents", "user agents, most with 90 bytes in common; values have 200 bytes", 384},
    {"words", "words by Zipf's law, with 8 bytes in common", 72},
};

constexpr i64 kVocabulary = 1000000;  // words
constexpr i64 kAgents = 20000;

// A permutation of all numbers (splitmix64): so many different ones as there are records.
u64 mixed(u64 i) {
  i += 0x9e3779b97f4a7c15;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9;
  i = (i ^ (i >> 27)) * 0x94d049bb133111eb;
  return i ^ (i >> 31);
}

// A rank below n, with weight 1 / (rank + 1).
i64 zipf(u64 random, i64 n) {
  const double u = static_cast<double>(random >> 11) * 0x1p-53;
  const double x = std::exp(u * std::log(static_cast<double>(n) + 1));
  return std::min(static_cast<i64>(x) - 1, n - 1);
}

// Ranks below 26^7 have words of their own: the factor has no divisor in common with it.
std::string word(i64 rank) {
  std::string text = "article/";
  u64 left = static_cast<u64>(rank) * 4963932681 % 8031810176;
  for (int i = 0; i < 7; ++i, left /= 26) text += static_cast<char>('a' + left % 26);
  return text;
}

// The last number is the rank, so that each rank has an agent of its own.
std::string agent(i64 rank) {
  const u64 random = mixed(static_cast<u64>(rank));
  const u64 major = 80 + random % 60, build = random / 64 % 7000;
  if (rank % 4 == 3) {
    return fmt::format("Mozilla/5.0 (X11; Linux x86_64; rv:{0}.{1}) Gecko/20100101 Firefox/{0}.{1}",
                       major, rank);
  }
  const char *const product[] = {"", " Edg/120.0.2210.91", " OPR/106.0.0.0"};
  return fmt::format(
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
      "Chrome/{}.0.{}.{} Safari/537.36{}",
      major, build, rank, product[rank % 3]);
}

struct Record {
  std::string key, value;
  u64 number;  // differs in all records
};

// The key of rank `rank` of `of`; fewer ranks than records have keys of their own in some shapes.
std::string key_of(std::string_view shape, u64 rank) {
  if (shape == "equal") return std::string(72, 'e');
  if (shape == "three") return fmt::format("group{}", rank % 3);
  if (shape == "prefix") return fmt::format("{:p<5000}{:016x}", "", mixed(rank));
  if (shape == "agents") return agent(static_cast<i64>(rank));
  if (shape == "words") return word(static_cast<i64>(rank));
  return fmt::format("{:016x}", mixed(rank));
}

Record record_of(std::string_view shape, i64 i) {
  const u64 row = static_cast<u64>(i), random = mixed(row);
  Record record;
  record.number = 1700000000 + row * 7919 % 104729000;  // they have no divisor in common
  record.value = fmt::format("v{:015x}", mixed(row + (u64{1} << 40)) >> 4);
  if (shape == "agents") {
    record.key = agent(zipf(random, kAgents));
    record.value =
        fmt::format("https://www.example.org/search?session={}&q={:q<143}", record.value, "");
  } else if (shape == "words") {
    record.key = word(zipf(random, kVocabulary));
    record.value = word(zipf(mixed(random), kVocabulary));
  } else {
    record.key = key_of(shape, row);
  }
  return record;
}

// How many keys `records` records may have.
i64 keys_of(std::string_view shape, i64 records) {
  if (shape == "equal") return 1;
  if (shape == "three") return 3;
  return std::min(records, shape == "agents" ? kAgents : shape == "words" ? kVocabulary : records);
}

// The key as a part of a record in which `reserved` bytes have a meaning.
std::string without(std::string key, std::string_view reserved) {
  for (char &c : key) {
    if (reserved.find(c) != std::string_view::npos) c = '_';
  }
  return key;
}

std::string line_of(std::string_view shape, std::string_view layout, i64 i) {
  if (layout == "keys") return fmt::format("{}\t{}\n", key_of(shape, static_cast<u64>(i)), i);
  const Record record = record_of(shape, i);
  if (layout == "counts") {
    return fmt::format("{}\t{}\t{}\n", record.key, record.value, record.number);
  }
  if (layout == "ratings") {
    const u64 n = record.number;
    return fmt::format("{}:{}_{},{}_{},{}_{}\n", without(record.key, ":,"), n % 499, n % 5 + 1,
                       500 + n % 487, n % 4 + 1, 1000 + n % 491, n % 3 + 1);
  }
  if (layout == "pairs") {
    return fmt::format("{},~{}\n", without(record.key, ", "), without(record.value, ", "));
  }
  return fmt::format("{}\t{}\t{}\tg{}\t{}\n", record.key, record.value, record.number, i % 3,
                     i % 2 == 0 ? "login" : "logout");
}

void write(const std::string &path, const Shape &shape, std::string_view layout, i64 records) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    std::perror(path.c_str());
    std::exit(2);
  }
  const i64 lines = layout == "keys" ? keys_of(shape.name, records) : records;
  for (i64 i = 0; i < lines; ++i) {
    // The keys come backwards, so that they are in no order that the other layouts have.
    const std::string line = line_of(shape.name, layout, layout == "keys" ? lines - 1 - i : i);
    std::fwrite(line.data(), 1, line.size(), file);
  }
  if (std::fclose(file) == 0) return;
  std::perror(path.c_str());
  std::exit(2);
}

}  // namespace

std::span<const Shape> shapes() { return kShapes; }

const Shape *find_shape(std::string_view name) {
  const auto *found = std::ranges::find(kShapes, name, &Shape::name);
  return found == std::end(kShapes) ? nullptr : found;
}

Inputs::Inputs(std::string directory) : directory_(std::move(directory)) {
  std::filesystem::create_directories(directory_);
}

Inputs::~Inputs() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

std::string Inputs::file(const Shape &shape, std::string_view layout, i64 records) {
  const std::string path = fmt::format("{}/{}-{}-{}.txt", directory_, shape.name, layout, records);
  std::once_flag *once;
  {
    const std::lock_guard guard(lock_);
    once = &made_[path];
  }
  std::call_once(*once, [&] { write(path, shape, layout, records); });
  return path;
}

}  // namespace bench
