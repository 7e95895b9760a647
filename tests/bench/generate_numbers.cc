// generate_numbers KIND SEED SIZES... FILE: inputs for the numeric programs, the same for the
// same seed on every machine.
//   bitmap SEED WIDTH HEIGHT    24 bits for each pixel, a smooth colour and two noisy ones
//   pairs SEED POINTS           points of two bytes around a line, for linear_regression
//   dictionary SEED LINES EVERY a word in each; of so many lines, one is a key of string_match
//   points SEED POINTS NUMBERS  lines of numbers below 1000, around 100 centers
//   matrix SEED ROWS COLUMNS    numbers below 100; if FILE ends in .npy as NumPy saves them
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

using Random = std::mt19937_64;
using Sizes = std::vector<long>;

void write(const std::string &bytes, std::FILE *file) {
  std::fwrite(bytes.data(), 1, bytes.size(), file);
}

void append_little_endian(uint64_t number, int size, std::string *bytes) {
  for (int i = 0; i < size; ++i, number >>= 8) *bytes += static_cast<char>(number & 255);
}

void write_bitmap(Random random, const Sizes &sizes, std::FILE *file) {
  const auto width = static_cast<uint64_t>(sizes[0]), height = static_cast<uint64_t>(sizes[1]);
  const uint64_t stride = (width * 3 + 3) / 4 * 4;
  std::string bytes = "BM";
  append_little_endian(54 + stride * height, 4, &bytes);
  append_little_endian(0, 4, &bytes);
  append_little_endian(54, 4, &bytes);  // where the pixels begin
  append_little_endian(40, 4, &bytes);  // the header that follows
  append_little_endian(width, 4, &bytes);
  append_little_endian(height, 4, &bytes);
  append_little_endian(1, 2, &bytes);   // planes
  append_little_endian(24, 2, &bytes);  // bits for each pixel
  append_little_endian(0, 24, &bytes);  // not compressed
  for (uint64_t row = 0; row < height; ++row) {
    for (uint64_t column = 0; column < width; ++column) {
      const uint64_t bits = random();
      bytes += static_cast<char>(column / 60 + (bits & 63) + row / 80);
      bytes += static_cast<char>((bits >> 6 & 127) + (bits >> 13 & 127));
      bytes += static_cast<char>(bits >> 20);
    }
    bytes.append(stride - width * 3, '\0');
    write(bytes, file);
    bytes.clear();
  }
}

void write_pairs(Random random, const Sizes &sizes, std::FILE *file) {
  for (long i = 0; i < sizes[0]; ++i) {
    const uint64_t bits = random(), x = bits & 127;
    const char point[2] = {static_cast<char>(x), static_cast<char>(x / 2 + (bits >> 8 & 31))};
    std::fwrite(point, 1, sizeof point, file);
  }
}

void write_dictionary(Random random, const Sizes &sizes, std::FILE *file) {
  constexpr const char *kKeys[] = {"Helloworld", "howareyou", "ferrari", "whotheman"};
  std::string line;
  for (long i = 0; i < sizes[0]; ++i) {
    line.clear();
    if (random() % static_cast<uint64_t>(sizes[1]) == 0) {
      line = kKeys[random() % 4];
    } else {
      for (uint64_t left = 4 + random() % 9; left > 0; --left) {
        line += static_cast<char>('a' + random() % 26);
      }
    }
    line += '\n';
    write(line, file);
  }
}

void write_points(Random random, const Sizes &sizes, std::FILE *file) {
  std::vector<long> centers;
  for (long i = 0; i < 100 * sizes[1]; ++i) centers.push_back(static_cast<long>(random() % 1000));
  std::string line;
  for (long i = 0; i < sizes[0]; ++i) {
    line.clear();
    const long center = static_cast<long>(random() % 100) * sizes[1];
    for (long d = 0; d < sizes[1]; ++d) {
      const long noise = static_cast<long>(random() % 100) - 50;
      const long number = centers[static_cast<size_t>(center + d)] + noise;
      line += std::to_string(std::clamp(number, 0L, 999L)) + (d + 1 < sizes[1] ? ' ' : '\n');
    }
    write(line, file);
  }
}

void write_text_matrix(Random random, const Sizes &sizes, std::FILE *file) {
  std::string line;
  for (long row = 0; row < sizes[0]; ++row) {
    line.clear();
    for (long i = 0; i < sizes[1]; ++i) {
      line += std::to_string(random() % 100) + (i + 1 < sizes[1] ? ' ' : '\n');
    }
    write(line, file);
  }
}

void write_numpy_matrix(Random random, const Sizes &sizes, std::FILE *file) {
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (" +
                       std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) + "), }";
  header.append(64 - (10 + header.size() + 1) % 64, ' ') += '\n';
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  append_little_endian(header.size(), 2, &bytes);
  write(bytes + header, file);
  for (long i = 0; i < sizes[0] * sizes[1]; ++i) {
    bytes.clear();
    append_little_endian(random() % 100, 4, &bytes);
    write(bytes, file);
  }
}

struct Kind {
  const char *name, *sizes;
  size_t size_count;
  void (*write)(Random random, const Sizes &sizes, std::FILE *file);
};

constexpr Kind kKinds[] = {
    {"bitmap", "WIDTH HEIGHT", 2, write_bitmap},
    {"pairs", "POINTS", 1, write_pairs},
    {"dictionary", "LINES EVERY", 2, write_dictionary},
    {"points", "POINTS NUMBERS", 2, write_points},
    {"matrix", "ROWS COLUMNS", 2, write_text_matrix},
};

const Kind *find_kind(int argc, char **argv) {
  for (const Kind &kind : kKinds) {
    if (argc == 4 + static_cast<int>(kind.size_count) && std::strcmp(argv[1], kind.name) == 0) {
      return &kind;
    }
  }
  for (const Kind &kind : kKinds) {
    std::fprintf(stderr, "usage: generate_numbers %s SEED %s FILE\n", kind.name, kind.sizes);
  }
  return nullptr;
}

}  // namespace

int main(int argc, char **argv) {
  const Kind *kind = find_kind(argc, argv);
  if (kind == nullptr) return 2;
  const std::string name = argv[argc - 1];
  std::FILE *file = std::fopen(name.c_str(), "wb");
  if (file == nullptr) {
    std::perror(name.c_str());
    return 1;
  }
  Sizes sizes;
  for (int i = 3; i < argc - 1; ++i) sizes.push_back(std::atol(argv[i]));
  const Random random(static_cast<uint64_t>(std::atoll(argv[2])));
  const bool numpy = name.ends_with(".npy") && kind->write == write_text_matrix;
  (numpy ? write_numpy_matrix : kind->write)(random, sizes, file);
  return std::fclose(file) == 0 ? 0 : 1;
}
