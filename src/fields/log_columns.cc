#include "base/text.h"
#include "fields/inner/log_layout.h"
#include "fields/inner/log_words.h"
#include "kinds/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace mrc {
namespace {

using Kind = LogColumn::Kind;

// Forms of a word, or of the text in brackets. The first form that most values have is used.
constexpr Bytes kForms[] = {
    "%{level}",
    "%{level}[%{pid:int}]",
    "%{logger}[%{level}]",
    "%{program}[%{pid:int}:%{thread}]",
    "%{program}[%{pid:int}]",
    "%{pid:int}#%{thread}",
    "#%{pid:int}",
    "pid %{pid:int}:tid %{thread}",
    "pid %{pid:int}",
    "pid=%{pid:int}",
    "pid:%{pid:int}",
    "p=%{pid:int}",
    "tid=%{thread}",
    "tid %{thread}",
    "id=%{thread}",
    "%{level}/%{logger}",
    "%{logger}:%{level}",
    "%{thread}:%{logger}@%{}",
    "%{thread}/%{level}",
    "%{logger}.%{level}",
    "%{program}[%{thread}]",
};

i64 count_if(const std::vector<Bytes> &values, const std::function<bool(Bytes)> &fits) {
  return std::ranges::count_if(values, fits);
}

// Returns the layout of text that begins with a form.
Pattern layout_of_form(Bytes form) {
  return *Pattern::compile("%~" + std::string(form) + "%{:rest}");
}

bool is_integer(Bytes value) { return is_digits(value) && value.size() <= 10; }

// Returns the value with the brackets around it.
Bytes with_brackets(Bytes value, char open) {
  const char *begin = value.data(), *end = value.data() + value.size();
  while (*begin != open || begin == value.data()) --begin;
  while (*end != closing_bracket(open)) ++end;
  return {begin, static_cast<size_t>(end + 1 - begin)};
}

// True if words of this form in the column are no words of messages.
bool may_be_bare(const LogColumn &column, Bytes form) {
  if (form == "#%{pid:int}") return !column.rules.closers.empty();
  if (form.starts_with("id=") || form.find('@') != Bytes::npos) return false;
  if (!form.starts_with("%{program}[") || column.before_time) return true;
  const i64 colons = count_if(column.after, [](Bytes after) { return after.starts_with(':'); });
  return is_most(colons, std::ssize(column.after)) || are_varied(column.after);
}

// True if most values are the first word of FAIL LOGIN and the like.
bool begin_outcomes(const LogColumn &column) {
  i64 outcomes = 0;
  for (size_t i = 0; i < column.values.size(); ++i) {
    outcomes += column.values[i] == "FAIL" && column.after[i].starts_with(' ');
  }
  return is_most(outcomes, std::ssize(column.values));
}

// True if most values have the form, and its fields are not known yet.
bool takes_form(const LogColumn &column, Bytes form, i64 of, const LogRoles &roles) {
  const bool is_open = column.open != '\0';
  if (is_open && (form.ends_with(']') || form[0] == '[')) return false;
  if (!is_open && form.find(' ') != Bytes::npos) return false;
  if (form == "%{level}" && !has_clear_level(column.values)) return false;
  if (form == "%{level}" && !is_open && begin_outcomes(column)) return false;
  if (!is_open && !may_be_bare(column, form)) return false;
  const Pattern pattern = layout_of_form(in_brackets(form, column.open));
  const auto is_known = [&](const std::string &name) { return roles.has(name); };
  if (std::ranges::any_of(pattern.fields, is_known)) return false;
  const LogLayout layout(pattern);
  return is_most(count_if(column.values,
                          [&](Bytes value) {
                            const Bytes all = is_open ? with_brackets(value, column.open) : value;
                            const size_t size = layout.match_all(all);
                            return size == all.size() ||
                                   (size > 0 && form.ends_with(']') && all[size] == '[');
                          }),
                 of);
}

// If an earlier column has letters for the level, and this one has words, the words are the level.
void give_up_letter(const LogColumn &column, i64 of, std::vector<LogColumn> *columns,
                    LogRoles *roles) {
  const auto is_word = [](Bytes value) { return value.size() > 1 && is_log_level(value); };
  if (!roles->has("level") || !is_most(count_if(column.values, is_word), of)) return;
  for (LogColumn &before : *columns) {
    const auto is_letter_of_level = [](Bytes value) { return value.size() == 1; };
    const i64 letters = count_if(before.values, is_letter_of_level);
    if (before.text != "%{level}" || letters < std::ssize(before.values)) continue;
    before.kind = Kind::word;
    before.text.clear();
    roles->drop("level");
  }
}

// True if a message follows the level, because most levels are words of PostgreSQL before a colon.
// It writes no name of a logger.
bool is_level_of_postgres(const LogColumn &column) {
  i64 own = 0;
  for (size_t i = 0; i < column.values.size(); ++i) {
    for (Bytes word : {"LOG", "DETAIL", "STATEMENT", "HINT", "CONTEXT", "QUERY"}) {
      own += column.values[i] == word && column.after[i].starts_with(":  ");
    }
  }
  return 2 * own > std::ssize(column.values);
}

bool classify_form(LogColumn *column, i64 of, LogRoles *roles) {
  for (Bytes form : kForms) {
    if (!takes_form(*column, form, of, *roles)) continue;
    if (form == "%{thread}/%{level}" && column->open == '\0') form = "%{logger}/%{level}";
    column->kind = Kind::field;
    column->text = form;
    for (const std::string &name : layout_of_form(form).fields) roles->add(name);
    if (form == "%{level}" && is_level_of_postgres(*column)) roles->add("header");
    return true;
  }
  return false;
}

std::string free_number(LogRoles *roles) {
  const bool has_pid = roles->has("pid");
  if (has_pid && roles->has("thread")) return "";
  roles->add(has_pid ? "thread" : "pid");
  return has_pid ? "%{thread}" : "%{pid:int}";
}

// True if nothing but names and fields precede the column after the time, and no separator like
// that after it follows.
bool precedes_message(const LogColumn &column, const std::vector<LogColumn> &columns) {
  const auto is_part = [](const LogColumn &before) {
    return before.before_time || before.kind == Kind::field || before.kind == Kind::name;
  };
  const auto has_more = [](Bytes after) { return after.find('|', 1) != Bytes::npos; };
  return std::ranges::all_of(columns, is_part) &&
         !is_most(count_if(column.after, has_more), std::ssize(column.after));
}

// True if text follows the column. A number in brackets at the end belongs to the message.
bool has_text_after(const LogColumn &column) {
  const auto is_end = [](Bytes after) { return without_blanks_before(after).empty(); };
  return column.before_time || !is_most(count_if(column.after, is_end), std::ssize(column.after));
}

Kind kind_of_number(const LogColumn &column, bool is_closed, i64 of,
                    const std::vector<LogColumn> &columns, const LogRoles &roles) {
  const bool is_open = column.open != '\0';
  if (is_most(count_if(column.values, is_usual_status), of))
    return is_open ? Kind::bracket : Kind::word;
  const bool is_first = columns.empty() || columns.back().before_time;
  const bool follows = roles.has("header") || (!is_first && column.gap.find(':') != Bytes::npos);
  if (is_open && (follows || !has_text_after(column))) return Kind::bracket;
  if (is_open) return column.before_time || are_varied(column.after) ? Kind::field : Kind::number;
  if (!is_closed) return Kind::number;
  const bool has_bars = column.after[0].starts_with('|');
  return !has_bars || precedes_message(column, columns) ? Kind::field : Kind::number;
}

// True if the number of a line may follow, because the last column has names of classes.
bool follows_class(const std::vector<LogColumn> &columns) {
  if (columns.empty()) return false;
  const LogColumn &last = columns.back();
  return is_most(count_if(last.values, is_class_name), std::ssize(last.values));
}

// Numbers in brackets, or before a separator, are fields; those of one digit may be levels.
void classify_number(LogColumn *column, i64 of, const std::vector<LogColumn> &columns,
                     LogRoles *roles) {
  const auto ends = [](Bytes after) { return after.starts_with('|') || after.starts_with(']'); };
  const bool is_closed = is_most(count_if(column->after, ends), of);
  const auto is_small = [](Bytes value) { return value.size() == 1; };
  const bool has_mark = column->open == '<' || (is_closed && column->gap.starts_with(','));
  if (has_mark && !roles->has("level") && is_most(count_if(column->values, is_small), of)) {
    column->kind = Kind::field;
    column->text = "%{level}";
    roles->add("level");
    return;
  }
  column->kind = kind_of_number(*column, is_closed, of, columns, *roles);
  const bool is_line = column->open == '[' && follows_class(columns);
  if (column->kind == Kind::field && !column->before_time && !is_line)
    column->text = free_number(roles);
}

char first_separator(Bytes after) {
  const Bytes rest = without_blanks_before(after);
  return rest.empty() ? '\0' : rest[0];
}
char most_frequent_separator(const std::vector<Bytes> &after) {
  std::array<i64, 256> counts{};
  for (Bytes text : after) ++counts[static_cast<u8>(first_separator(text))];
  return static_cast<char>(std::ranges::max_element(counts) - counts.begin());
}

// True if a date follows a word as its value: "End: 2020-01-31 11:45:28".
bool is_label_of_time(Bytes after) {
  return after.starts_with(": ") && has_date(find_timestamp(after.substr(2)).shape);
}

// Returns the kind of a word: a name that the message may begin with is doubtful if the texts after
// it do not differ. If tabs separate columns, a word before a blank is part of the message.
Kind kind_of_word(const LogColumn &column, i64 of, const LogRoles &roles) {
  const auto has_end = [](Bytes after) {
    return after.starts_with('\t') || after.starts_with(':');
  };
  if (column.after_tab && !std::ranges::all_of(column.after, has_end)) return Kind::word;
  i64 ending = 0, classes = 0, fitting = 0;
  const char separator = most_frequent_separator(column.after);
  for (size_t i = 0; i < column.values.size(); ++i) {
    const Bytes value = column.values[i], after = column.after[i];
    if (!is_name(value) || is_usual_method(value) || is_log_level(value)) continue;
    if (is_label_of_time(after)) continue;
    const bool ends = has_end_of_name(value, after) && first_separator(after) == separator;
    ending += ends;
    classes += is_class_name(value);
    fitting += ends || may_end_name(value, after, roles.has("level"));
  }
  if (!is_most(fitting, of)) return Kind::word;
  const bool is_sure = is_most(ending, of) || is_most(classes, of) || are_varied(column.after);
  return is_sure ? Kind::name : Kind::doubtful_name;
}

// Gives the remaining roles to columns that may have them.
class Namer {
 public:
  Namer(std::vector<LogColumn> *columns, LogRoles *roles) : columns_(*columns), roles_(*roles) {}

