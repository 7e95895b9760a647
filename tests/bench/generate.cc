// generate KIND MEGABYTES FILE: inputs for the benchmarks, the same on every machine.
//   words  text of Zipf-distributed words, rank r with weight 1/r, 200,000 of them
//   zipf   the same with 1,000,000 words of six letters
//   lines  short lines "city;temperature", 413 cities
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

// Ranks 1 to n, weight 1/r: inverse of H(r) ~ ln r.
class Zipf {
 public:
  explicit Zipf(long n) : log_n_(std::log(static_cast<double>(n) + 1)) {}
  template <typename Random>
  size_t operator()(Random &random) {
    double u = std::generate_canonical<double, 53>(random);
    return static_cast<size_t>(std::exp(u * log_n_)) - 1;
  }

 private:
  double log_n_;
};

std::vector<std::string> make_words(long n, int shortest, int longest) {
  std::mt19937_64 random(1);
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

void write_words(const std::vector<std::string> &words, long bytes, std::FILE *file) {
  std::mt19937_64 random(2);
  Zipf zipf(static_cast<long>(words.size()));
  std::string line;
  for (long written = 0; written < bytes;) {
    line += words[std::min(zipf(random), words.size() - 1)];
    line += line.size() > 70 ? '\n' : ' ';
    if (line.back() != '\n') continue;
    written += static_cast<long>(std::fwrite(line.data(), 1, line.size(), file));
    line.clear();
  }
}

void write_lines(long bytes, std::FILE *file) {
  const std::vector<std::string> cities = make_words(413, 3, 15);
  std::mt19937_64 random(3);
  std::normal_distribution<> around(0, 10);
  for (long written = 0; written < bytes;) {
    const size_t city = random() % cities.size();
    const double mean = static_cast<double>(city % 40) - 5;
    written += std::fprintf(file, "%s;%.1f\n", cities[city].c_str(), mean + around(random));
  }
}

}  // namespace

int main(int argc, char **argv) {
  const std::string kind = argc == 4 ? argv[1] : "";
  if (kind != "words" && kind != "zipf" && kind != "lines") {
    std::fprintf(stderr, "usage: generate words|zipf|lines MEGABYTES FILE\n");
    return 2;
  }
  std::FILE *file = std::fopen(argv[3], "wb");
  if (file == nullptr) {
    std::perror(argv[3]);
    return 1;
  }
  const long bytes = std::atol(argv[2]) * 1000000;
  if (kind == "words") write_words(make_words(200000, 1, 9), bytes, file);
  if (kind == "zipf") write_words(make_words(1000000, 6, 6), bytes, file);
  if (kind == "lines") write_lines(bytes, file);
  return std::fclose(file) == 0 ? 0 : 1;
}
