#include "base/text.h"
#include "fields/inner/log_layout.h"
#include "kinds/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

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
Pattern layout_of(Bytes form) { return *Pattern::compile("%~" + std::string(form) + "%{:rest}"); }

bool is_integer(Bytes value) { return is_digits(value) && value.size() <= 10; }

// True for 0x7f8a2b3c4d5e, 7f8a2b3c4d5e, and <0.123.0> of Erlang.
bool is_thread_number(Bytes value, char open) {
  constexpr Bytes kHex = "0123456789abcdefABCDEF";
  if (value.starts_with("0x")) return value.find_first_not_of(kHex, 2) == Bytes::npos;
  if (open == '<' && std::ranges::count(value, '.') == 2) {
    return value.find_first_not_of("0123456789.") == Bytes::npos;
  }
  return value.size() >= 8 && value.find_first_not_of(kHex) == Bytes::npos;
}

// True for names that programs give to their parts.
bool is_name(Bytes value) {
  const bool begins = !value.empty() && (is_letter(value[0]) || value[0] == '_');
  return begins && value.size() <= 100 && std::ranges::all_of(value, [](char c) {
           return is_letter(c) || is_digit(c) || Bytes("_.$/:@-#<>~*+!&()").find(c) != Bytes::npos;
         });
}
bool is_dotted_name(Bytes value) {
  return is_name(value) && value.substr(1, value.size() - 2).find_first_of("./:$") != Bytes::npos;
}

bool is_plain_name(Bytes value) { return is_name(value) && value.find('@') == Bytes::npos; }

bool is_thread_name(Bytes value) {
  std::string folded;
  for (char c : value) folded += is_letter(c) ? static_cast<char>(c | 0x20) : c;
  for (Bytes part : {"thread", "main", "worker", "pool", "exec", "http-", "timer", "dispatcher",
                     "scheduler", "qtp", "handler", "nio", "epoll", "listen", "tid-"}) {
    if (folded.find(part) != std::string::npos) return true;
  }
  return false;
}

// True if the text after a value shows that it is a name before a message.
bool ends_like_a_name(Bytes value, Bytes after, bool has_level) {
  if (after.empty()) return false;
  if (after[0] == '|' || after[0] == ']' || after[0] == ')' || after[0] == '>') return true;
  const Bytes rest = after.substr(std::min(after.find_first_not_of(" \t"), after.size()));
  if (rest.starts_with("|") || rest.starts_with(": ") || rest.starts_with(":\t") || rest == ":" ||
      rest.starts_with("- "))
    return true;
  if (after.starts_with(":") && is_dotted_name(value)) return true;
  if (!has_level) return is_dotted_name(value) && rest.starts_with("[");
  return rest.starts_with("[") || after.starts_with("  ") || after.starts_with('\t') ||
         is_dotted_name(value);
}

// Returns the value with the brackets around it.
Bytes with_brackets(Bytes value, char open) {
  const char *begin = value.data(), *end = value.data() + value.size();
  while (*begin != open || begin == value.data()) --begin;
  while (*end != closing_bracket(open)) ++end;
  return {begin, static_cast<size_t>(end + 1 - begin)};
}

