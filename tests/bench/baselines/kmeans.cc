#include "baselines.h"

#include <limits>

namespace {

// A mean of each cluster, and how many points it has.
struct Clusters {
  std::vector<double> means;
  std::vector<long> points;
};

long nearest(const int *point, const std::vector<double> &means, long dimensions) {
  double least = std::numeric_limits<double>::infinity();
  long which = 0;
  for (size_t at = 0; at < means.size(); at += static_cast<size_t>(dimensions)) {
    double distance = 0;
    for (long d = 0; d < dimensions; ++d) {
      const double difference = point[d] - means[at + static_cast<size_t>(d)];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      which = static_cast<long>(at) / dimensions;
    }
  }
  return which;
}

Clusters next_round(const Rows &rows, const Clusters &before) {
  Clusters after{before.means, std::vector<long>(before.points.size())};
  std::vector<long> sums(before.means.size());
  for (long i = 0; i < rows.count; ++i) {
    const long cluster = nearest(rows[i], before.means, rows.columns);
    ++after.points[static_cast<size_t>(cluster)];
    for (long d = 0; d < rows.columns; ++d) {
      sums[static_cast<size_t>(cluster * rows.columns + d)] += rows[i][d];
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    const long points = after.points[i / static_cast<size_t>(rows.columns)];
    if (points != 0) after.means[i] = static_cast<double>(sums[i]) / static_cast<double>(points);
  }
  return after;
}

}  // namespace

void kmeans(const Arguments &arguments) {
  const Rows rows = read_rows(arguments[0]);
  const long clusters = std::atol(arguments[1].c_str());
  const long most = arguments.size() > 2 ? std::atol(arguments[2].c_str()) : 0;
  Clusters now{{rows[0], rows[clusters]}, std::vector<long>(static_cast<size_t>(clusters))};
  for (long round = 1;; ++round) {
    Clusters next = next_round(rows, now);
    const bool changed = next.means != now.means;
    now = std::move(next);
    if (!changed || round == most) break;
  }
  std::string text;
  for (long i = 0; i < clusters; ++i) {
    append_number(i + 1, '\t', &text);
    append_number(now.points[static_cast<size_t>(i)], '\t', &text);
    for (long d = 0; d < rows.columns; ++d) {
      append_number(now.means[static_cast<size_t>(i * rows.columns + d)],
                    d + 1 < rows.columns ? ' ' : '\n', &text);
    }
  }
  print(text);
}
