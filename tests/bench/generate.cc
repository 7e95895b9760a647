// generate KIND MEGABYTES FILE: inputs for the benchmarks, the same on every machine.
//   words          text of Zipf-distributed words, rank r with weight 1/r, 200,000 of them
//   zipf           the same with 1,000,000 words of six letters
//   lines          short lines "city;temperature", 413 cities
//   stations       lines "name;temperature", 10,000 names of 1 to 100 bytes
//   log            an access log in the combined format, some 30,000 clients
//   few-keys       text of 108,000 words, all as likely (the four workloads of Metis, 5.4)
//   many-keys      text of 175,000 words for each megabyte
//   many-many      text of 513,000 words
//   unpredictable  text of 457,000 words, nearly all of them in its first tenth; of the rest
//                  60,000 are all there are, and a sample of the head predicts far too many
//   long           lines of 40 to 100 bytes, 1,000,000 different ones, alike but for their ends
//   records        lines of 100 bytes, 10 of them random
// generate keys DISTINCT SKEW ROWS FILE: lines of seven characters drawn from so many.
//   SKEW           uniform; zipf:S, rank r with weight r^-S; drift, a window of a twentieth
//                  of the keys that moves once over all of them from the first to the last row
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using Random = std::mt19937_64;

// Ranks 0 to n - 1, weight (rank + 1)^-s: inverse of the integral of x^-s.
class Zipf {
 public:
  explicit Zipf(long n, double s = 1)
      : last_(static_cast<size_t>(n) - 1),
        power_(std::abs(1 - s) < 1e-9 ? 0 : 1 - s),
        all_(power_ == 0 ? std::log(static_cast<double>(n) + 1)
                         : std::pow(static_cast<double>(n) + 1, power_) - 1) {}
  size_t operator()(Random &random) {
    const double u = std::generate_canonical<double, 53>(random) * all_;
    const double x = power_ == 0 ? std::exp(u) : std::pow(1 + u, 1 / power_);
    return std::min(static_cast<size_t>(x) - 1, last_);
  }

 private:
  size_t last_;
  double power_, all_;
};

std::vector<std::string> make_words(long n, int shortest, int longest) {
  Random random(1);
  std::vector<std::string> words;
  for (long i = 0; i < n; ++i) {
    std::string word;
    for (auto left = shortest + static_cast<int>(random() % (longest - shortest + 1)); left > 0;
         --left) {
      word += static_cast<char>('a' + random() % 26);
    }
    words.push_back(word);
  }
  return words;
}

// Lines of words until there are so many bytes. `next` appends a word; it is told how
// many bytes there are already.
void write_text(long bytes, std::FILE *file,
                const std::function<void(long written, std::string *line)> &next) {
  std::string line;
  for (long written = 0; written < bytes;) {
    next(written, &line);
    line += line.size() > 70 ? '\n' : ' ';
    if (line.back() != '\n') continue;
    written += static_cast<long>(std::fwrite(line.data(), 1, line.size(), file));
    line.clear();
  }
}

void write_words(const std::vector<std::string> &words, long bytes, std::FILE *file) {
  Random random(2);
  Zipf zipf(static_cast<long>(words.size()));
  write_text(bytes, file, [&](long, std::string *line) { *line += words[zipf(random)]; });
}

void write_uniform(const std::vector<std::string> &words, long bytes, std::FILE *file) {
  Random random(4);
  write_text(bytes, file,
             [&](long, std::string *line) { *line += words[random() % words.size()]; });
}

void write_unpredictable(long bytes, std::FILE *file) {
  const std::vector<std::string> words = make_words(457000, 5, 8);
  Random random(5);
  size_t at = 0;
  write_text(bytes, file, [&](long written, std::string *line) {
    const bool head = written < bytes / 10;
    *line += words[head ? at++ % words.size() : random() % 60000];
  });
}

// So many words would not fit in memory: each is made of its number.
void write_many_keys(long bytes, std::FILE *file) {
  constexpr uint64_t kAll = 8031810176;  // 26^7; the factor below has no divisor in common
  const uint64_t distinct = static_cast<uint64_t>(bytes) / 1000000 * 175000;
  Random random(6);
  write_text(bytes, file, [&](long, std::string *line) {
    uint64_t left = random() % distinct * 4865113 % kAll;
    for (int i = 0; i < 7; ++i, left /= 26) *line += static_cast<char>('a' + left % 26);
  });
}

void write_lines(long bytes, std::FILE *file) {
  const std::vector<std::string> cities = make_words(413, 3, 15);
  Random random(3);
  std::normal_distribution<> around(0, 10);
  for (long written = 0; written < bytes;) {
    const size_t city = random() % cities.size();
    const double mean = static_cast<double>(city % 40) - 5;
    written += std::fprintf(file, "%s;%.1f\n", cities[city].c_str(), mean + around(random));
  }
}

void write_long(long bytes, std::FILE *file) {
  Random random(7);
  for (long written = 0; written < bytes;) {
    const int key = static_cast<int>(random() % 1000000);
    written += std::fprintf(file, "https://www.example.org/archive/%0*d\n", 8 + key % 61, key);
  }
}

