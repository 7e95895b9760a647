// The eight programs of Metis, as one would write them by hand for one thread: what plugins
// and verbs are measured against, and checked with. Each takes the names of its inputs, and
// numbers after them if it needs any, and prints what mrc prints.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using Arguments = std::vector<std::string>;

void histogram(const Arguments &arguments);
void inverted_index(const Arguments &arguments);
void kmeans(const Arguments &arguments);
void linear_regression(const Arguments &arguments);
void matrix_multiply(const Arguments &arguments);
void pca(const Arguments &arguments);
void string_match(const Arguments &arguments);
void word_count(const Arguments &arguments);

// All of a file. Ends the program if there is none.
inline std::string read_file(const std::string &name) {
  std::FILE *file = std::fopen(name.c_str(), "rb");
  if (file == nullptr) {
    std::perror(name.c_str());
    std::exit(2);
  }
  std::fseek(file, 0, SEEK_END);
  std::string bytes(static_cast<size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  std::fclose(file);
  return bytes;
}

template <class Number>
void append_number(Number number, char behind, std::string *text) {
  char buffer[40];
  char *end = std::to_chars(buffer, buffer + sizeof buffer - 1, number).ptr;
  *end++ = behind;
  text->append(buffer, end);
}

inline void print(const std::string &text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// Whole numbers, a row in each line.
struct Rows {
  long count = 0, columns = 0;
  std::vector<int> numbers;
  const int *operator[](long row) const { return numbers.data() + row * columns; }
};

inline Rows read_rows(const std::string &name) {
  const std::string text = read_file(name);
  Rows rows;
  for (const char *at = text.data(), *const end = at + text.size(); at < end; ++at) {
    if (*at == '\n') ++rows.count;
    if (*at == '\n' || *at == ' ') continue;
    at = std::from_chars(at, end, rows.numbers.emplace_back()).ptr - 1;
  }
  rows.columns = static_cast<long>(rows.numbers.size()) / rows.count;
  return rows;
}
