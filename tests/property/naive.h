// mrc as one page of obvious code: no threads, no vectors, no tables of our own.
// What the engine prints must be these bytes.
#pragma once

#include "base/case_fold.h"
#include "engine/engine.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace mrc::naive {

using std::string;

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The size of the valid UTF-8 character at `at`, by the table of RFC 3629; 0 if none.
inline size_t utf8_size(const string &s, size_t at, unsigned *code) {
  auto byte = [&](size_t i) { return at + i < s.size() ? (unsigned char)s[at + i] : 0u; };
  auto tail = [&](size_t i, unsigned lo = 0x80, unsigned hi = 0xBF) {
    return byte(i) >= lo && byte(i) <= hi;
  };
  unsigned b = byte(0);
  if (b < 0x80) return *code = b, 1;
  if (b >= 0xC2 && b <= 0xDF && tail(1)) return *code = (b - 0xC0) * 64 + byte(1) - 0x80, 2;
  if (b >= 0xE0 && b <= 0xEF && tail(1, b == 0xE0 ? 0xA0 : 0x80, b == 0xED ? 0x9F : 0xBF) &&
      tail(2)) {
    return *code = (b - 0xE0) * 4096 + (byte(1) - 0x80) * 64 + byte(2) - 0x80, 3;
  }
  if (b >= 0xF0 && b <= 0xF4 && tail(1, b == 0xF0 ? 0x90 : 0x80, b == 0xF4 ? 0x8F : 0xBF) &&
      tail(2) && tail(3)) {
    *code = (b - 0xF0) * 262144 + (byte(1) - 0x80) * 4096 + (byte(2) - 0x80) * 64 + byte(3) - 0x80;
    return 4;
  }
  return 0;
}

inline bool is_letter(unsigned code) {
  if (code < 0x80) return is_alpha(static_cast<char>(code));
  if (code < 0xC0) return code == 0xAA || code == 0xB5 || code == 0xBA;
  return code != 0xD7 && code != 0xF7 && code != 0xFEFF && !(code >= 0x2000 && code <= 0x206F) &&
         !(code >= 0x3000 && code <= 0x303F);
}

// A word or a line and where it begins.
struct Key {
  string text;
  size_t at;
};

inline std::vector<Key> unicode_words(const string &s) {
  std::vector<Key> words;
  string word;
  bool after_letter = false;
  for (size_t at = 0; at < s.size();) {
    unsigned code = 0, next = 0;
    size_t size = utf8_size(s, at, &code);
    bool letter = size > 0 && is_letter(code);
    bool inside = letter || (code < 0x80 && size == 1 && (isdigit((int)code) || code == '_'));
    if ((code == '\'' || code == 0x2019) && size > 0 && after_letter && at + size < s.size() &&
        utf8_size(s, at + size, &next) > 0 && is_letter(next)) {
      inside = true;
    }
    if (size == 0) size = 1;
    if (inside) {
      word += s.substr(at, size);
    } else if (!word.empty()) {
      words.push_back({word, at - word.size()});
      word.clear();
    }
    after_letter = letter;
    at += size;
  }
  if (!word.empty()) words.push_back({word, s.size() - word.size()});
  return words;
}

inline std::vector<Key> words(const string &s, Words kind) {
  if (kind == Words::word) return unicode_words(s);
  std::vector<Key> all;
  string word;
  for (size_t i = 0; i <= s.size(); ++i) {
    bool inside = i < s.size() && (kind == Words::alpha ? is_alpha(s[i]) : !is_blank(s[i]));
    if (inside) {
      word += s[i];
    } else if (!word.empty()) {
      all.push_back({word, i - word.size()});
      word.clear();
    }
  }
  return all;
}

inline std::vector<Key> lines(const string &s, char terminator) {
  std::vector<Key> all;
  for (size_t at = 0; at < s.size();) {
    size_t end = std::min(s.find(terminator, at), s.size());
    string line = s.substr(at, end - at);
    if (end < s.size() && terminator == '\n' && line.ends_with('\r')) line.pop_back();
    all.push_back({line, at});
    at = end + 1;
  }
  return all;
}

