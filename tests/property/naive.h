// mrc as one page of obvious code: no threads, no vectors, no tables of our own.
// What the engine prints must be these bytes.
#pragma once

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

inline std::vector<string> unicode_words(const string &s) {
  std::vector<string> words;
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
      words.push_back(word);
      word.clear();
    }
    after_letter = letter;
    at += size;
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

inline std::vector<string> words(const string &s, Words kind) {
  if (kind == Words::word) return unicode_words(s);
  std::vector<string> all;
  string word;
  for (size_t i = 0; i <= s.size(); ++i) {
    bool inside = i < s.size() && (kind == Words::alpha ? is_alpha(s[i]) : !is_blank(s[i]));
    if (inside) {
      word += s[i];
    } else if (!word.empty()) {
      all.push_back(word);
      word.clear();
    }
  }
  return all;
}

inline std::vector<string> lines(const string &s, char terminator) {
  std::vector<string> all;
  for (size_t at = 0; at < s.size();) {
    size_t end = std::min(s.find(terminator, at), s.size());
    string line = s.substr(at, end - at);
    if (end < s.size() && terminator == '\n' && line.ends_with('\r')) line.pop_back();
    all.push_back(line);
    at = end + 1;
  }
  return all;
}

// The rows of `job` over `inputs`, in raw TSV.
inline string run(const Job &job, const std::vector<string> &inputs) {
  std::map<string, u64> counts;
  for (string input : inputs) {
    const bool by_lines = job.map.records == MapSpec::Records::lines;
    if ((by_lines || job.map.words == Words::blank) && input.starts_with("\xEF\xBB\xBF")) {
      input.erase(0, 3);
    }
    for (string key : by_lines ? lines(input, job.map.terminator) : words(input, job.map.words)) {
      if (job.map.ignore_case) {
        for (char &c : key) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      }
      ++counts[key];
    }
  }
  std::vector<std::pair<string, u64>> rows(counts.begin(), counts.end());
  const Order &order = job.order;
  if (order.reducer < 0 && order.descending) std::reverse(rows.begin(), rows.end());
  if (order.reducer >= 0) {
    if (order.ties_descending) std::reverse(rows.begin(), rows.end());
    std::stable_sort(rows.begin(), rows.end(), [&](const auto &a, const auto &b) {
      return order.descending ? a.second > b.second : a.second < b.second;
    });
  }
  if (order.limit >= 0 && static_cast<size_t>(order.limit) < rows.size()) {
    rows.resize(static_cast<size_t>(order.limit));
  }
  string text;
  for (const auto &[key, count] : rows) {
    text += key + "\t" + std::to_string(count) + job.shape.terminator;
  }
  return text;
}

}  // namespace mrc::naive
