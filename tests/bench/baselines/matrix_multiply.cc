#include "baselines.h"

#include <algorithm>

// Blocked, as in Metis: three loops over blocks that fit into the first cache.
void matrix_multiply(const Arguments &arguments) {
  constexpr long kBlock = 64;
  const Rows a = read_rows(arguments[0]), b = read_rows(arguments[1]);
  const long depth = a.columns, columns = b.columns;
  std::vector<int> product(static_cast<size_t>(a.count * columns));
  for (long i = 0; i < a.count; i += kBlock) {
    for (long k = 0; k < depth; k += kBlock) {
      for (long j = 0; j < columns; j += kBlock) {
        for (long row = i; row < std::min(i + kBlock, a.count); ++row) {
          for (long step = k; step < std::min(k + kBlock, depth); ++step) {
            int *const into = product.data() + row * columns;
            for (long column = j; column < std::min(j + kBlock, columns); ++column) {
              into[column] += a[row][step] * b[step][column];
            }
          }
        }
      }
    }
  }
  std::string text;
  const int *at = product.data();
  for (long row = 0; row < a.count; ++row) {
    append_number(row + 1, '\t', &text);
    for (long j = 0; j < columns; ++j) append_number(*at++, j + 1 < columns ? ' ' : '\n', &text);
  }
  print(text);
}