  void name_numbers() {
    for (LogColumn &column : columns_) {
      const bool is_open = column.kind == Kind::number && !column.before_time;
      if (is_open && column.text.empty()) column.text = free_number(&roles_);
    }
  }

  // The word before "program[pid]" is the host, and so is a name like that of a machine. Words of
  // letters that are hardly ever the same begin messages: "Deleted job[12]: x".
  void name_hosts() {
    for (size_t i = 1; i < columns_.size(); ++i) {
      LogColumn &word = columns_[i - 1];
      const bool may_be =
          word.kind == Kind::word || (word.kind == Kind::name && half_of(word, is_machine_name));
      if (word.before_time || word.open != '\0' || !may_be || are_different_words(word)) continue;
      if (columns_[i].text.starts_with("%{program}")) name(&word, "host");
    }
  }

  // A name without brackets is the logger, preferably one with dots; else the name in brackets that
  // has dots, or the last one. A name in brackets may also be the thread, if it looks like one.
  void name_names() {
    LogColumn *thread = nullptr, *plain = nullptr, *dotted = nullptr, *other = nullptr;
    for (const bool may_have_dots : {false, true}) {
      for (LogColumn &column : columns_) {
        const bool is_free = column.text.empty() && column.kind == Kind::name;
        const bool may_be = column.open != '\0' || half_of(column, is_numbered_thread);
        if (thread == nullptr && is_free && may_be && half_of(column, is_thread_name) &&
            (may_have_dots || !half_of(column, is_dotted_name))) {
          thread = &column;
        }
      }
    }
    for (LogColumn &column : columns_) {
      if (!column.text.empty() || column.kind != Kind::name || &column == thread) continue;
      if (may_be_user(column)) continue;
      const bool has_dots = half_of(column, is_dotted_name);
      if (column.before_time) {
        continue;
      } else if (column.open == '\0') {
        if (plain == nullptr || has_dots) plain = &column;
      } else {
        (has_dots && dotted == nullptr ? dotted : other) = &column;
      }
    }
    const auto is_program = [](Bytes value) { return value.ends_with(".exe"); };
    if (plain != nullptr && half_of(*plain, is_program)) name(plain, "program");
    name(thread, "thread");
    for (LogColumn *logger : {plain, dotted, other}) name(logger, "logger");
    for (LogColumn &column : columns_) {
      if (column.kind == Kind::name && half_of(column, is_thread_name)) name(&column, "thread");
    }
  }