// True if most values have the form, and its fields are not known yet.
bool takes_form(const LogColumn &column, Bytes form, i64 of, const LogRoles &roles) {
  const bool is_open = column.open != '\0';
  if (is_open && (form.ends_with(']') || form[0] == '[')) return false;
  if (!is_open && form.find(' ') != Bytes::npos) return false;
  if (form == "%{level}" && !has_clear_level(column.values)) return false;
  const Pattern pattern = layout_of(in_brackets(form, column.open));
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

bool classify_form(LogColumn *column, i64 of, LogRoles *roles) {
  for (Bytes form : kForms) {
    if (!takes_form(*column, form, of, *roles)) continue;
    if (form == "%{thread}/%{level}" && column->open == '\0') form = "%{logger}/%{level}";
    column->kind = Kind::field;
    column->text = form;
    for (const std::string &name : layout_of(form).fields) roles->add(name);
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

// Numbers in brackets, or before a separator, are fields; those of one digit may be levels.
void classify_number(LogColumn *column, i64 of, LogRoles *roles) {
  const auto ends = [](Bytes after) { return after[0] == '|' || after[0] == ']'; };
  const bool is_closed = is_most(count_if(column->after, ends), of);
  const auto is_small = [](Bytes value) { return value.size() == 1; };
  const bool has_mark = column->open == '<' || (is_closed && column->gap.starts_with(','));
  column->kind = column->open != '\0' || is_closed ? Kind::field : Kind::number;
  if (has_mark && !roles->has("level") && is_most(count_if(column->values, is_small), of)) {
    column->text = "%{level}";
    roles->add("level");
  } else if (column->kind == Kind::field && !column->before_time) {
    column->text = free_number(roles);
  }
}

bool is_name_column(const LogColumn &column, i64 of, const LogRoles &roles) {
  i64 fitting = 0;
  for (size_t i = 0; i < column.values.size(); ++i) {
    fitting += is_name(column.values[i]) &&
               ends_like_a_name(column.values[i], column.after[i], roles.has("level"));
  }
  return is_most(fitting, of);
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

  // A name without brackets is the logger, preferably one with dots; else the name in brackets that
  // has dots, or the last one. A name in brackets may also be the thread, if it looks like one.
  void name_names() {
    LogColumn *thread = nullptr, *plain = nullptr, *dotted = nullptr, *other = nullptr;
    for (LogColumn &column : columns_) {
      if (!column.text.empty() || column.kind != Kind::name) continue;
      const bool has_dots = half_of(column, is_dotted_name);
      if (column.open != '\0' && thread == nullptr && half_of(column, is_thread_name)) {
        thread = &column;
      } else if (column.before_time) {
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

  // The word before "program[pid]" is the host, and a name before the level is the logger.
  void name_neighbours() {
    for (size_t i = 1; i < columns_.size(); ++i) {
      LogColumn &word = columns_[i - 1];
      const std::string &next = columns_[i].text;
      if (word.kind != Kind::word || word.before_time) continue;
      if (next.starts_with("%{program}")) name(&word, "host");
      const i64 names = count_if(word.values, is_plain_name);
      if (next == "%{level}" && is_most(names, std::ssize(word.values))) name(&word, "logger");
    }
  }

 private:
  static bool half_of(const LogColumn &column, bool (*fits)(Bytes)) {
    return count_if(column.values, fits) * 2 >= std::ssize(column.values);
  }
  void name(LogColumn *column, const char *role) {
    if (column == nullptr || !column->text.empty() || roles_.has(role)) return;
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
    classify_number(column, of, roles);
  } else if (!roles->has("thread") &&
             most([&](Bytes value) { return is_thread_number(value, column->open); })) {
    column->kind = Kind::field;
    column->text = "%{thread}";
    roles->add("thread");
  } else if (column->open != '\0') {
    const bool is_thread = count_if(column->values, is_thread_name) * 2 >= of;
    column->kind = most(is_name) || is_thread ? Kind::name : Kind::bracket;
  } else if (!roles->has("logger") && !roles->has("header") &&
             is_name_column(*column, of, *roles)) {
    column->kind = Kind::name;
    const i64 ending = count_if(column->after, [](Bytes after) { return after.starts_with(": "); });
    if (is_most(ending, of)) roles->add("header");  // a message follows, or a level
  }
}

void name_columns(std::vector<LogColumn> *columns, LogRoles *roles) {
  Namer namer(columns, roles);
  namer.name_numbers();
  namer.name_names();
  namer.name_neighbours();
  for (LogColumn &column : *columns) {
    if (column.text.empty()) column.text = roles->next_word();
  }
}

}  // namespace mrc
