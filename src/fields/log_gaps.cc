#include "base/text.h"
#include "fields/inner/log_layout.h"

#include <algorithm>
#include <map>

namespace mrc {
namespace {

// A separator of a gap, or a run of dashes, and whether a blank precedes it. The last one of a gap
// is empty.
struct Separator {
  bool blank = false;
  std::string text;
};

std::vector<Separator> separators_of(Bytes gap) {
  std::vector<Separator> all(1);
  for (size_t i = 0; i < gap.size(); ++i) {
    Separator &last = all.back();
    if (is_blank(gap[i])) {
      last.blank = true;
      continue;
    }
    last.text += gap[i];
    if (gap[i] != '-' || i + 1 == gap.size() || gap[i + 1] != '-') all.emplace_back();
  }
  return all;
}

using Gaps = std::vector<std::vector<Separator>>;

// Returns the most frequent separator at a place, and counts it.
std::string most_frequent(const Gaps &gaps, size_t at, i64 *most) {
  std::map<std::string, i64> counts;
  std::string best;
  *most = 0;
  for (const auto &gap : gaps) {
    const std::string &text = gap[at].text;
    if (const i64 count = ++counts[text]; count > *most) best = text, *most = count;
  }
  return best;
}

}  // namespace

std::string without_blanks_in(Bytes gap) {
  std::string text(gap);
  std::erase(text, ' ');
  return text;
}

std::string common_gap(const std::vector<std::string> &gaps) {
  const i64 all = std::ssize(gaps);
  Gaps left;
  for (const std::string &gap : gaps) left.push_back(separators_of(gap));
  for (std::string common;;) {
    const size_t at = separators_of(common).size() - 1;
    i64 count = 0;
    const std::string best = most_frequent(left, at, &count);
    const bool goes_on = !best.empty() && is_most(count, all);
    if (goes_on) std::erase_if(left, [&](const auto &gap) { return gap[at].text != best; });
    const i64 blanks = std::ranges::count_if(left, [&](const auto &gap) { return gap[at].blank; });
    const bool needs_most = !goes_on && common.ends_with(':');
    if (needs_most ? is_most(blanks, std::ssize(left)) : blanks > 0) common += ' ';
    if (!goes_on) return common;
    common += best;
  }
}

}  // namespace mrc
