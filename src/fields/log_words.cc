#include "fields/inner/log_words.h"

#include "base/text.h"

#include <algorithm>

namespace mrc {

bool is_thread_number(Bytes value, char open) {
  constexpr Bytes kHex = "0123456789abcdefABCDEF";
  if (value.starts_with("0x")) return value.find_first_not_of(kHex, 2) == Bytes::npos;
  if (open == '<' && std::ranges::count(value, '.') == 2) {
    return value.find_first_not_of("0123456789.") == Bytes::npos;
  }
  return value.size() >= 8 && value.find_first_not_of(kHex) == Bytes::npos;
}

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

bool is_machine_name(Bytes value) {
  const auto is_usual = [](char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '.';
  };
  if (value.empty() || !std::ranges::all_of(value, is_usual) || is_thread_name(value)) return false;
  const size_t dot = value.rfind('.'), dash = value.rfind('-');
  if (dot == Bytes::npos) return dash != Bytes::npos && is_digits(value.substr(dash + 1));
  for (Bytes domain : {"com", "net", "org", "edu", "example", "local", "localdomain", "lan",
                       "internal", "intern", "corp"}) {
    if (value.substr(dot + 1) == domain) return true;
  }
  return false;
}

bool is_thread_name(Bytes value) {
  std::string folded;
  for (char c : value) folded += is_letter(c) ? static_cast<char>(c | 0x20) : c;
  for (Bytes part : {"thread", "main", "worker", "pool", "exec", "http-", "timer", "dispatcher",
                     "scheduler", "qtp", "handler", "nio", "epoll", "listen", "tid-"}) {
    if (folded.find(part) != std::string::npos) return true;
  }
  return false;
}

bool is_class_name(Bytes value) {
  const Bytes last = value.substr(value.rfind('.') + 1);
  const bool is_capital = !last.empty() && last[0] >= 'A' && last[0] <= 'Z';
  return is_capital && std::ranges::count(value, '.') >= 2;
}

bool is_usual_method(Bytes value) {
  for (Bytes method : {"GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
    if (value == method) return true;
  }
  return false;
}

bool is_usual_status(Bytes value) {
  for (Bytes status : {"200", "201", "202", "204", "206", "301", "302", "303", "304", "307",
                       "308", "400", "401", "403", "404", "405", "408", "409", "410", "413",
                       "416", "422", "429", "499", "500", "501", "502", "503", "504"}) {
    if (value == status) return true;
  }
  return false;
}

bool may_be_status(Bytes value) {
  if (value.size() != 3 || !is_digits(value)) return false;
  const int last = (value[1] - '0') * 10 + (value[2] - '0');
  switch (value[0]) {
    case '1': return last <= 3;
    case '2': return last <= 26;
    case '3': return last <= 8;
    case '4':
    case '5': return true;
    default: return false;
  }
}

Bytes without_blanks_before(Bytes text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

bool has_end_of_name(Bytes value, Bytes after) {
  if (after.empty()) return false;
  if (after[0] == '|' || after[0] == ']' || after[0] == ')' || after[0] == '>') return true;
  const Bytes rest = without_blanks_before(after);
  return rest.starts_with("|") || rest.starts_with(": ") || rest.starts_with(":\t") ||
         rest == ":" || rest.starts_with("- ") || (after.starts_with(":") && is_dotted_name(value));
}

bool may_end_name(Bytes value, Bytes after, bool has_level) {
  if (after.empty()) return false;
  const Bytes rest = without_blanks_before(after);
  if (!has_level) return is_dotted_name(value) && rest.starts_with("[");
  return rest.starts_with("[") || after.starts_with("  ") || after.starts_with('\t') ||
         is_dotted_name(value);
}

bool is_end_of_header(Bytes after) {
  const Bytes rest = without_blanks_before(after);
  return rest.starts_with(": ") || (rest.size() < after.size() && rest.starts_with("- "));
}

}  // namespace mrc
