#include "fields/inner/format_pieces.h"

#include "base/int.h"
#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Writes pieces as a pattern.
class PatternText {
 public:
  PatternText(const FormatPieces &pieces, bool splits_request)
      : pieces_(pieces), splits_(splits_request) {
    for (size_t i = 0; i < pieces.size(); ++i) open_ += is_open(i);
  }

  std::string write() {
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const FormatPiece &piece = pieces_[i];
      if (piece.type.empty()) {
        append_literal(piece.literal.substr(skip_));
        skip_ = 0;
      } else {
        append_value(piece, i);
      }
    }
    return std::move(text_);
  }

 private:
  static constexpr std::string_view kRequest =
      "%(request:%{method:word} %{path:word}%[?%{query:word}%]%[ %{protocol:word}%]%)";

  bool is_in_quotes(size_t i) const {
    return i > 0 && i + 1 < pieces_.size() && pieces_[i - 1].literal.ends_with('"') &&
           pieces_[i + 1].literal.starts_with('"');
  }
  // True for a text that ends at a blank or with the line. With two of them, blanks inside one
  // would be taken for those between them, so that all are words then.
  bool is_open(size_t i) const {
    const bool is_text = pieces_[i].type == "text" || (pieces_[i].type == "request" && !splits_);
    const bool ends = i + 1 == pieces_.size() || pieces_[i + 1].literal.starts_with(' ');
    return is_text && ends && !is_in_quotes(i);
  }
  void append_literal(std::string_view literal) {
    for (const char c : literal) text_ += c == '%' ? "%%" : std::string(1, c);
  }
  // Text in quotes may have quotes with a backslash, so the quotes belong to the value.
  void append_value(const FormatPiece &piece, size_t i) {
    const bool is_request = piece.type == "request";
    if (is_request && splits_) {
      text_ += kRequest;
    } else if (piece.type == "query") {
      text_ += fmt::format("%[?{}%]", value(piece.field, "word"));
    } else if (piece.type == "bracketed time") {
      text_ += fmt::format("[{}]", value(piece.field, "time"));
    } else if (is_in_quotes(i) && (is_request || piece.type == "text")) {
      text_.pop_back();
      text_ += value(piece.field, "quoted");
      skip_ = 1;
    } else {
      const bool is_word = open_ > 1 && is_open(i);
      text_ += value(piece.field, is_word ? "word" : is_request ? "text" : piece.type);
    }
  }
  // The second value with a name is called NAME_2.
  std::string value(const std::string &field, std::string_view type) {
    if (field.empty()) return fmt::format("%{{:{}}}", type);
    const auto before = std::ranges::count(names_, field);
    names_.push_back(field);
    const std::string number = before > 0 ? fmt::format("_{}", before + 1) : "";
    return fmt::format("%{{{}{}:{}}}", field, number, type);
  }

  const FormatPieces &pieces_;
  const bool splits_;
  i64 open_ = 0;  // number of open texts
  std::string text_;
  std::vector<std::string> names_;
  size_t skip_ = 0;  // bytes of the next literal that are written already
};

// True if a request can be split into fields that the format does not have by themselves.
bool splits_request(const FormatPieces &pieces) {
  const auto has = [&](std::string_view field) {
    return std::ranges::find(pieces, field, &FormatPiece::field) != pieces.end();
  };
  return has("request") && !has("method") && !has("path") && !has("query") && !has("protocol");
}

}  // namespace

// A request that cannot be split, such as "-", is a value, too.
Result<std::string> pattern_of(const FormatPieces &pieces, std::string_view text) {
  const auto is_value = [](const FormatPiece &piece) { return !piece.field.empty(); };
  if (std::ranges::none_of(pieces, is_value)) {
    return Status::error(fmt::format("'{}' has no value, such as the address of a client", text));
  }
  if (text.starts_with('{')) {
    return Status::error(
        fmt::format("'{}' is JSON, which {} json reads", text, setting_name("from")));
  }
  const auto has_tab = [](const FormatPiece &piece) {
    return piece.literal.find('\t') != std::string::npos;
  };
  if (std::ranges::any_of(pieces, has_tab)) {
    return Status::error(fmt::format(
        "'{}' has tabs between its values, which may have blanks: name the fields with {}, and the "
        "tab with {}",
        text, setting_name("columns"), setting_name("delimiter")));
  }
  std::string pattern;
  if (splits_request(pieces)) pattern = PatternText(pieces, true).write() + "%|";
  return pattern + PatternText(pieces, false).write();
}

}  // namespace mrc
