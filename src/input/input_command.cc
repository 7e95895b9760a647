// Follows the quoting rules of sh(1) far enough to tell whether a {} is in quotes. A wrong guess,
// as in a comment with one quote, refuses a form that would have worked.
#include "input/inner/input_command.h"

#include "base/setting_name.h"
#include "input/input.h"

#include <fmt/format.h>

namespace mrc {
namespace {

constexpr std::string_view kPlace = "{}", kName = "\"$1\"";

// Walks over the bytes of a form and tracks quotes.
class Walk {
 public:
  explicit Walk(std::string_view form) : form_(form) {}

  bool at_end() const { return at_ >= form_.size(); }
  bool in_quotes() const { return quote_ != '\0'; }
  bool sees(std::string_view text) const { return form_.substr(at_).starts_with(text); }
  // True if the shell substitutes the name here: $1, $@, $* or one of them in braces.
  bool sees_parameter() const {
    if (quote_ == '\'' || !sees("$")) return false;
    const std::string_view rest = form_.substr(at_ + (sees("${") ? 2 : 1));
    const bool is_other = sees("${") && rest.size() > 1 && rest[1] >= '0' && rest[1] <= '9';
    return !rest.empty() && std::string_view("1@*").find(rest[0]) != rest.npos && !is_other;
  }
  // Takes the next byte, or two if the first is a backslash.
  std::string_view take() {
    const char first = form_[at_];
    const bool escapes = first == '\\' && quote_ != '\'' && at_ + 1 < form_.size();
    if (!escapes && (first == '\'' || first == '"')) {
      quote_ = quote_ == '\0' ? first : quote_ == first ? '\0' : quote_;
    }
    return skip(escapes ? 2 : 1);
  }
  std::string_view skip(size_t bytes) {
    const std::string_view taken = form_.substr(at_, bytes);
    at_ += bytes;
    return taken;
  }

 private:
  const std::string_view form_;
  size_t at_ = 0;
  char quote_ = '\0';  // '\0': outside quotes
};

}  // namespace

Result<std::string> script_of(std::string_view form) {
  std::string script;
  bool names_input = false;
  for (Walk walk(form); !walk.at_end();) {
    names_input |= walk.sees_parameter();
    if (!walk.sees(kPlace)) {
      script += walk.take();
      continue;
    }
    if (walk.in_quotes()) {
      return Status::error(
          "a {} in quotes would be a part of the command, and not the name of the input; write it "
          "without quotes, as in 'zcat {}', or write \"$1\" for the name");
    }
    walk.skip(kPlace.size());
    script += kName;
    names_input = true;
  }
  if (!names_input) script.append(" ").append(kName);
  return script;
}

Status check_input_command(const std::string &form) { return script_of(form).status(); }

}  // namespace mrc
