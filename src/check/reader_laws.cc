// Reads an input of a plugin's reader in several ways, which must agree.
#include "check/check.h"
#include "plugin/plugin_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

namespace mrc {
namespace {

using Rows = std::vector<std::string>;

constexpr i64 kNoSmaller = -(i64{1} << 57);  // as conditions have it that rule out small numbers

std::string cell_of(const std::string &row, size_t column) {
  size_t at = 0;
  for (size_t i = 0; i < column; ++i) at = row.find('\t', at) + 1;
  return row.substr(at, row.find('\t', at) - at);
}

// Reads all streams of the collection's parts, several at a time, and puts their rows in order.
Result<Rows> read_parts(Collection &input, const std::vector<Source> &parts) {
  constexpr size_t kThreads = 4;
  std::vector<std::string> texts(parts.size());
  std::vector<Status> ends(parts.size(), Status::ok());
  const auto read_part = [&](size_t i) {
    Result<std::unique_ptr<Stream>> stream = input.open(parts[i]);
    if (!stream.is_ok()) return stream.status();
    std::string block(1 << 16, '\0');
    for (;;) {
      const Result<i64> got = (*stream)->read(block.data(), std::ssize(block));
      if (!got.is_ok()) return got.status();
      if (*got == 0) return Status::ok();
      texts[i].append(block, 0, static_cast<size_t>(*got));
    }
  };
  {
    std::vector<std::jthread> threads;
    for (size_t first = 0; first < kThreads; ++first) {
      threads.emplace_back([&, first] {
        for (size_t i = first; i < parts.size(); i += kThreads) ends[i] = read_part(i);
      });
    }
  }
  Rows rows;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!ends[i].is_ok()) return ends[i];
    for (size_t at = 0, end = 0; (end = texts[i].find('\n', at)) != std::string::npos;
         at = end + 1) {
      rows.push_back(texts[i].substr(at, end - at));
    }
  }
  return rows;
}

class ReaderCheck {
 public:
  ReaderCheck(const Plugin &plugin, const std::string &input) : plugin_(plugin), input_(input) {}

  LawReport go() {
    const Result<Rows> whole = read({}, false);
    if (!whole.is_ok()) {
      report_.untried = whole.status().message();
      return report_;
    }
    whole_ = *whole;
    expect("its splits, read at the same time, have other rows", {}, whole_,
           [](const auto &) { return true; });
    for (size_t i = 0; i < columns_.size(); ++i) check_column(i);
    report_.trials = std::ssize(whole_);
    return report_;
  }

 private:
  Result<Rows> read(Collection::Rows rows, bool divides) {
    Result<std::shared_ptr<Collection>> input = open_plugin_input(plugin_, input_, input_);
    if (!input.is_ok()) return input.status();
    columns_ = (*input)->columns();
    kinds_ = (*input)->kinds();
    leaves_out_ = (*input)->leaves_out_rows();
    (*input)->read_rows(std::move(rows));
    const Result<std::vector<Source>> parts = (*input)->split({.path = input_}, divides);
    return parts.is_ok() ? read_parts(**input, *parts) : parts.status();
  }

  // Reads rows in splits, of which those that count must be as expected.
  template <typename Counts>
  void expect(const std::string &law, Collection::Rows rows, const Rows &expected, Counts counts) {
    Result<Rows> got = read(std::move(rows), true);
    if (!got.is_ok()) return add(law, got.status().message());
    std::erase_if(*got, [&](const std::string &row) { return !counts(row); });
    const auto [one, other] = std::ranges::mismatch(expected, *got);
    if (one == expected.end() && other == got->end()) return;
    add(law, fmt::format("{} in place of {}", other == got->end() ? "nothing" : *other,
                         one == expected.end() ? "nothing" : *one));
  }
  void add(const std::string &law, const std::string &example) {
    report_.violations.push_back({law, "  " + example + "\n"});
  }

  void check_column(size_t column) {
    Collection::Rows only;
    only.wanted.resize(columns_.size());
    only.wanted[column] = true;
    Rows expected;
    for (const std::string &row : whole_) {
      expected.push_back(std::string(column, '\t') + cell_of(row, column));
    }
    const auto all = [](const std::string &) { return true; };
    expect(fmt::format("{} alone has other values", columns_[column]), only, expected, all);
    if (leaves_out_ && !whole_.empty() && kinds_[column].kind == ValueKind::number) {
      check_left_out(column);
    }
  }

  // Leaves out numbers up to that of the row in the middle.
  void check_left_out(size_t column) {
    const std::string middle = cell_of(whole_[whole_.size() / 2], column);
    i64 most = 0;
    std::from_chars(middle.data(), middle.data() + middle.size(), most);
    const auto counts = [&](const std::string &row) {
      const std::string cell = cell_of(row, column);
      double number = 0;
      const bool is_number =
          std::from_chars(cell.data(), cell.data() + cell.size(), number).ec == std::errc();
      return is_number && (number > static_cast<double>(most) || number < kNoSmaller);
    };
    Rows expected;
    std::ranges::copy_if(whole_, std::back_inserter(expected), counts);
    expect(
        fmt::format("it leaves out other rows than those with {} up to {}", columns_[column], most),
        {.left_out = {{column, kNoSmaller, most}}}, expected, counts);
  }

  const Plugin &plugin_;
  const std::string input_;
  std::vector<std::string> columns_;
  std::vector<FieldKind> kinds_;
  bool leaves_out_ = false;
  Rows whole_;
  LawReport report_;
};

}  // namespace

LawReport check_reader_laws(const Plugin &plugin, const std::string &input) {
  return ReaderCheck(plugin, input).go();
}

}  // namespace mrc