// Where a key is: which input, and which byte of it.
struct Place {
  size_t input, at;
};

// The places of one key, as an inverted index prints them.
inline string positions(const Program &program, const std::vector<string> &inputs,
                        const std::vector<Place> &places) {
  string text;
  for (size_t i = 0; i < places.size(); ++i) {
    const auto [input, at] = places[i];
    auto line_of = [&](const Place &place) {
      const string before = inputs[place.input].substr(0, place.at);
      return 1 + std::count(before.begin(), before.end(), program.map.terminator);
    };
    const bool first = i == 0 || places[i - 1].input != input;
    const bool by_line = program.map.values == MapSpec::Values::line;
    if (program.map.values == MapSpec::Values::input) {
      if (first) text += (i > 0 ? " " : "") + program.inputs[input];
      continue;
    }
    if (!first && by_line && line_of(places[i - 1]) == line_of(places[i])) continue;
    if (first && inputs.size() > 1) text += (i > 0 ? " " : "") + program.inputs[input] + ":";
    if (!first) text += ",";
    text += std::to_string(by_line ? line_of(places[i]) : (long)at);
  }
  return text;
}

// The rows of `job` over `inputs`, in raw TSV.
inline string run_groups(const Program &program, const std::vector<string> &inputs) {
  std::map<string, std::vector<Place>> groups;
  for (size_t n = 0; n < inputs.size(); ++n) {
    string input = inputs[n];
    const bool by_lines = program.map.records == MapSpec::Records::lines;
    size_t skipped = 0;
    if ((by_lines || program.map.words == Words::blank) && input.starts_with("\xEF\xBB\xBF")) {
      input.erase(0, skipped = 3);
    }
    for (auto [key, at] :
         by_lines ? lines(input, program.map.terminator) : words(input, program.map.words)) {
      if (program.map.ignore_case) {
        string folded;
        append_folded(key, &folded);
        key = std::move(folded);
      }
      groups[key].push_back({n, at + skipped});
    }
  }
  if (program.counts_rows) {
    return std::to_string(groups.size()) + program.shape.terminator;
  }
  std::vector<std::pair<string, std::vector<Place>>> rows(groups.begin(), groups.end());
  const Order &order = program.order;
  auto rank = [&](const auto &row) {
    if (program.aggregation.parts[0].reducer != &kFirst)
      return std::pair(row.second.size(), size_t{0});
    return std::pair(row.second[0].input, row.second[0].at);
  };
  if (order.column < 0 && order.descending) std::reverse(rows.begin(), rows.end());
  if (order.column >= 0) {
    if (order.ties_descending) std::reverse(rows.begin(), rows.end());
    std::stable_sort(rows.begin(), rows.end(), [&](const auto &a, const auto &b) {
      return order.descending ? rank(a) > rank(b) : rank(a) < rank(b);
    });
  }
  if (order.limit >= 0 && static_cast<size_t>(order.limit) < rows.size()) {
    rows.resize(static_cast<size_t>(order.limit));
  }
  string text;
  for (const auto &[key, places] : rows) {
    text += key;
    if (!program.shape.key_only) {
      text +=
          "\t" + (program.map.values != MapSpec::Values::none ? positions(program, inputs, places)
                                                              : std::to_string(places.size()));
    }
    text += program.shape.terminator;
  }
  return text;
}

// A number of sort -n: its sign, its digits before the point and its decimal places.
struct Number {
  bool negative = false;
  string whole, fraction;
};