  // A name before the level is the logger.
  void name_neighbours() {
    for (size_t i = 1; i < columns_.size(); ++i) {
      LogColumn &word = columns_[i - 1];
      const std::string &next = columns_[i].text;
      if (word.kind != Kind::word || word.before_time) continue;
      const i64 names = count_if(word.values, is_plain_name);
      if (next == "%{level}" && is_most(names, std::ssize(word.values))) name(&word, "logger");
    }
  }

 private:
  // True for "(web) 192.0.2.1->/var/log/messages", the agent of OSSEC and where its line is from.
  static bool is_agent(const LogColumn &column) {
    const auto is_source = [](Bytes after) {
      const Bytes rest = without_blanks_before(after);
      return rest.substr(0, rest.find(' ')).find("->") != Bytes::npos;
    };
    return column.open == '(' &&
           is_most(count_if(column.after, is_source), std::ssize(column.after));
  }
  // True for a name between a process and a message without a level, as of vsftpd.
  bool may_be_user(const LogColumn &column) const {
    if (&column == columns_.data() || roles_.has("level")) return false;
    return column.open == '[' && (&column - 1)->text == "pid %{pid:int}";
  }
  static bool are_different_words(const LogColumn &column) {
    std::set<Bytes> words;
    for (Bytes value : column.values) {
      if (std::ranges::all_of(value, is_letter)) words.insert(value);
    }
    return words.size() > 1 && words.size() * 2 > column.values.size();
  }
  // True for names such as worker-2, which no logger has.
  static bool is_numbered_thread(Bytes value) {
    return is_thread_name(value) && is_digit(value.back()) &&
           value.find_first_of(".:/") == Bytes::npos;
  }
  static bool half_of(const LogColumn &column, bool (*fits)(Bytes)) {
    return count_if(column.values, fits) * 2 >= std::ssize(column.values);
  }
  // True if a considerable part of the values are levels: these are of lines of another layout.
  static bool has_levels(const LogColumn &column) {
    return count_if(column.values, is_sure_level) * 20 >= std::ssize(column.values);
  }
  void name(LogColumn *column, const char *role) {
    if (column == nullptr || !column->text.empty() || roles_.has(role)) return;
    if (Bytes(role) == "logger" && is_agent(*column)) return;
    const bool may_be_host = half_of(*column, is_machine_name);
    if ((Bytes(role) == "logger" && may_be_host) || has_levels(*column)) return;
    column->text = fmt::format("%{{{}}}", role);
    roles_.add(role);
  }

