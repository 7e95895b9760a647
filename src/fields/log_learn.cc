#include "base/text.h"
#include "fields/inner/joined_time.h"
#include "fields/inner/log_layout.h"
#include "kinds/level.h"

#include <algorithm>
#include <functional>
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
bool is_clear_level_word(const LogToken &token, Bytes after) {
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
    if (is_clear_level_word(word, after)) return true;
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
    before_ = columns_.size();
    std::vector<Bytes> rests = texts_after_time();
    while (columns_.size() < kMostColumns && add_column(&rests)) {
    }
    drop_words_of_messages(before_, &columns_);
    return finish(gaps_after());
  }

  // Keeps the lines whose prefix has the most frequent form.
  void find_prefixes() {
    std::vector<LogPrefix> all;
    std::vector<std::string> forms;
    for (Bytes line : lines_) {
      LogPrefix prefix;
      if (!find_prefix(line, &prefix)) continue;
      const TimeForm form = form_of(line.substr(prefix.at), prefix.time);
      forms.push_back(prefix.form() + static_cast<char>('A' + static_cast<int>(form.shape)));
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
    find_years();
    if (prefixes_.empty()) return;
    rules_.closers = prefixes_[0].closers;
    find_form();
  }

  // Makes a year that follows the clock part of the time.
  void find_years() {
    std::vector<Bytes> texts;
    for (size_t i = 0; i < of_.size(); ++i) texts.push_back(of_[i].substr(prefixes_[i].at));
    const ClockNumbers numbers = numbers_after_clocks(texts);
    if (numbers == ClockNumbers::other) return;
    has_years_ = numbers == ClockNumbers::years;
    size_t kept = 0;
    for (size_t i = 0; i < of_.size() && has_years_; ++i) {
      const i64 size = dated_size(texts[i]);
      if (size == 0) continue;
      prefixes_[i].time.size = size;
      of_[kept] = of_[i];
      std::swap(prefixes_[kept++], prefixes_[i]);
    }
    of_.resize(kept);
    prefixes_.resize(kept);
  }
  // Finds the most frequent form of the times.
  void find_form() {
    std::map<TimeForm, i64> counts;
    i64 most = 0;
    for (size_t i = 0; i < of_.size(); ++i) {
      const TimeForm form = form_of(of_[i].substr(prefixes_[i].at), prefixes_[i].time);
      if (const i64 count = ++counts[form]; count > most) form_ = form, most = count;
    }
  }

  void add_words_before() {
    const i64 count = std::ssize(prefixes_);
    for (size_t word = 0; word < prefixes_[0].words.size(); ++word) {
      LogColumn column = {.open = prefixes_[0].words[word].open, .before_time = true};
      column.gap =
          common_gap(gaps_at([&](const LogPrefix &prefix) { return prefix.words[word].gap; }));
      for (const LogPrefix &prefix : prefixes_) {
        column.values.push_back(prefix.words[word].content);
        column.after.emplace_back(prefix.words[word].end, 1);
      }
      classify(&column, count, &columns_, &roles_);
      columns_.push_back(std::move(column));
    }
    if (has_dates()) columns_.back().text = "%{date}";
  }
  std::vector<std::string> gaps_at(const std::function<std::string(const LogPrefix &)> &gap) const {
    std::vector<std::string> gaps;
    for (const LogPrefix &prefix : prefixes_) gaps.push_back(gap(prefix));
    return gaps;
  }
  // True if the last word before the time is its date, as in [2024-05-01][10:00:00].
  bool has_dates() const {
    if (columns_.empty() || prefixes_[0].time.shape != TimeShape::clock) return false;
    i64 dates = 0;
    for (size_t i = 0; i < prefixes_.size(); ++i) {
      const Bytes clock =
          of_[i].substr(prefixes_[i].at, static_cast<size_t>(prefixes_[i].time.size));
      dates += is_time_of(columns_.back().values[i], clock);
    }
    return is_most(dates, std::ssize(prefixes_));
  }

  std::vector<Bytes> texts_after_time() const {
    std::vector<Bytes> rests;
    for (size_t i = 0; i < prefixes_.size(); ++i) {
      rests.push_back(of_[i].substr(prefixes_[i].at + static_cast<size_t>(prefixes_[i].time.size)));
    }
    return rests;
  }

  // Adds the next column that most lines have, and moves past it. Returns false if they have none
  // in common, or if the message begins with it.
  bool add_column(std::vector<Bytes> *rests) {
    if (roles_.has("header") && roles_.has("level")) return false;
    const std::optional<LogColumn> found = next_column(*rests);
    if (!found) return false;
    LogColumn column = *found;
    const std::vector<LogColumn> columns = columns_;
    const LogRoles roles = roles_;
    classify(&column, std::ssize(prefixes_), &columns_, &roles_);
    if (begins_message(column, columns, roles)) {
      columns_ = columns;
      roles_ = roles;
      return false;
    }
    *rests = ends_of(column);
    rules_ = column.rules;
    columns_.push_back(std::move(column));
    return true;
  }
  // Forms of gaps differ in their separators; lines that differ in blanks only have one column.
  std::optional<LogColumn> next_column(const std::vector<Bytes> &rests) const {
    std::vector<LogToken> tokens;
    std::vector<std::string> forms;
    for (Bytes rest : rests) {
      LogToken token = next_token(rest, rules_);
      forms.push_back(token.end == nullptr ? "\n" : without_blanks_in(token.gap) + token.open);
      tokens.push_back(std::move(token));
    }
    const Majority best = majority(forms);
    if (best.text == "\n" || !is_most(best.count, std::ssize(prefixes_))) return std::nullopt;
    LogColumn column = {.open = best.text.back()};
    std::vector<std::string> gaps;
    i64 tabs = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (forms[i] != best.text) continue;
      const Bytes rest = rests[i];
      column.values.push_back(tokens[i].content);
      column.after.push_back(rest.substr(static_cast<size_t>(tokens[i].end - rest.data())));
      column.rules = tokens[i].rules;
      gaps.push_back(tokens[i].gap);
      tabs += tokens[i].content.data() > rest.data() && tokens[i].content.data()[-1] == '\t';
    }
    column.after_tab = is_most(tabs, std::ssize(gaps));
    column.gap = common_gap(gaps);
    column.rules.colons = column.gap.ends_with(':');
    return column;
  }
  // A level, brackets or a name may follow "name: " or "name - ", and other words are a message. A
  // name follows a dash if the column before it does, or if it ends with a colon.
  bool begins_message(const LogColumn &column, const std::vector<LogColumn> &columns,
                      const LogRoles &roles) const {
    const bool is_level = column.text.find("%{level}") != std::string::npos;
    if (is_level || column.open != '\0') return false;
    if (roles.has("header")) return true;
    if (columns.size() == before_) return false;
    const bool follows_dash = column.gap.find('-') != std::string::npos;
    if (column.kind != Kind::name) return follows_dash || column.gap.ends_with(": ");
    const bool ends = roles_.has("header") && column.after[0].starts_with(':');
    return follows_dash && !ends && columns.back().gap.find('-') == std::string::npos;
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

  // Returns the gaps after the columns, for the lines that have these.
  std::vector<std::string> gaps_after() const {
    const bool none = columns_.size() == before_;
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

  LearnedLog finish(const std::vector<std::string> &gaps) {
    roles_ = roles_of(columns_);
    name_columns(&columns_, &roles_);
    if (!has_time_) call_seconds_so();
    LearnedLog learned{.pattern = "%~", .form = form_};
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i == before_) add_time(&learned);
      const LogColumn &column = columns_[i];
      learned.pattern += column.gap + in_brackets(column.text, column.open);
    }
    if (before_ == columns_.size()) add_time(&learned);
    learned.pattern += gap_before_message(gaps) + "%{message}";
    learned.is_front = before_ == 0;
    learned.has_level = roles_.has("level");
    if (has_time_ || learned.has_level) count_fitting(&learned);
    return learned;
  }
  static std::string gap_before_message(const std::vector<std::string> &gaps) {
    const std::string common = common_gap(gaps);
    const bool is_none = common.empty() && !is_most(std::ranges::count(gaps, ""), std::ssize(gaps));
    return is_none ? " " : common;
  }
  void count_fitting(LearnedLog *learned) const {
    LogLayout layout(*Pattern::compile(learned->pattern));
    layout.set_time_form(form_);
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
    if (!has_time_) return;
    const auto gaps = gaps_at([](const LogPrefix &prefix) { return prefix.gap; });
    learned->pattern += common_gap(gaps) + (has_years_ ? "%{time:ctime}" : "%{time}");
  }

  const std::vector<Bytes> &lines_;
  std::vector<Bytes> of_;  // the line of each prefix
  std::vector<LogPrefix> prefixes_;
  std::vector<LogColumn> columns_;
  LogRoles roles_;
  TokenRules rules_;
  size_t before_ = 0;  // number of columns before the time
  bool has_time_ = true;
  TimeForm form_ = {};  // of most times
  bool has_years_ = false;
};

}  // namespace

std::optional<LearnedLog> learn_log(const std::vector<Bytes> &lines) {
  return Learner(lines).learn();
}

std::optional<LearnedLog> learn_log_of_levels(const std::vector<Bytes> &lines) {
  return Learner(lines).learn_levels();
}

}  // namespace mrc
