#include "baselines.h"

#include <numeric>

void pca(const Arguments &arguments) {
  const Rows rows = read_rows(arguments[0]);
  const long n = rows.columns;
  std::vector<long> sums;
  for (long i = 0; i < rows.count; ++i) {
    sums.push_back(std::accumulate(rows[i], rows[i] + n, 0L));
  }
  std::vector<double> covariances(static_cast<size_t>(rows.count * rows.count));
  for (long i = 0; i < rows.count; ++i) {
    for (long j = i; j < rows.count; ++j) {
      long products = 0;
      for (long k = 0; k < n; ++k) products += rows[i][k] * rows[j][k];
      const long sides = sums[static_cast<size_t>(i)] * sums[static_cast<size_t>(j)];
      const double covariance =
          static_cast<double>(n * products - sides) / static_cast<double>(n * (n - 1));
      covariances[static_cast<size_t>(i * rows.count + j)] = covariance;
      covariances[static_cast<size_t>(j * rows.count + i)] = covariance;
    }
  }
  std::string text;
  const double *at = covariances.data();
  for (long i = 0; i < rows.count; ++i) {
    append_number(i + 1, '\t', &text);
    append_number(static_cast<double>(sums[static_cast<size_t>(i)]) / static_cast<double>(n), '\t',
                  &text);
    for (long j = 0; j < rows.count; ++j) {
      append_number(*at++, j + 1 < rows.count ? ' ' : '\n', &text);
    }
  }
  print(text);
}
