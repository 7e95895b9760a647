/* matrix_multiply: the product of two matrices of integers.
 *
 * In round 0 workers read pieces of both inputs in parallel. Then the right factor is packed. In
 * round 1 workers multiply blocks of rows of the left factor by it (matrix_product.h) and convert
 * the rows to text: a split of that round has no bytes, and its tag is the number of its first row.
 */
#include "matrix_input.h"
#include "matrix_product.h"
#include "matrix_rows.h"

namespace {

using matrix::Panels;
using matrix::Range;

const mrc_host *host;

struct Factor {
  matrix::Input input;
  std::vector<int64_t> numbers;  // row by row

  int64_t largest() const {
    int64_t most = 0;
    for (int64_t number : numbers) most = std::max(most, std::abs(number));
    return most;
  }
  int64_t at(int64_t row, int64_t column) const {
    return numbers[static_cast<size_t>(row * input.columns + column)];
  }
};

struct Product {
  Factor left, right;
  bool multiplying = false;  // round 1
  Range range = Range::kDouble;
  Panels<double> doubles;  // the right factor, packed: one of the two
  Panels<int64_t> integers;
};

constexpr int64_t kSplitRows = 32;

int open_product(const mrc_host *, mrc_settings, void **self) {
  *self = new Product;
  return 0;
}

void close_product(void *self) { delete static_cast<Product *>(self); }

// ---- Round 0: read ---------------------------------------------------------------------

int open_factors(Product *product, mrc_inputs inputs) {
  std::string why;
  if (inputs.count != 2) {
    why = "two matrices are wanted, not " + std::to_string(inputs.count);
    return host->fail(why.c_str());
  }
  Factor *const factors[] = {&product->left, &product->right};
  for (size_t i = 0; i < 2; ++i) {
    matrix::Input &input = factors[i]->input;
    if (!matrix::open_matrix(mrc_input_at(inputs, i), &input, &why)) return host->fail(why.c_str());
    factors[i]->numbers.resize(static_cast<size_t>(input.rows * input.columns));
  }
  const matrix::Input &left = product->left.input, &right = product->right.input;
  if (left.columns == right.rows) return 0;
  why = left.name + " has " + std::to_string(left.columns) + " columns, and " + right.name + " " +
        std::to_string(right.rows) + " rows: these must be as many";
  return host->fail(why.c_str());
}

int split(void *self, mrc_inputs inputs, mrc_splits *splits) {
  auto *product = static_cast<Product *>(self);
  if (product->multiplying) {
    for (int64_t row = 0; row < product->left.input.rows; row += kSplitRows) {
      mrc_add_split(splits, {0, 0, 0, row});
    }
    return 0;
  }
  if (open_factors(product, inputs) != 0) return -1;
  for (int64_t i = 0; i < 2; ++i) {
    const matrix::Input &input = (i == 0 ? product->left : product->right).input;
    for (const matrix::Piece &piece : input.pieces) {
      mrc_add_split(splits, {i, piece.begin, piece.end, piece.first_row});
    }
  }
  return 0;
}

int read_piece(Factor *factor, const mrc_records *records) {
  std::string why;
  int64_t *const numbers = factor->numbers.data();
  const int64_t columns = factor->input.columns;
  const auto store = [=](int64_t row, int64_t column, int64_t number) {
    numbers[row * columns + column] = number;
  };
  const bool good =
      matrix::read_rows(factor->input, records->bytes, records->split->tag, 0, store, &why);
  return good ? 0 : host->fail(why.c_str());
}

int finish_round(void *self, int64_t, mrc_rows) {
  auto *product = static_cast<Product *>(self);
  if (product->multiplying) return MRC_DONE;
  const Factor &right = product->right;
  const int64_t rows = right.input.rows, columns = right.input.columns;
  product->range = matrix::range_of_sums(rows, product->left.largest(), right.largest());
  const auto number = [&](int64_t row, int64_t column) { return right.at(row, column); };
  switch (product->range) {
    case Range::kDouble: product->doubles.pack(rows, columns, number); break;
    case Range::kInteger: product->integers.pack(rows, columns, number); break;
    case Range::kTooLarge: return host->fail("the numbers are too large: sums may pass 62 bits");
  }
  product->multiplying = true;
  return MRC_AGAIN;
}

// ---- Round 1: multiply -----------------------------------------------------------------

template <class Number>
void emit_rows(const Factor &left, const Panels<Number> &right, int64_t first, mrc_emitter *out) {
  const int64_t rows = std::min(kSplitRows, left.input.rows - first);
  const auto from = left.numbers.begin() + first * right.depth;
  const std::vector<Number> block(from, from + rows * right.depth);
  std::vector<Number> sums;
  matrix::multiply(block.data(), rows, right, &sums);
  for (int64_t row = 0; row < rows; ++row) {
    std::string text;
    for (int64_t column = 0; column < right.columns; ++column) {
      const Number sum = sums[static_cast<size_t>(row * right.width() + column)];
      matrix::append_number(static_cast<int64_t>(sum), &text);
    }
    const mrc_text cell = {text.data(), text.size() - 1};
    *mrc_emit_integer(out, first + row + 1) = mrc_text_word(&cell);
    out->flush(out);  // before the text is freed
  }
}

int map(void *self, void *, const mrc_records *records, mrc_emitter *out) {
  auto *product = static_cast<Product *>(self);
  if (!product->multiplying) {
    return read_piece(records->input == 0 ? &product->left : &product->right, records);
  }
  const int64_t first = records->split->tag;
  if (product->range == Range::kDouble) {
    emit_rows(product->left, product->doubles, first, out);
  } else {
    emit_rows(product->left, product->integers, first, out);
  }
  return 0;
}

// ---- The plugin ------------------------------------------------------------------------

const mrc_column kColumn = {"product", nullptr, nullptr, matrix::write_row_text};
const mrc_reducer kReducer = matrix::row_text_reducer(&kColumn);
const mrc_reduction kReductions[] = {{&kReducer, nullptr, 0, nullptr}};
const mrc_type kValues[] = {MRC_TEXT};

mrc_job make_job() {
  mrc_job job = {};
  job.size = sizeof job;
  job.shape = MRC_SPLITS;
  job.name = "matrix_multiply";
  job.summary = "multiply two matrices of integers";
  job.manual =
      "The input is two matrices: text, a line of whole numbers for each row, or what NumPy\n"
      "saves (.npy) of integers of 32 bits. The answer is their product, row by row: the\n"
      "number of the row, from 1, and its numbers. They are exact.\n";
  job.key_type = MRC_INTEGER;
  job.key_name = "row";
  job.values = kValues;
  job.value_count = 1;
  job.reductions = MRC_ARRAY(kReductions);
  job.open = open_product;
  job.close = close_product;
  job.split = split;
  job.map = map;
  job.round = finish_round;
  return job;
}

const mrc_job kJob = make_job();
const mrc_job *const kJobs[] = {&kJob, nullptr};
const mrc_plugin kPlugin = {
    sizeof(mrc_plugin), MRC_ABI, "matrix_multiply", "1", "multiplies matrices", kJobs, nullptr};

}  // namespace

const mrc_plugin *mrc_plugin_v1(const mrc_host *mrc) {
  host = mrc;
  return &kPlugin;
}
