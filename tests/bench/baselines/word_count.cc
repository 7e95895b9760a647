#include "baselines.h"
#include "words.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

void word_count(const Arguments &arguments) {
  const std::string text = read_file(arguments[0]);
  std::unordered_map<std::string_view, long> counts;
  each_word_of_any_script(text, [&](std::string_view word) { ++counts[word]; });
  std::vector<std::pair<std::string_view, long>> rows(counts.begin(), counts.end());
  std::sort(rows.begin(), rows.end());
  std::string out;
  for (const auto &[word, count] : rows) {
    out.append(word) += '\t';
    append_number(count, '\n', &out);
  }
  print(out);
}
