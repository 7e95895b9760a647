#include "baselines.h"

#include <cmath>

void linear_regression(const Arguments &arguments) {
  const std::string bytes = read_file(arguments[0]);
  const auto *const at = reinterpret_cast<const unsigned char *>(bytes.data());
  const auto n = static_cast<long>(bytes.size() / 2);
  long sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (long i = 0; i < n; ++i) {
    const int x = at[2 * i], y = at[2 * i + 1];
    sx += x;
    sy += y;
    sxx += x * x;
    syy += y * y;
    sxy += x * y;
  }
  const auto difference = [](long a, long b, long c, long d) {
    return static_cast<double>(static_cast<__int128>(a) * b - static_cast<__int128>(c) * d);
  };
  const double xx = difference(n, sxx, sx, sx), yy = difference(n, syy, sy, sy);
  const double xy = difference(n, sxy, sx, sy);
  std::string text = "all\t";
  append_number(n, '\t', &text);
  append_number(xy / xx, '\t', &text);
  append_number(difference(sy, sxx, sx, sxy) / xx, '\t', &text);
  append_number(xy / std::sqrt(xx * yy), '\t', &text);
  for (long sum : {sx, sy, sxx, syy}) append_number(sum, '\t', &text);
  append_number(sxy, '\n', &text);
  print(text);
}
