// A pattern and a text, by the fastest way and line by line: the same lines, and no match with
// a part of a character. The first byte chooses options; the pattern ends at the first newline.
#include "base/text.h"
#include "map/line_matcher.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

using namespace mrc;

std::string lines(const LineMatcher &matcher, const std::string &text, char padding) {
  const std::string padded = text + std::string(kPadding, padding);
  LineSearch search(matcher, Bytes(padded.data(), text.size()));
  std::string found;
  for (LineSearch::Line line; search.next(&line);) found.append(line.begin, line.end) += '\n';
  return found;
}

// Whether all matches in a line are whole characters.
bool are_text(const LineMatcher &matcher, const std::string &text) {
  const std::string padded = text + std::string(kPadding, 'x');
  const Bytes line(padded.data(), text.size());
  const SearchedLine searched(matcher, line);
  Match match;
  for (i64 from = 0; from <= std::ssize(line) && searched.find(from, &match);) {
    const Bytes part =
        line.substr(static_cast<size_t>(match.begin), static_cast<size_t>(match.end - match.begin));
    if (!is_utf8(part)) return false;
    from = match.end + part.empty();
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const std::string all(reinterpret_cast<const char *>(data) + 1, size - 1);
  const size_t end = std::min(all.find('\n'), all.size());
  const std::string text = all.substr(std::min(end + 1, all.size()));
  PatternSpec spec{.patterns = {all.substr(0, end)},
                   .fixed = (data[0] & 1) != 0,
                   .ignore_case = (data[0] & 2) != 0,
                   .word = (data[0] & 4) != 0};
  // Programs of a fuzzer's making are slow, not wrong.
  if (spec.patterns[0].size() > 40) return 0;
  const auto fast = LineMatcher::make(spec, *runnable_scanners()[0]);
  if (!fast.is_ok()) return 0;
  // \C is any byte.
  const bool of_text =
      is_utf8(spec.patterns[0]) && spec.patterns[0].find("\\C") == std::string::npos;
  // One line at a time, there is nothing to get wrong.
  std::string expected;
  for (size_t at = 0; at < text.size();) {
    const size_t line_end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, line_end - at);
    if (of_text && !are_text(**fast, line)) std::abort();
    expected += lines(**fast, line + "\n", 'x');
    at = line_end + 1;
  }
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner == nullptr) continue;
    const auto matcher = LineMatcher::make(spec, *scanner);
    if (!matcher.is_ok() || lines(**matcher, text, text.empty() ? 'a' : text[0]) != expected) {
      std::abort();
    }
  }
  return 0;
}
