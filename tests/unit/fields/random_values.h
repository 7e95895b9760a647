// Values of the fields of logs, at random.
#pragma once

#include "base/int.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace mrc {

using Values = std::map<std::string, std::string>;

class Random {
 public:
  explicit Random(u64 seed) : random_(seed) {}

  size_t below(size_t end) { return random_() % end; }
  template <typename T, size_t kSize>
  T one_of(const T (&all)[kSize]) {
    return all[below(kSize)];
  }
  std::string letters(size_t most) {
    std::string text;
    for (size_t i = 0; i <= below(most); ++i) text += static_cast<char>('a' + below(26));
    return text;
  }
  void shuffle(std::vector<std::string> *texts) {
    std::shuffle(texts->begin(), texts->end(), random_);
  }
  std::string digits(size_t most) { return std::to_string(1 + below(most)); }

 private:
  std::mt19937_64 random_;
};

inline constexpr const char *kTimes[] = {
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ",   "%Y/%m/%d %H:%M:%S", "%y/%m/%d %H:%M:%S",
    "%y%m%d %H%M%S",     "%d/%b/%Y:%H:%M:%S",    "%d-%b-%Y %H:%M:%S", "%b %e %H:%M:%S",
    "%m-%d %H:%M:%S",    "%a %b %d %H:%M:%S %Y", "%m/%d/%Y-%H:%M:%S", "%d.%m.%Y %H:%M:%S",
    "%Y%m%d-%H:%M:%S",   "%m%d %H:%M:%S.000001", "%Y-%b-%d %H:%M:%S", "%s",
    "%d %b %Y %H:%M:%S", "%Y-%m-%d-%H.%M.%S"};

inline std::string time_text(const char *format, Random *random) {
  const time_t time = static_cast<time_t>(1'100'000'000 + random->below(600'000'000));
  tm date;
  gmtime_r(&time, &date);
  char text[64];
  return {text, strftime(text, sizeof text, format, &date)};
}

inline Values random_values(const char *time_format, Random *random) {
  constexpr const char *kLevels[] = {"INFO", "WARN", "ERROR", "debug", "Notice"};
  constexpr const char *kThreads[] = {"main", "pool-1-thread-2", "http-nio-80-exec-7"};
  constexpr const char *kMessages[] = {"started",       "took 5 ms", "from 10.0.0.1: closed",
                                       "a [b] (c) - d", "x=1, y=2",  ""};
  return {{"time", time_text(time_format, random)},
          {"level", random->one_of(kLevels)},
          {"pid", random->digits(99999)},
          {"thread", random->one_of(kThreads)},
          {"logger", random->letters(4) + "." + random->letters(8)},
          {"host", "web-" + random->letters(8)},
          {"program", random->letters(8)},
          {"w1", "file-" + random->digits(9)},
          {"message", random->one_of(kMessages)}};
}

}  // namespace mrc
