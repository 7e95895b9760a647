// generate_marco KIND MEGABYTES SEED FILE: inputs for the programs of MaRCO, the same on
// every machine (plugins/).
//   ratings     MOVIE:USER_RATING,... for histogram_movies, histogram_ratings, classification
//               and kmeans_ratings: 480,189 users as in Netflix's data, movies of six tastes;
//               how many ratings a movie has goes with 1/rank, 20,000 at most
//   graph       FROM,TO for adjacency_list: out-degree i with a probability that goes with
//               1/i^2 and is 7.2 on average, as in the paper; targets go with 1/rank
//   candidates  A,B,C,D,E for self_join: five fields in order, most alike but for the last
//   counts      WORD:FILE,N for ranked_index
//   documents   HOST TAB TEXT for term_vector --set document=first: 500 hosts
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

namespace {

using Random = std::mt19937_64;

// 0 to n - 1, with a weight that goes with 1 / (rank + 1).
uint64_t draw_rank(Random *random, double n) {
  const double u = std::generate_canonical<double, 53>(*random);
  return static_cast<uint64_t>(std::exp(u * std::log(n + 1))) - 1;
}

// Five letters or so that look like nothing; different ranks have different words.
std::string make_word(uint64_t rank) {
  std::string word;
  for (uint64_t left = rank * 7919 % 11881376 + 26; left > 0; left /= 26) {
    word += static_cast<char>('a' + left % 26);
  }
  return word;
}

long write(const std::string &line, std::FILE *file) {
  return static_cast<long>(std::fwrite(line.data(), 1, line.size(), file));
}

// Users and movies have one of six tastes. A user that shares the taste of a movie likes it
// more, and rates more such movies. Users ascend, so that none rates a movie twice.
std::string make_movie(long movie, uint64_t count, Random *random) {
  constexpr uint64_t kUsers = 480189;
  const uint64_t taste = (*random)() % 6, step = kUsers / (count + 1) * 2;
  std::string line = std::to_string(movie) + ":";
  for (uint64_t user = 1 + (*random)() % step; user <= kUsers; user += 1 + (*random)() % step) {
    const bool alike = user % 6 == taste;
    if (!alike && (*random)() % 4 != 0) continue;
    const uint64_t stars = alike ? 3 + (*random)() % 3 : 1 + (*random)() % 4;
    if (line.back() != ':') line += ',';
    line += std::to_string(user) + "_" + std::to_string(stars);
  }
  return line.back() == ':' ? line + "1_3\n" : line + "\n";
}

void write_ratings(long bytes, Random *random, std::FILE *file) {
  long movie = 0;
  for (long done = 0; done < bytes;) {
    const uint64_t count = 20000 / (1 + draw_rank(random, 1000));
    done += write(make_movie(++movie, count, random), file);
  }
}

// The average of 1/i^2 up to m is near (ln m + 0.58) / 1.64, so 78,000 gives 7.2.
void write_graph(long bytes, Random *random, std::FILE *file) {
  const auto vertices = static_cast<uint64_t>(bytes / 100 + 10);
  for (long done = 0; done < bytes;) {
    const uint64_t from = (*random)() % vertices;
    const double u = std::generate_canonical<double, 53>(*random);
    const auto degree = static_cast<uint64_t>(std::min(1 / (1 - u), 78000.0));
    for (uint64_t i = 0; i < degree && done < bytes; ++i) {
      const uint64_t to = draw_rank(random, static_cast<double>(vertices));
      done += write(std::to_string(from) + "," + std::to_string(to) + "\n", file);
    }
  }
}

void write_candidates(long bytes, Random *random, std::FILE *file) {
  const auto prefixes = static_cast<uint64_t>(bytes / 600 + 2);
  for (long done = 0; done < bytes;) {
    uint64_t bits = (*random)() % prefixes * 0x9E3779B97F4A7C15;
    std::string line;
    uint64_t field = 100000000;
    for (int i = 0; i < 4; ++i, bits >>= 12) {
      field += 1 + bits % 4096;
      line += std::to_string(field) + ",";
    }
    done += write(line + std::to_string(field + 1 + (*random)() % 1000) + "\n", file);
  }
}

void write_counts(long bytes, Random *random, std::FILE *file) {
  for (long done = 0; done < bytes;) {
    const uint64_t count = 1 + 1000 / (1 + draw_rank(random, 1000));
    done += write(make_word(draw_rank(random, 200000)) + ":file" +
                      std::to_string((*random)() % 3000) + ".txt," + std::to_string(count) + "\n",
                  file);
  }
}

void write_documents(long bytes, Random *random, std::FILE *file) {
  for (long done = 0; done < bytes;) {
    const uint64_t host = draw_rank(random, 500);
    std::string line = "host" + std::to_string(host) + ".example.org\t";
    for (uint64_t words = 5 + (*random)() % 20; words > 0; --words) {
      line += make_word((draw_rank(random, 50000) + host * 97) % 50000) + " ";
    }
    line.back() = '\n';
    done += write(line, file);
  }
}

struct Kind {
  const char *name;
  void (*write)(long bytes, Random *random, std::FILE *file);
};

const Kind kKinds[] = {
    {"ratings", write_ratings}, {"graph", write_graph},         {"candidates", write_candidates},
    {"counts", write_counts},   {"documents", write_documents},
};

}  // namespace

int main(int argc, char **argv) {
  const Kind *kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind &each) {
    return argc == 5 && std::strcmp(each.name, argv[1]) == 0;
  });
  if (kind == std::end(kKinds)) {
    std::fprintf(stderr,
                 "usage: generate_marco KIND MEGABYTES SEED FILE\n"
                 "KIND: ratings graph candidates counts documents\n");
    return 2;
  }
  std::FILE *file = std::fopen(argv[4], "wb");
  if (file == nullptr) {
    std::perror(argv[4]);
    return 1;
  }
  Random random(std::strtoull(argv[3], nullptr, 10));
  kind->write(static_cast<long>(std::atof(argv[2]) * 1e6), &random, file);
  return std::fclose(file) == 0 ? 0 : 1;
}
