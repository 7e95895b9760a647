/* Matrices as input, for plugins in C++: text with a line of numbers for each row, or the format
 * of NumPy (.npy) with integers of 32 bits.
 *
 * open_matrix() finds the shape, and pieces that can be read separately; read_rows() reads a
 * piece on any thread. Numbers in text may have decimals: they are multiplied by a power of ten,
 * and are integers from then on. Blanks, tabs and commas separate numbers; lines without numbers
 * are skipped. */
#ifndef MRC_PLUGINS_MATRIX_INPUT_H
#define MRC_PLUGINS_MATRIX_INPUT_H

#include "mrc_plugin.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace matrix {

// A range of whole rows of an input.
struct Piece {
  int64_t begin, end;  // bytes
  int64_t first_row;
};

struct Input {
  std::string name;
  bool text = true;
  int64_t rows = 0, columns = 0;
  std::vector<Piece> pieces;
};

constexpr int64_t kPieceBytes = 64 << 10;
constexpr int kMostDigits = 15;  // of a number: a double represents all of them

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_separator(char c) { return is_blank(c) || c == ','; }

inline const char *skip_blanks(const char *at, const char *end) {
  while (at < end && is_blank(*at)) ++at;
  return at;
}

// Skips from the end of a number to the next one. Stops at a second comma: then a field is empty.
inline const char *skip_separator(const char *at, const char *end) {
  at = skip_blanks(at, end);
  return at < end && *at == ',' ? skip_blanks(at + 1, end) : at;
}

// Skips a byte order mark, which is not part of the text.
inline const char *skip_mark(const char *at, const char *end) {
  return end - at >= 3 && std::memcmp(at, "\xEF\xBB\xBF", 3) == 0 ? at + 3 : at;
}

inline const char *line_end(const char *at, const char *end) {
  const void *found = at < end ? std::memchr(at, '\n', static_cast<size_t>(end - at)) : nullptr;
  return found != nullptr ? static_cast<const char *>(found) : end;
}

inline int64_t count_numbers(const char *at, const char *end) {
  int64_t n = 0;
  for (at = skip_blanks(at, end); at < end; at = skip_separator(at, end)) {
    ++n;
    while (at < end && !is_separator(*at)) ++at;
  }
  return n;
}

// ---- Shape and pieces ------------------------------------------------------------------

inline void open_text(mrc_text bytes, Input *input) {
  const char *const begin = bytes.data, *const end = begin + bytes.size;
  const char *line = skip_mark(begin, end);
  Piece piece{line - begin, 0, 0};
  while (line < end) {
    const char *const next = line_end(line, end);
    if (skip_blanks(line, next) < next) {
      if (input->rows++ == 0) input->columns = count_numbers(line, next);
    }
    line = std::min(next + 1, end);
    piece.end = line - begin;
    if (piece.end - piece.begin < kPieceBytes && line < end) continue;
    input->pieces.push_back(piece);
    piece = {piece.end, piece.end, input->rows};
  }
}

// Reads the next number in the header of a .npy file and returns its end.
inline const char *header_number(const char *at, const char *end, int64_t *number) {
  while (at < end && (*at == ' ' || *at == '(' || *at == ',')) ++at;
  return std::from_chars(at, end, *number).ptr;
}

// Reads a header such as {'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }. Returns what
// is wrong, or null.
inline const char *read_npy_header(std::string_view header, Input *input) {
  if (header.find("'descr': '<i4'") == header.npos) {
    return "not of integers of 32 bits: save it with astype('<i4')";
  }
  if (header.find("'fortran_order': False") == header.npos) {
    return "stored by columns: save it with order='C'";
  }
  const size_t shape = header.find("'shape': (");
  if (shape == header.npos) return "its header has no shape";
  const char *const end = header.data() + header.size();
  const char *at = header_number(header.data() + shape + 10, end, &input->rows);
  at = header_number(at, end, &input->columns);
  if (input->rows < 1 || input->columns < 1 || at == end || *at != ')') {
    return "not of two dimensions, with numbers in them";
  }
  return nullptr;
}

inline const char *open_npy(mrc_text bytes, Input *input) {
  const auto *const begin = reinterpret_cast<const unsigned char *>(bytes.data);
  if (bytes.size < 12) return "truncated: ends in its header";
  const bool wide = begin[6] > 1;
  const size_t prefix = wide ? 12 : 10;
  const size_t data = prefix + begin[8] + (size_t{begin[9]} << 8) +
                      (wide ? (size_t{begin[10]} << 16) + (size_t{begin[11]} << 24) : 0);
  if (data > bytes.size) return "truncated: ends in its header";
  const char *const why = read_npy_header({bytes.data + prefix, data - prefix}, input);
  if (why != nullptr) return why;
  input->text = false;
  const auto rest = static_cast<int64_t>(bytes.size - data);
  if (input->columns > rest / 4 || input->rows > rest / (input->columns * 4)) {
    return "truncated: its header promises more numbers";
  }
  const int64_t stride = input->columns * 4, some = 1 + kPieceBytes / stride;
  for (int64_t row = 0; row < input->rows; row += some) {
    const int64_t last = std::min(row + some, input->rows), begins = static_cast<int64_t>(data);
    input->pieces.push_back({begins + row * stride, begins + last * stride, row});
  }
  return nullptr;
}