void write_records(long bytes, std::FILE *file) {
  Random random(8);
  for (long row = 0; row < bytes / 100; ++row) {
    char line[101];
    for (char *c = line; c < line + 10; ++c) *c = static_cast<char>(' ' + random() % 95);
    std::snprintf(line + 10, sizeof line - 10, " %032ld ", row);
    std::memset(line + 44, static_cast<char>('A' + row % 26), 55);
    line[99] = '\n';
    std::fwrite(line, 1, 100, file);
  }
}

// The rank of a row's key.
std::function<uint64_t(long row)> make_skew(const std::string &skew, long distinct, long rows,
                                            Random *random) {
  if (skew == "uniform") return [=](long) { return (*random)() % distinct; };
  if (skew == "drift") {
    const long window = std::max(1L, distinct / 20);
    return [=](long row) {
      const double begin =
          static_cast<double>(distinct) * (static_cast<double>(row) / static_cast<double>(rows));
      return (static_cast<uint64_t>(begin) + (*random)() % window) % distinct;
    };
  }
  if (skew.starts_with("zipf:")) {
    return [random, zipf = Zipf(distinct, std::atof(skew.c_str() + 5))](long) mutable {
      return zipf(*random);
    };
  }
  return nullptr;
}

bool write_keys(long distinct, const std::string &skew, long rows, std::FILE *file) {
  Random random(9);
  const auto rank = distinct < 1 ? nullptr : make_skew(skew, distinct, rows, &random);
  if (!rank) return false;
  for (long row = 0; row < rows; ++row) {
    // An odd factor: different ranks have different keys.
    uint64_t bits = rank(row) * 0x9E3779B97F4A7C15 & ((uint64_t{1} << 35) - 1);
    char line[8] = {0, 0, 0, 0, 0, 0, 0, '\n'};
    for (int i = 6; i >= 0; --i, bits >>= 5) {
      line[i] = "abcdefghijklmnopqrstuvwxyz234567"[bits & 31];
    }
    std::fwrite(line, 1, sizeof line, file);
  }
  return true;
}

void write_stations(long bytes, std::FILE *file) {
  const std::vector<std::string> names = make_words(10000, 1, 100);
  Random random(10);
  for (long done = 0; done < bytes;) {
    const long tenths = static_cast<long>(random() % 1999) - 999;
    done += std::fprintf(file, "%s;%s%ld.%ld\n", names[random() % names.size()].c_str(),
                         tenths < 0 ? "-" : "", std::labs(tenths) / 10, std::labs(tenths) % 10);
  }
}

void write_log(long bytes, std::FILE *file) {
  constexpr const char *kStatuses[] = {"200", "200", "200", "200", "304", "404", "301", "500"};
  constexpr const char *kAgent =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Safari/537.36";
  const std::vector<std::string> paths = make_words(2000, 4, 30);
  Random random(11);
  Zipf client(30000), path(static_cast<long>(paths.size()));
  for (long done = 0, second = 0; done < bytes; second += random() % 4 == 0) {
    const size_t ip = client(random);
    done += std::fprintf(file,
                         "10.%zu.%zu.%zu - - [13/Sep/2015:%02ld:%02ld:%02ld +0000] \"GET /%s "
                         "HTTP/1.1\" %s %llu \"-\" \"%s\"\n",
                         ip % 7, ip / 251, ip % 251, second / 3600 % 24, second / 60 % 60,
                         second % 60, paths[path(random)].c_str(), kStatuses[random() % 8],
                         static_cast<unsigned long long>(random() % 100000), kAgent);
  }
}

struct Kind {
  const char *name;
  void (*write)(long bytes, std::FILE *file);
};

const Kind kKinds[] = {
    {"words", [](long n, std::FILE *file) { write_words(make_words(200000, 1, 9), n, file); }},
    {"zipf", [](long n, std::FILE *file) { write_words(make_words(1000000, 6, 6), n, file); }},
    {"lines", write_lines},
    {"stations", write_stations},
    {"log", write_log},
    {"few-keys", [](long n, std::FILE *file) { write_uniform(make_words(108000, 4, 9), n, file); }},
    {"many-keys", write_many_keys},
    {"many-many",
     [](long n, std::FILE *file) { write_uniform(make_words(513000, 5, 8), n, file); }},
    {"unpredictable", write_unpredictable},
    {"long", write_long},
    {"records", write_records},
};

bool write_kind(const std::string &name, long bytes, std::FILE *file) {
  for (const Kind &kind : kKinds) {
    if (name != kind.name) continue;
    kind.write(bytes, file);
    return true;
  }
  return false;
}

}  // namespace

int main(int argc, char **argv) {
  const bool keys = argc == 6 && std::strcmp(argv[1], "keys") == 0;
  if (!keys && argc != 4) {
    std::fprintf(stderr,
                 "usage: generate KIND MEGABYTES FILE\n"
                 "       generate keys DISTINCT SKEW ROWS FILE\n");
    return 2;
  }
  std::FILE *file = std::fopen(argv[argc - 1], "wb");
  if (file == nullptr) {
    std::perror(argv[argc - 1]);
    return 1;
  }
  const bool known = keys ? write_keys(std::atol(argv[2]), argv[3], std::atol(argv[4]), file)
                          : write_kind(argv[1], std::atol(argv[2]) * 1000000, file);
  if (!known) std::fprintf(stderr, "generate: no kind of input is called so\n");
  return std::fclose(file) == 0 && known ? 0 : 1;
}
