/* pca: the mean of each row of a matrix, and the covariance of each pair of rows: the input of
 * principal component analysis, as in Phoenix and Metis.
 *
 * The matrix may have any number of rows (variables) and columns (observations), n. Its numbers are
 * integers, and so is
 *
 *     n sum(a b) - sum(a) sum(b)  =  n (n - 1) cov(a, b)
 *
 * Hence the answer is exact up to one division. The sums of products are the matrix times its
 * transpose (matrix_product.h). Round 0 reads, round 1 multiplies: see matrix_multiply.cc.
 */
#include "matrix_input.h"
#include "matrix_product.h"
#include "matrix_rows.h"

#include <cmath>

namespace {

using matrix::Panels;
using matrix::Range;

const mrc_host *host;

struct Matrix {
  matrix::Input input;
  bool multiplying = false;  // round 1
  Range range = Range::kDouble;
  std::vector<int64_t> numbers;  // row by row
  std::vector<int64_t> sums;     // of rows
  Panels<double> doubles;        // the transpose, packed: one of the two
  Panels<int64_t> integers;
};

constexpr int64_t kSplitRows = 32;

int open_job(const mrc_host *, mrc_settings, void **self) {
  *self = new Matrix;
  return 0;
}

void close_job(void *self) { delete static_cast<Matrix *>(self); }

// ---- Round 0: read ---------------------------------------------------------------------

int open_input(Matrix *matrix, mrc_inputs inputs) {
  std::string why;
  if (inputs.count != 1) {
    why = "one matrix is wanted, not " + std::to_string(inputs.count);
    return host->fail(why.c_str());
  }
  matrix::Input &input = matrix->input;
  if (!matrix::open_matrix(mrc_input_at(inputs, 0), &input, &why)) return host->fail(why.c_str());
  if (input.columns == 1) {
    why = input.name + ": one number in each row: a covariance is of two or more";
    return host->fail(why.c_str());
  }
  matrix->numbers.resize(static_cast<size_t>(input.rows * input.columns));
  return 0;
}

int split(void *self, mrc_inputs inputs, mrc_splits *splits) {
  auto *matrix = static_cast<Matrix *>(self);
  if (matrix->multiplying) {
    for (int64_t row = 0; row < matrix->input.rows; row += kSplitRows) {
      mrc_add_split(splits, {0, 0, 0, row});
    }
    return 0;
  }
  if (open_input(matrix, inputs) != 0) return -1;
  for (const matrix::Piece &piece : matrix->input.pieces) {
    mrc_add_split(splits, {0, piece.begin, piece.end, piece.first_row});
  }
  return 0;
}

int read_piece(Matrix *matrix, const mrc_records *records) {
  std::string why;
  int64_t *const numbers = matrix->numbers.data();
  const int64_t columns = matrix->input.columns;
  const auto store = [=](int64_t row, int64_t column, int64_t number) {
    numbers[row * columns + column] = number;
  };
  const bool good =
      matrix::read_rows(matrix->input, records->bytes, records->split->tag, 0, store, &why);
  return good ? 0 : host->fail(why.c_str());
}

// Computes the sums of rows; returns the largest absolute value.
int64_t add_rows(Matrix *matrix) {
  int64_t largest = 0;
  const int64_t *at = matrix->numbers.data();
  for (int64_t row = 0; row < matrix->input.rows; ++row) {
    int64_t sum = 0;
    for (int64_t column = 0; column < matrix->input.columns; ++column, ++at) {
      sum += *at;
      largest = std::max(largest, std::abs(*at));
    }
    matrix->sums.push_back(sum);
  }
  return largest;
}

int finish_round(void *self, int64_t, mrc_rows) {
  auto *matrix = static_cast<Matrix *>(self);
  if (matrix->multiplying) return MRC_DONE;
  const int64_t rows = matrix->input.rows, columns = matrix->input.columns;
  const int64_t largest = add_rows(matrix);
  matrix->range = matrix::range_of_sums(columns, largest, largest);
  const auto number = [&](int64_t column, int64_t row) {
    return matrix->numbers[static_cast<size_t>(row * columns + column)];
  };
  switch (matrix->range) {
    case Range::kDouble: matrix->doubles.pack(columns, rows, number); break;
    case Range::kInteger: matrix->integers.pack(columns, rows, number); break;
    case Range::kTooLarge: return host->fail("the numbers are too large: sums may pass 62 bits");
  }
  matrix->multiplying = true;
  return MRC_AGAIN;
}

// ---- Round 1: multiply -----------------------------------------------------------------

// Returns the covariance of two rows from the sum of their products.
double covariance(const Matrix &matrix, int64_t products, int64_t a, int64_t b) {
  const int64_t n = matrix.input.columns;
  const __int128 sums = static_cast<__int128>(matrix.sums[static_cast<size_t>(a)]) *
                        matrix.sums[static_cast<size_t>(b)];
  return static_cast<double>(static_cast<__int128>(n) * products - sums) /
         (static_cast<double>(n) * static_cast<double>(n - 1));
}

void emit_row(const Matrix &matrix, int64_t row, mrc_text covariances, mrc_emitter *out) {
  const double mean = static_cast<double>(matrix.sums[static_cast<size_t>(row)]) /
                      static_cast<double>(matrix.input.columns);
  uint64_t *const values = mrc_emit_integer(out, row + 1);
  values[0] = mrc_real_word(mean);
  values[1] = mrc_text_word(&covariances);
  out->flush(out);  // before the text is freed
}

template <class Number>
void emit_rows(const Matrix &matrix, const Panels<Number> &right, int64_t first, mrc_emitter *out) {
  const int64_t rows = std::min(kSplitRows, matrix.input.rows - first);
  const auto from = matrix.numbers.begin() + first * right.depth;
  const std::vector<Number> block(from, from + rows * right.depth);
  std::vector<Number> products;
  matrix::multiply(block.data(), rows, right, &products);
  for (int64_t row = 0; row < rows; ++row) {
    std::string text;
    for (int64_t other = 0; other < matrix.input.rows; ++other) {
      const Number product = products[static_cast<size_t>(row * right.width() + other)];
      const double number = covariance(matrix, static_cast<int64_t>(product), first + row, other);
      matrix::append_number(number, &text);
    }
    emit_row(matrix, first + row, {text.data(), text.size() - 1}, out);
  }
}

int map(void *self, void *, const mrc_records *records, mrc_emitter *out) {
  auto *matrix = static_cast<Matrix *>(self);
  if (!matrix->multiplying) return read_piece(matrix, records);
  const int64_t first = records->split->tag;
  if (matrix->range == Range::kDouble) {
    emit_rows(*matrix, matrix->doubles, first, out);
  } else {
    emit_rows(*matrix, matrix->integers, first, out);
  }
  return 0;
}

// ---- The mean: a row has one value; of several, the smallest is kept -------------------

struct Mean {
  int64_t known;
  double value;
};

void take_less(Mean *mean, double value) {
  if (mean->known != 0 && mean->value <= value) return;
  *mean = {1, value + 0.0};  // no -0
}

void add_mean(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
              mrc_arena *) {
  for (int64_t i = 0; i < n; ++i) {
    const double value = mrc_word_real(mrc_value(values, i, part->value));
    if (!std::isnan(value)) take_less(MRC_STATE(Mean, part, states[i]), value);
  }
}

void merge_mean(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                mrc_arena *) {
  for (int64_t i = 0; i < n; ++i) {
    const Mean *mean = MRC_CONST_STATE(Mean, part, from[i]);
    if (mean->known != 0) take_less(MRC_STATE(Mean, part, into[i]), mean->value);
  }
}

double show_mean(const mrc_part *part, const mrc_state *state) {
  const Mean *mean = MRC_CONST_STATE(Mean, part, state);
  return mean->known != 0 ? mean->value : std::nan("");
}

// ---- The plugin ------------------------------------------------------------------------

const mrc_type kValues[] = {MRC_REAL, MRC_TEXT};
const mrc_column kMeanColumn[] = {{"mean", nullptr, show_mean, nullptr}};
const mrc_column kRowColumn = {"covariances", nullptr, nullptr, matrix::write_row_text};

mrc_reducer mean_reducer() {
  mrc_reducer reducer = {};
  reducer.size = sizeof reducer;
  reducer.name = "mean";
  reducer.summary = "the mean of a row";
  reducer.state_bytes = sizeof(Mean);
  reducer.add = add_mean;
  reducer.merge = merge_mean;
  reducer.columns = MRC_ARRAY(kMeanColumn);
  reducer.values = kValues;
  reducer.value_count = 1;
  return reducer;
}

const mrc_reducer kMean = mean_reducer();
const mrc_reducer kRow = matrix::row_text_reducer(&kRowColumn);
const mrc_reduction kReductions[] = {{&kMean, nullptr, 0, nullptr}, {&kRow, nullptr, 1, nullptr}};

mrc_job make_job() {
  mrc_job job = {};
  job.size = sizeof job;
  job.shape = MRC_SPLITS;
  job.name = "pca";
  job.summary = "means of rows and their covariances";
  job.manual =
      "The input is a matrix: text, a line of whole numbers for each row, or what NumPy saves\n"
      "(.npy) of integers of 32 bits. Rows are variables, columns observations. The answer is,\n"
      "for each row, its number from 1, its mean, and its covariances with all rows.\n";
  job.key_type = MRC_INTEGER;
  job.key_name = "row";
  job.values = kValues;
  job.value_count = 2;
  job.reductions = MRC_ARRAY(kReductions);
  job.open = open_job;
  job.close = close_job;
  job.split = split;
  job.map = map;
  job.round = finish_round;
  return job;
}

const mrc_job kJob = make_job();
const mrc_job *const kJobs[] = {&kJob, nullptr};
const mrc_plugin kPlugin = {sizeof(mrc_plugin),      MRC_ABI, "pca",  "1",
                            "means and covariances", kJobs,   nullptr};

}  // namespace

const mrc_plugin *mrc_plugin_v1(const mrc_host *mrc) {
  host = mrc;
  return &kPlugin;
}