inline Number number(const string &s) {
  Number n;
  size_t i = 0;
  while (i < s.size() && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n')) ++i;
  if (i < s.size() && s[i] == '-') n.negative = true, ++i;
  for (; i < s.size() && isdigit((unsigned char)s[i]); ++i) n.whole += s[i];
  if (i < s.size() && s[i] == '.') {
    for (++i; i < s.size() && isdigit((unsigned char)s[i]); ++i) n.fraction += s[i];
  }
  n.whole.erase(0, std::min(n.whole.find_first_not_of('0'), n.whole.size()));
  n.fraction.erase(n.fraction.find_last_not_of('0') + 1);
  if (n.whole.empty() && n.fraction.empty()) n.negative = false;
  return n;
}

inline int compare(const Number &a, const Number &b) {
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  int order = a.whole.size() != b.whole.size() ? (a.whole.size() < b.whole.size() ? -1 : 1)
                                               : a.whole.compare(b.whole);
  if (order == 0) order = a.fraction.compare(b.fraction);
  return a.negative ? -order : order;
}

inline string field(const string &record, i64 number, std::optional<char> delimiter) {
  if (number == 0) return record;
  std::vector<string> fields(1);
  for (char c : record) {
    const bool separates = delimiter ? c == *delimiter : c == ' ' || c == '\t' || c == '\n';
    if (!separates) fields.back() += c;
    if (separates && (delimiter || !fields.back().empty())) fields.emplace_back();
  }
  return (size_t)number <= fields.size() ? fields[(size_t)number - 1] : "";
}

// By what the user asked for alone: below zero, zero or above.
inline int compare_keys(const SortSpec &spec, const string &a, const string &b) {
  if (spec.range) {
    const size_t at = (size_t)spec.range->begin, size = (size_t)spec.range->end - at;
    return a.compare(at, size, b, at, size);
  }
  for (const SortField &by : spec.key.fields) {
    string x = field(a, by.field, spec.key.delimiter), y = field(b, by.field, spec.key.delimiter);
    for (string *s : {&x, &y}) {
      for (char &c : *s) c = by.ignore_case && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    }
    int order = by.type == SortField::Type::number ? compare(number(x), number(y)) : x.compare(y);
    if (order != 0) return by.descending ? -order : order;
  }
  return spec.key.fields.empty() ? a.compare(b) : 0;
}

// The whole order; 0: equal in all that counts.
inline int compare(const SortSpec &spec, const string &a, const string &b) {
  int order = compare_keys(spec, a, b);
  if (order == 0 && !spec.stable && !spec.unique) order = a.compare(b);
  return spec.reverse ? -order : order;
}

inline std::vector<string> records(const SortSpec &spec, const string &input) {
  std::vector<string> all;
  for (size_t at = 0; at < input.size();) {
    const size_t end = spec.record_bytes > 0
                           ? at + (size_t)spec.record_bytes
                           : std::min(input.find(spec.terminator, at), input.size());
    all.push_back(input.substr(at, end - at));
    at = end + (spec.record_bytes == 0);
  }
  return all;
}

inline string run_sort(const Program &program, const std::vector<string> &inputs) {
  const SortSpec &spec = *program.sort;
  std::vector<string> all;
  for (const string &input : inputs) {
    for (const string &record : records(spec, input)) all.push_back(record);
  }
  std::stable_sort(all.begin(), all.end(),
                   [&](const string &a, const string &b) { return compare(spec, a, b) < 0; });
  if (spec.unique) {
    auto same = [&](const string &a, const string &b) { return compare(spec, a, b) == 0; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
  }
  if (program.order.limit >= 0 && (size_t)program.order.limit < all.size()) {
    all.resize((size_t)program.order.limit);
  }
  string text;
  for (const string &record : all) {
    text += record;
    if (spec.record_bytes == 0) text += spec.terminator;
  }
  return text;
}

// "NAME:NUMBER" of the first record that is out of order, or "".
inline string first_disorder(const Program &program, const std::vector<string> &inputs) {
  std::optional<string> before;
  for (size_t n = 0; n < inputs.size(); ++n) {
    i64 number = 0;
    for (const string &record : records(*program.sort, inputs[n])) {
      ++number;
      const int order = before ? compare(*program.sort, *before, record) : -1;
      if (order > 0 || (order == 0 && program.sort->unique)) {
        return program.inputs[n] + ":" + std::to_string(number);
      }
      before = record;
    }
  }
  return "";
}

inline string run(const Program &program, const std::vector<string> &inputs) {
  return program.sort ? run_sort(program, inputs) : run_groups(program, inputs);
}

}  // namespace mrc::naive
