// Tells the columns of a log from the words of its messages. A message may begin with words and
// numbers, so these are fields only if a column follows that messages do not have. If all messages
// of the first lines are alike, their words look like such columns.
#include "base/text.h"
#include "fields/inner/log_layout.h"
#include "kinds/level.h"

#include <algorithm>
#include <map>
#include <set>

namespace mrc {
namespace {

using Kind = LogColumn::Kind;

constexpr i64 kMostWords = 3;      // before a level that is the same in all lines
constexpr size_t kFirstWords = 4;  // words of messages that are compared

// Returns a word without the digits that make it a value, and removes it from the text.
std::string take_shape(Bytes *text) {
  text->remove_prefix(std::min(text->find_first_not_of(" \t"), text->size()));
  const size_t size = std::min(text->find_first_of(" \t"), text->size());
  std::string word(text->substr(0, size));
  text->remove_prefix(size);
  for (char &c : word) c = is_digit(c) ? '0' : c;
  return word;
}

// Returns the text after the brackets with which it begins.
Bytes past_brackets(Bytes text) {
  const LogToken token = next_token(text, {});
  if (token.open == '\0') return text;
  return past_brackets(text.substr(static_cast<size_t>(token.end - text.data())));
}

bool is_level_column(const LogColumn &column) {
  return column.text.find("%{level}") != std::string::npos;
}
bool is_bare(const LogColumn &column) { return column.open == '\0'; }
bool is_word(const LogColumn &column) { return column.kind == Kind::word && is_bare(column); }

// True for capitals that no prose has. Prose has ERROR, too.
bool is_plain_level(Bytes value) {
  for (Bytes level : {"INFO", "DEBUG", "TRACE", "WARN", "WARNING", "NOTICE"}) {
    if (value == level) return true;
  }
  return false;
}

bool starts_most(const std::vector<Bytes> &texts, char c) {
  const auto starts = [c](Bytes text) { return text.starts_with(c); };
  return is_most(std::ranges::count_if(texts, starts), std::ssize(texts));
}

// True if the column is a level, and not a word of all messages. `words` counts those before it.
bool is_clear_level(const LogColumn &column, i64 words) {
  std::set<Bytes> levels;
  for (Bytes value : column.values) {
    if (is_log_level(value)) levels.insert(value);
  }
  if (levels.size() > 1) return true;
  return words <= kMostWords &&
         (!is_bare(column) || std::ranges::all_of(levels, is_plain_level) ||
          (words == 1 && starts_most(column.after, ':')) || are_varied(column.after));
}

class MessageFinder {
 public:
  MessageFinder(size_t before, std::vector<LogColumn> *columns)
      : before_(before), columns_(*columns) {}

  void drop() {
    settle_doubts();
    drop_unconfirmed();
  }

 private:
  // A name is doubtful unless a level follows it.
  void settle_doubts() {
    for (size_t i = before_; i < columns_.size(); ++i) {
      if (columns_[i].kind != Kind::doubtful_name) continue;
      const auto is_sure_level = [](const LogColumn &column) {
        return is_level_column(column) && is_clear_level(column, 1);
      };
      const bool is_name = std::any_of(columns_.begin() + at(i), columns_.end(), is_sure_level);
      columns_[i].kind = is_name ? Kind::name : Kind::word;
    }
  }

  void drop_unconfirmed() {
    size_t keep = before_;
    for (size_t i = before_; i < columns_.size(); ++i) {
      if (is_sure(i)) keep = i + 1;
    }
    columns_.resize(keep);
    for (size_t i = before_; i < columns_.size(); ++i) {
      const Kind kind = columns_[i].kind;
      if ((kind == Kind::word || kind == Kind::number) && !is_confirmed(i)) {
        columns_.resize(i);
        return drop_unconfirmed();
      }
    }
  }

  bool is_sure(size_t i) const {
    const LogColumn &column = columns_[i];
    return column.kind == Kind::field ||
           (column.kind == Kind::name && (is_bare(column) || is_header(i)));
  }
  // True if no name without brackets precedes the column, so that its name in brackets is part of
  // the header.
  bool is_header(size_t i) const {
    const auto is_name = [](const LogColumn &column) {
      return column.kind == Kind::name && is_bare(column);
    };
    return std::none_of(columns_.begin(), columns_.begin() + at(i), is_name);
  }

  bool is_confirmed(size_t i) const {
    i64 words = is_word(columns_[i]);
    for (size_t j = i + 1; j < columns_.size(); ++j) {
      if (confirms(i, j, words)) return true;
      words += is_word(columns_[j]);
    }
    return false;
  }
  // True if column j shows that column i is a field. `words` counts the words from i to j.
  bool confirms(size_t i, size_t j, i64 words) const {
    const LogColumn &column = columns_[j];
    if (is_level_column(column)) return words == 0 || is_clear_level(column, words);
    if (words == 0) return column.kind == Kind::field || column.kind == Kind::name;
    if (!is_word(columns_[i]) || j != i + 1) return false;
    const bool is_program = column.text.starts_with("%{program}[");
    const bool has_level = std::any_of(columns_.begin(), columns_.begin() + at(i), is_level_column);
    return (i == before_ && is_program) || (has_level && column.ends_header);
  }
  static std::ptrdiff_t at(size_t i) { return static_cast<std::ptrdiff_t>(i); }

  size_t before_;
  std::vector<LogColumn> &columns_;
};

}  // namespace

bool are_varied(const std::vector<Bytes> &texts) {
  std::vector<Bytes> left;
  for (Bytes text : texts) left.push_back(past_brackets(text));
  for (size_t place = 0; place < kFirstWords; ++place) {
    std::map<std::string, i64> counts;
    for (Bytes &text : left) ++counts[take_shape(&text)];
    for (const auto &[word, count] : counts) {
      const bool is_word = place == 0 || !word.empty();
      if (is_word && is_most(count, std::ssize(texts))) return false;
    }
  }
  return texts.size() > 1;
}

void drop_words_of_messages(size_t before, std::vector<LogColumn> *columns) {
  MessageFinder(before, columns).drop();
}

}  // namespace mrc