  std::vector<LogColumn> &columns_;
  LogRoles &roles_;
};

}  // namespace

void classify(LogColumn *column, i64 of, std::vector<LogColumn> *columns, LogRoles *roles) {
  const auto most = [&](auto fits) { return is_most(count_if(column->values, fits), of); };
  give_up_letter(*column, of, columns, roles);
  const bool numbers = most(is_integer);
  if (!numbers && classify_form(column, of, roles)) return;
  if (numbers) {
    classify_number(column, of, *columns, roles);
  } else if (!roles->has("thread") &&
             most([&](Bytes value) { return is_thread_number(value, column->open); })) {
    column->kind = Kind::field;
    column->text = "%{thread}";
    roles->add("thread");
  } else if (column->open != '\0') {
    const bool is_thread = count_if(column->values, is_thread_name) * 2 >= of;
    const bool is_part =
        most([](Bytes value) { return is_name(value) && !is_usual_method(value); });
    column->kind = is_part || is_thread ? Kind::name : Kind::bracket;
  } else if (!roles->has("logger") && !roles->has("header")) {
    column->kind = kind_of_word(*column, of, *roles);
    const bool ends =
        column->kind == Kind::name && is_most(count_if(column->after, is_end_of_header), of);
    if (ends) roles->add("header");
    column->ends_header = ends && most(is_dotted_name);
  }
}

LogRoles roles_of(const std::vector<LogColumn> &columns) {
  LogRoles roles;
  for (const LogColumn &column : columns) {
    if (column.text.empty()) continue;
    for (const std::string &name : layout_of_form(column.text).fields) roles.add(name);
  }
  return roles;
}

void name_columns(std::vector<LogColumn> *columns, LogRoles *roles) {
  Namer namer(columns, roles);
  namer.name_numbers();
  namer.name_hosts();
  namer.name_names();
  namer.name_neighbours();
  for (LogColumn &column : *columns) {
    if (column.text.empty()) column.text = roles->next_word();
  }
}

}  // namespace mrc
