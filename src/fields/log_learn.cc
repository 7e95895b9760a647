#include "base/text.h"
#include "fields/inner/log_layout.h"
#include "kinds/level.h"

#include <algorithm>
#include <map>

namespace mrc {
namespace {

using Kind = LogColumn::Kind;

// The most frequent text, and how often it occurs.
struct Majority {
  std::string text;
  i64 count = 0;
};
Majority majority(const std::vector<std::string> &texts) {
  std::map<std::string, i64> counts;
  Majority best;
  for (const std::string &text : texts) {
    if (const i64 count = ++counts[text]; count > best.count) best = {text, count};
  }
  return best;
}

// True if a word is a level even if the line has no time: it is in capitals or in brackets, or a
// colon follows. May over-read.
bool is_clear_level(const LogToken &token, Bytes after) {
  const Bytes word = token.content;
  if (!is_log_level(word) || is_doubtful_level(word)) return false;
  if (word.size() == 1) return token.open != '\0' || after.starts_with(" (");
  const bool shouts = std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  return shouts || token.open != '\0' || after.starts_with(':');
}

// True if the first word is a level, or the word after one in brackets.
bool begins_with_level(Bytes line) {
  TokenRules rules;
  for (int i = 0; i < 2; ++i) {
    const LogToken token = next_token(line, rules);
    if (token.end == nullptr) return false;
    const Bytes after = line.substr(static_cast<size_t>(token.end - line.data()));
    LogToken word = token;  // without [0000] of INFO[0000]
    if (word.open == '\0') word.content = word.content.substr(0, word.content.find('['));
    if (is_clear_level(word, after)) return true;
    if (token.open == '\0') return false;
    rules = token.rules;
    line = after;
  }
  return false;
}

class Learner {
 public:
  explicit Learner(const std::vector<Bytes> &lines) : lines_(lines) {}

  std::optional<LearnedLog> learn() {
    find_prefixes();
    if (prefixes_.empty()) return std::nullopt;
    add_words_before();
    return learn_after();
  }
  // Learns from lines without a time: all their columns are read like those after a time.
  std::optional<LearnedLog> learn_levels() {
    has_time_ = false;
    for (Bytes line : lines_) {
      if (!begins_with_level(line)) continue;
      of_.push_back(line);
      prefixes_.emplace_back();
    }
    if (prefixes_.empty()) return std::nullopt;
    std::optional<LearnedLog> log = learn_after();
    return log->has_level ? log : std::nullopt;
  }

 private:
  static constexpr size_t kMostColumns = 12;

  std::optional<LearnedLog> learn_after() {
    const size_t before = columns_.size();
    std::vector<Bytes> rests = texts_after_time();
    while (columns_.size() < kMostColumns && add_column(&rests)) {
    }
    drop_message(before);
    return finish(before, gaps_after(before));
  }

  // Keeps the lines whose prefix has the most frequent form.
  void find_prefixes() {
    std::vector<LogPrefix> all;
    std::vector<std::string> forms;
    for (Bytes line : lines_) {
      LogPrefix prefix;
      if (!find_prefix(line, &prefix)) continue;
      if (prefix.time.shape == TimeShape::slashed_day_first) {  // it may be either
        prefix.time.shape = TimeShape::month_day_year;
      }
      forms.push_back(prefix.form() + static_cast<char>('A' + static_cast<int>(prefix.time.shape)));
      all.push_back(std::move(prefix));
      of_.push_back(line);
    }
    const Majority best = majority(forms);
    for (size_t i = 0, kept = 0; i < all.size(); ++i) {
      if (forms[i] != best.text) continue;
      of_[kept++] = of_[i];
      prefixes_.push_back(std::move(all[i]));
    }
    of_.resize(prefixes_.size());
    if (!prefixes_.empty()) rules_.closers = prefixes_[0].closers;
  }

  void add_words_before() {
    const i64 count = std::ssize(prefixes_);
    for (size_t word = 0; word < prefixes_[0].words.size(); ++word) {
      const LogToken &first = prefixes_[0].words[word];
      LogColumn column = {.gap = first.gap, .open = first.open, .before_time = true};
      for (const LogPrefix &prefix : prefixes_) {
        column.values.push_back(prefix.words[word].content);
        column.after.emplace_back(prefix.words[word].end, 1);
      }
      classify(&column, count, &columns_, &roles_);
      columns_.push_back(std::move(column));
    }
  }

  std::vector<Bytes> texts_after_time() const {
    std::vector<Bytes> rests;
    for (size_t i = 0; i < prefixes_.size(); ++i) {
      rests.push_back(of_[i].substr(prefixes_[i].at + static_cast<size_t>(prefixes_[i].time.size)));
    }
    return rests;
  }