// Returns false and sets *why if the matrix cannot be read.
inline bool open_matrix(const mrc_input *from, Input *input, std::string *why) {
  input->name = from->name;
  const char *wrong = nullptr;
  if (from->bytes.size >= 6 && std::memcmp(from->bytes.data, "\x93NUMPY", 6) == 0) {
    wrong = open_npy(from->bytes, input);
  } else {
    open_text(from->bytes, input);
  }
  if (wrong == nullptr && input->rows == 0) wrong = "empty: a line of numbers is wanted";
  if (wrong != nullptr) *why = input->name + ": " + wrong;
  return wrong == nullptr;
}

// ---- Rows ------------------------------------------------------------------------------

// Reads a number times 10^decimals. Returns what is wrong with it, or null.
inline const char *read_number(const char **from, const char *end, int decimals, int64_t *number) {
  const char *at = *from;
  const bool negative = at < end && *at == '-';
  at += negative || (at < end && *at == '+');
  int64_t value = 0;
  int digits = 0, behind = -1;  // -1: before the decimal point
  for (; at < end && !is_separator(*at); ++at) {
    if (*at == '.' && behind < 0) {
      behind = 0;
      continue;
    }
    const int digit = static_cast<unsigned char>(*at) - '0';
    if (digit < 0 || digit > 9) return "is not a number";
    if (behind >= 0 && behind++ == decimals) {
      return decimals == 0 ? "is not a whole number" : "has more decimals than were set";
    }
    value = value * 10 + digit;
    digits += value != 0;
    if (digits > kMostDigits) return "has more than 15 digits";
  }
  if (at == *from + negative || (behind == 0 && at == *from + negative + 1))
    return "is not a number";
  constexpr int64_t kLeastTooLarge = 1000000000000000;
  for (int i = std::max(behind, 0); i < decimals && value < kLeastTooLarge; ++i) value *= 10;
  if (value >= kLeastTooLarge) return "has more than 15 digits";
  *number = negative ? -value : value;
  *from = at;
  return nullptr;
}

inline bool refuse_row(const Input &input, int64_t row, const std::string &reason,
                       std::string *why) {
  *why = input.name + ": row " + std::to_string(row + 1) + ": " + reason;
  return false;
}

inline bool refuse_number(const Input &input, int64_t row, const char *at, const char *end,
                          const char *reason, std::string *why) {
  const char *const from = at;
  while (at < end && !is_separator(*at) && at - from < 40) ++at;
  return refuse_row(input, row, std::string(from, at) + " " + reason, why);
}

template <class Store>
bool read_line(const Input &input, int64_t row, const char *at, const char *end, int decimals,
               Store store, std::string *why) {
  int64_t column = 0;
  for (at = skip_blanks(at, end); at < end; at = skip_separator(at, end), ++column) {
    int64_t number = 0;
    if (*at == ',') return refuse_row(input, row, "an empty field", why);
    const char *const wrong = read_number(&at, end, decimals, &number);
    if (wrong != nullptr) return refuse_number(input, row, at, end, wrong, why);
    if (column < input.columns) store(row, column, number);
  }
  if (column == input.columns) return true;
  const std::string reason =
      std::to_string(column) + " in place of the first row's " + std::to_string(input.columns);
  return refuse_row(input, row, "numbers: " + reason, why);
}

// Calls store(row, column, number) for the numbers of a piece, whose bytes these are. Returns false
// and sets *why if a number is invalid.
template <class Store>
bool read_rows(const Input &input, mrc_text bytes, int64_t row, int decimals, Store store,
               std::string *why) {
  const char *at = bytes.data, *const end = at + bytes.size;
  if (input.text) {
    for (; at < end; ++at) {
      const char *const next = line_end(at, end);
      if (skip_blanks(at, next) < next) {
        if (!read_line(input, row++, at, next, decimals, store, why)) return false;
      }
      at = next;
    }
    return true;
  }
  int64_t scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  for (; at < end; ++row) {
    for (int64_t column = 0; column < input.columns; ++column, at += 4) {
      int32_t number;
      std::memcpy(&number, at, sizeof number);
      store(row, column, number * scale);
    }
  }
  return true;
}

}  // namespace matrix

#endif
