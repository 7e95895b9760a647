#include "check/inner/law_values.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace mrc {
namespace {

enum Kind : u64 { kSmall, kEdges, kSample, kAny, kKinds };

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
  const u64 kind = random(kKinds);
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
  if (value.type == MRC_INTEGER) {
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
