// The matrices that plugins read, of any bytes: an error, or as many numbers as the shape says,
// each once, whichever pieces they are read by. The first byte says how many decimals.
#include "../../plugins/matrix_input.h"

#include <cstdlib>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const int decimals = data[0] % 7;
  const std::vector<char> bytes(data + 1, data + size);
  const mrc_input from = {"fuzz", {bytes.data(), bytes.size()}};
  matrix::Input input;
  std::string why;
  if (!matrix::open_matrix(&from, &input, &why)) {
    if (why.empty()) std::abort();
    return 0;
  }
  std::set<std::pair<int64_t, int64_t>> found;
  const auto store = [&](int64_t row, int64_t column, int64_t number) {
    if (row < 0 || row >= input.rows || column < 0 || column >= input.columns) std::abort();
    if (std::abs(number) > int64_t{3000000000000000}) std::abort();
    if (!found.emplace(row, column).second) std::abort();
  };
  int64_t end = input.pieces.front().begin;
  for (const matrix::Piece &piece : input.pieces) {
    if (piece.begin != end || piece.end < piece.begin) std::abort();
    end = piece.end;
    const mrc_text text = {bytes.data() + piece.begin,
                           static_cast<size_t>(piece.end - piece.begin)};
    if (!matrix::read_rows(input, text, piece.first_row, decimals, store, &why)) return 0;
  }
  if (static_cast<int64_t>(found.size()) != input.rows * input.columns) std::abort();
  return 0;
}
