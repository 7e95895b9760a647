// Everything that mrc.hpp offers: reducers with columns, missing values and numbers, and a job with
// workers, several values, an order, a format and rounds.
#include "mrc.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

// Two columns, which are missing if there was no number.
struct Extent {
  static constexpr const char *name = "extent", *summary = "the least and the largest integer";
  int64_t low, high, seen;

  void add(int64_t value) {
    low = seen != 0 ? std::min(low, value) : value;
    high = seen != 0 ? std::max(high, value) : value;
    seen = 1;
  }
  void merge(const Extent &other) {
    if (other.seen == 0) return;
    add(other.low);
    add(other.high);
  }
  std::optional<int64_t> least() const { return seen != 0 ? std::optional(low) : std::nullopt; }
  std::optional<int64_t> most() const { return seen != 0 ? std::optional(high) : std::nullopt; }
  static const mrc_column columns[2];
};
constexpr mrc_column Extent::columns[] = {mrc::column<&Extent::least>("least"),
                                          mrc::column<&Extent::most>("most")};

// A real number, which is missing if there were none.
struct Product {
  static constexpr const char *name = "product", *summary = "the product of powers of two";
  double exponent;
  int64_t seen;

  void add(double value) {
    exponent += value > 0 ? static_cast<double>(__builtin_ctzll(static_cast<uint64_t>(value))) : 0;
    ++seen;
  }
  void merge(const Product &other) {
    exponent += other.exponent;
    seen += other.seen;
  }
  std::optional<double> result() const {
    if (seen == 0) return std::nullopt;
    return __builtin_exp2(exponent);
  }
};

// A reducer of two fields.
struct Weighted {
  static constexpr const char *name = "wavg", *summary = "the weighted mean of integers";
  int64_t sum, weights;

  void add(int64_t value, int64_t weight) {
    sum += value * weight;
    weights += weight;
  }
  void merge(const Weighted &other) {
    sum += other.sum;
    weights += other.weights;
  }
  std::optional<double> result() const {
    if (weights == 0) return std::nullopt;
    return static_cast<double>(sum) / static_cast<double>(weights);
  }
};

// Sees missing values, too, and writes text.
struct Lacking {
  static constexpr const char *name = "lacking", *summary = "how many values are missing";
  int64_t lacking, all;

  void add(std::optional<std::string_view> text) {
    lacking += !text;
    ++all;
  }
  void merge(const Lacking &other) {
    lacking += other.lacking;
    all += other.all;
  }
  void result(mrc::Out out) const {
    out.write(lacking);
    out.write("/");
    out.write(all);
  }
};

// Counts words by their first byte; each worker adds the number of its lines under "lines".
class Initials {
 public:
  static constexpr const char *name = "initials", *summary = "words by their first byte";
  static constexpr mrc_option options[] = {{.name = "rounds",
                                            .type = MRC_INTEGER,
                                            .initial = "1",
                                            .help = "how many",
                                            .least = 1,
                                            .most = 9},
                                           {.name = "refused",
                                            .type = MRC_TEXT,
                                            .initial = "",
                                            .help = "a word that ends the job",
                                            .least = 0,
                                            .most = 0}};
  static constexpr const char *key_name = "initial";
  using Values = std::tuple<int64_t, double, std::optional<std::string_view>>;
  static constexpr mrc_reduction reductions[] = {mrc::builtin("sum", 0, "words"),
                                                 mrc::by<Product>(1), mrc::by<Lacking>(2),
                                                 mrc::by<Extent>(0)};
  struct Worker {
    int64_t lines = 0;
  };

  explicit Initials(const mrc::Settings &settings)
      : rounds_(settings.integer(0)), refused_(settings.text(1)) {
    if (refused_ == "nothing") throw std::runtime_error("there is nothing to refuse");
  }

  void map(std::string_view line, Worker &worker, mrc::Emitter<Initials> &out) const {
    ++worker.lines;
    if (!refused_.empty() && line == refused_) throw std::runtime_error("a line is refused");
    if (line.starts_with('#')) return out.bad(line, "a comment");
    while (!line.empty()) {
      const std::string_view word = line.substr(0, line.find(' '));
      line.remove_prefix(std::min(word.size() + 1, line.size()));
      if (word.empty()) continue;
      const auto text = word.size() > 1 ? std::optional(word) : std::nullopt;
      out.emit(word.substr(0, 1), int64_t{1}, 2.0, text);
    }
  }
  void end(Worker &worker, mrc::Emitter<Initials> &out) const {
    const std::string key = "lines";
    out.emit(out.keep(key), worker.lines, 1.0, std::optional<std::string_view>());
  }
  void order(mrc::Row row, mrc::Out out) const { out.write(row.key().size() > 1 ? "1" : "0"); }
  void header(mrc::Out out) const { out.write("initial\twords\tlacking\n"); }
  void format(mrc::Row row, mrc::Out out) const {
    if (row.key() == "lines") return out.write("lines\t" + std::string(row.cell(0)) + "\t\n");
    out.write(std::string(row.key()) + "\t" + std::string(row.cell(0)) + "\t" +
              std::string(row.cell(2)) + "\n");
  }
  bool round(int64_t number, mrc::Rows rows) {
    mrc::note(std::to_string(rows.size()) + " rows, the last: " +
              (rows.size() > 0 ? std::string(rows[rows.size() - 1].key()) : ""));
    return number + 1 < rounds_;
  }

 private:
  const int64_t rounds_;
  const std::string refused_;
};

MRC_PLUGIN("in_cpp", "1.0", "everything of mrc.hpp", mrc::jobs<Initials>,
           mrc::reducers<Extent, Product, Lacking, Weighted>)