  // Adds the next column that most lines have, and moves past it. Returns false if they have none
  // in common.
  bool add_column(std::vector<Bytes> *rests) {
    std::vector<LogToken> tokens;
    std::vector<std::string> forms;
    for (Bytes rest : *rests) {
      LogToken token = next_token(rest, rules_);
      if (token.end == nullptr) token = {};
      forms.push_back(token.end == nullptr ? "\n" : token.gap + token.open);
      tokens.push_back(std::move(token));
    }
    const Majority best = majority(forms);
    const i64 count = std::ssize(prefixes_);
    if (best.text == "\n" || !is_most(best.count, count)) return false;
    LogColumn column = {.gap = best.text.substr(0, best.text.size() - 1), .open = best.text.back()};
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (forms[i] != best.text) continue;
      const Bytes rest = (*rests)[i];
      column.values.push_back(tokens[i].content);
      column.after.push_back(rest.substr(static_cast<size_t>(tokens[i].end - rest.data())));
      column.rules = tokens[i].rules;
    }
    classify(&column, count, &columns_, &roles_);
    *rests = ends_of(column);
    rules_ = column.rules;
    columns_.push_back(std::move(column));
    return true;
  }
  // Returns the rests of the lines after the form, such as after "NOTICE[12]" of "NOTICE[12][34]".
  static std::vector<Bytes> past_form(const LogColumn &column) {
    std::vector<Bytes> rests;
    for (size_t i = 0; i < column.values.size(); ++i) {
      const char *end = column.after[i].data() + column.after[i].size();
      const Bytes text(column.values[i].data(), static_cast<size_t>(end - column.values[i].data()));
      rests.push_back(text.substr(std::min(text.find(']'), text.size() - 1) + 1));
    }
    return rests;
  }

  // Drops columns at the end that may be words of messages.
  void drop_message(size_t before) {
    size_t keep = before;
    for (size_t i = columns_.size(); i > before; --i) {
      const LogColumn &column = columns_[i - 1];
      const bool is_sure = column.kind == Kind::field ||
                           (column.kind == Kind::name && (column.open == '\0' || is_header(i - 1)));
      if (is_sure) keep = std::max(keep, i);
    }
    columns_.resize(keep);
    while (drop_unconfirmed(before)) {
    }
  }
  // A message may begin with words and numbers, too. These are fields only if a column follows that
  // messages do not have. Returns false if all of them are fields.
  bool drop_unconfirmed(size_t before) {
    for (size_t i = before; i < columns_.size(); ++i) {
      const Kind kind = columns_[i].kind;
      if (kind != Kind::word && kind != Kind::number) continue;
      const auto confirms = [&](const LogColumn &column) {
        return column.kind == Kind::field || (kind == Kind::number && column.kind == Kind::name);
      };
      const auto after = columns_.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      if (std::any_of(after, columns_.end(), confirms)) continue;
      columns_.resize(i);
      return true;
    }
    return false;
  }
  // True if no name without brackets precedes the column, so that its name in brackets is part of
  // the header.
  bool is_header(size_t i) const {
    for (size_t j = 0; j < i; ++j) {
      if (columns_[j].kind == Kind::name && columns_[j].open == '\0') return false;
    }
    return true;
  }

  // Returns the gaps after the columns, for the lines that have these.
  std::vector<std::string> gaps_after(size_t before) const {
    const bool none = columns_.size() == before;
    std::vector<std::string> gaps;
    for (Bytes rest : none ? texts_after_time() : ends_of(columns_.back())) {
      TokenRules rules = none ? TokenRules{prefixes_[0].closers, false} : columns_.back().rules;
      read_gap(rest, &rules, &gaps.emplace_back());
    }
    return gaps;
  }
  static std::vector<Bytes> ends_of(const LogColumn &column) {
    return column.text.ends_with(']') ? past_form(column) : column.after;
  }

  LearnedLog finish(size_t before, const std::vector<std::string> &gaps) {
    name_columns(&columns_, &roles_);
    if (!has_time_) call_seconds_so();
    LearnedLog learned{.pattern = "%~", .shape = prefixes_[0].time.shape};
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i == before) add_time(&learned);
      const LogColumn &column = columns_[i];
      learned.pattern += column.gap + in_brackets(column.text, column.open);
    }
    if (before == columns_.size()) add_time(&learned);
    const Majority gap = majority(gaps);
    learned.pattern += (is_most(gap.count, std::ssize(gaps)) ? gap.text : " ") + "%{message}";
    learned.is_front = before == 0;
    learned.has_level = roles_.has("level");
    if (has_time_ || learned.has_level) count_fitting(&learned);
    return learned;
  }
  void count_fitting(LearnedLog *learned) const {
    const LogLayout layout(*Pattern::compile(learned->pattern));
    LogValues values;
    for (Bytes line : lines_) learned->fitting += layout.match(line, &values);
    learned->begins = layout.match(lines_[0], &values);
  }
  // A number after the level is a time since the start: INFO[0012] of Logrus, I (1234) of ESP-IDF.
  void call_seconds_so() {
    for (LogColumn &column : columns_) {
      if (column.text == "%{level}[%{pid:int}]") column.text = "%{level}[%{uptime}]";
      if (column.text == "%{pid:int}" && column.open == '(') column.text = "%{uptime}";
    }
  }
  void add_time(LearnedLog *learned) const {
    if (has_time_) learned->pattern += prefixes_[0].gap + "%{time}";
  }

  const std::vector<Bytes> &lines_;
  std::vector<Bytes> of_;  // the line of each prefix
  std::vector<LogPrefix> prefixes_;
  std::vector<LogColumn> columns_;
  LogRoles roles_;
  TokenRules rules_;
  bool has_time_ = true;
};

}  // namespace

std::optional<LearnedLog> learn_log(const std::vector<Bytes> &lines) {
  return Learner(lines).learn();
}

std::optional<LearnedLog> learn_log_of_levels(const std::vector<Bytes> &lines) {
  return Learner(lines).learn_levels();
}

}  // namespace mrc
