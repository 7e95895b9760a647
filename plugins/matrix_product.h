/* The product of two matrices, for plugins in C++: blocked for caches and registers.
 *
 * The right factor is packed in panels of eight columns, each stored row by row, so that it is
 * read sequentially. Four rows of the left factor times a panel make 32 sums, which stay in
 * registers; each step along the depth adds eight products of four numbers to them. The depth is
 * divided into blocks, so that a block of a panel (16 KiB) stays in the first cache while all
 * rows are multiplied by it.
 *
 * Numbers are always integers. As doubles they are exact and fast while all sums are below 2^53;
 * otherwise they are integers of 64 bits. So neither the order of additions matters, nor whether
 * a machine multiplies and adds in one step. */
#ifndef MRC_PLUGINS_MATRIX_PRODUCT_H
#define MRC_PLUGINS_MATRIX_PRODUCT_H

#include "for_each_cpu.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace matrix {

constexpr int64_t kPanel = 8;    // columns
constexpr int64_t kRows = 4;     // multiplied at once
constexpr int64_t kDepth = 256;  // of a block

// How to multiply for sums of `depth` products of such numbers.
enum class Range { kDouble, kInteger, kTooLarge };

inline Range range_of_sums(int64_t depth, int64_t largest_left, int64_t largest_right) {
  const double bound = static_cast<double>(depth) * static_cast<double>(largest_left) *
                       static_cast<double>(largest_right);
  if (bound < 0x1p53) return Range::kDouble;
  return bound < 0x1p62 ? Range::kInteger : Range::kTooLarge;
}

// The right factor: `depth` rows, whose columns are padded to whole panels with zeros.
template <class Number>
struct Panels {
  int64_t depth = 0, columns = 0;
  std::vector<Number> numbers;

  int64_t width() const { return (columns + kPanel - 1) / kPanel * kPanel; }

  // number(row, column) returns an element of the factor.
  template <class Element>
  void pack(int64_t rows, int64_t row_width, Element number) {
    depth = rows;
    columns = row_width;
    numbers.assign(static_cast<size_t>(depth * width()), 0);
    Number *at = numbers.data();
    for (int64_t panel = 0; panel < columns; panel += kPanel, at += depth * kPanel) {
      const int64_t end = std::min(kPanel, columns - panel);
      for (int64_t i = 0; i < depth; ++i) {
        for (int64_t j = 0; j < end; ++j) {
          at[i * kPanel + j] = static_cast<Number>(number(i, panel + j));
        }
      }
    }
  }
};

// Adds four rows times a block of a panel to four rows of sums.
template <class Number>
__attribute__((always_inline)) inline void add_block(const Number *const *rows, const Number *panel,
                                                     int64_t depth, Number *const *sums) {
  typedef Number Lanes __attribute__((vector_size(32), aligned(8), may_alias));
  constexpr int64_t kLanes = 32 / sizeof(Number);
  Lanes a[kRows][2];
  for (int r = 0; r < kRows; ++r) {
    for (int half = 0; half < 2; ++half) a[r][half] = *(const Lanes *)(sums[r] + half * kLanes);
  }
  for (int64_t i = 0; i < depth; ++i, panel += kPanel) {
    const Lanes left = *(const Lanes *)panel, right = *(const Lanes *)(panel + kLanes);
    for (int r = 0; r < kRows; ++r) {
      a[r][0] += rows[r][i] * left;
      a[r][1] += rows[r][i] * right;
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int half = 0; half < 2; ++half) *(Lanes *)(sums[r] + half * kLanes) = a[r][half];
  }
}

FOR_EACH_CPU static void add_block_of(const double *const *rows, const double *panel, int64_t depth,
                                      double *const *sums) {
  add_block(rows, panel, depth, sums);
}
FOR_EACH_CPU static void add_block_of(const int64_t *const *rows, const int64_t *panel,
                                      int64_t depth, int64_t *const *sums) {
  add_block(rows, panel, depth, sums);
}

// `left` has rows of right.depth numbers; *sums becomes as many rows of right.width().
template <class Number>
void multiply(const Number *left, int64_t rows, const Panels<Number> &right,
              std::vector<Number> *sums) {
  const int64_t width = right.width();
  // If the last group has fewer rows, uses the first row for the missing ones and drops the sums.
  sums->assign(static_cast<size_t>((rows + 1) * width), 0);
  Number *const unused = sums->data() + rows * width;
  for (int64_t block = 0; block < right.depth; block += kDepth) {
    const int64_t depth = std::min(kDepth, right.depth - block);
    for (int64_t panel = 0; panel < width; panel += kPanel) {
      const Number *const packed = right.numbers.data() + panel * right.depth + block * kPanel;
      for (int64_t row = 0; row < rows; row += kRows) {
        const Number *from[kRows];
        Number *into[kRows];
        for (int64_t r = 0; r < kRows; ++r) {
          const bool exists = row + r < rows;
          from[r] = left + (exists ? row + r : row) * right.depth + block;
          into[r] = exists ? sums->data() + (row + r) * width + panel : unused;
        }
        std::fill(unused, unused + kPanel, 0);
        add_block_of(from, packed, depth, into);
      }
    }
  }
  sums->resize(static_cast<size_t>(rows * width));
}

}  // namespace matrix

#endif
