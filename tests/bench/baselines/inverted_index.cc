#include "baselines.h"
#include "words.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

void inverted_index(const Arguments &arguments) {
  const std::string text = read_file(arguments[0]);
  std::unordered_map<std::string_view, std::vector<long>> places;
  each_word(text,
            [&](std::string_view word) { places[word].push_back(word.data() - text.data()); });
  std::vector<std::string_view> words;
  for (const auto &[word, list] : places) words.push_back(word);
  std::sort(words.begin(), words.end());
  std::string out;
  for (std::string_view word : words) {
    out.append(word) += '\t';
    for (long place : places[word]) append_number(place, ',', &out);
    out.back() = '\n';
  }
  print(out);
}
