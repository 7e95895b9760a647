// Compiles a pattern in two passes: the first one makes the steps, and the second one finds out
// what may follow each text and word.
#include "fields/pattern.h"

#include "base/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

struct TypeName {
  const char *name;
  ValueType type;
  i64 unit_ns = 0;
};
constexpr TypeName kPatternTypes[] = {
    {"text", ValueType::text},
    {"word", ValueType::word},
    {"name", ValueType::name},
    {"class", ValueType::class_name},
    {"letter", ValueType::letter},
    {"sign", ValueType::sign},
    {"rest", ValueType::rest},
    {"int", ValueType::integer},
    {"number", ValueType::number},
    {"hex", ValueType::hex},
    {"ip", ValueType::ip},
    {"peer", ValueType::peer},
    {"client", ValueType::client},
    {"time", ValueType::time},
    {"ctime", ValueType::ctime},
    {"epoch", ValueType::epoch},
    {"level", ValueType::level},
    {"quoted", ValueType::quoted},
    {"bracketed", ValueType::bracketed},
    {"ns", ValueType::number, 1},
    {"us", ValueType::number, 1'000},
    {"ms", ValueType::number, 1'000'000},
    {"s", ValueType::number, 1'000'000'000},
};

const TypeName *find_type(Bytes name) {
  for (const TypeName &each : kPatternTypes) {
    if (name == each.name) return &each;
  }
  return nullptr;
}
// A value without a type has the one that its name tells, but a field called s may be anything.
ValueType type_by_name(Bytes name) {
  const TypeName *type = find_type(name);
  return type != nullptr && type->unit_ns == 0 ? type->type : ValueType::text;
}

bool is_name_byte(char c) {
  return is_letter(c) || is_digit(c) || Bytes("_-.@/()").find(c) != Bytes::npos ||
         static_cast<u8>(c) >= 0x80;
}

bool ends_by_what_follows(const PatternStep &step) {
  return step.kind == PatternStep::Kind::value &&
         (step.type == ValueType::text || step.type == ValueType::word);
}

// True if a value of this type may be read by its ends alone, as a loose pattern does.
bool may_be_loose(ValueType type) {
  return type != ValueType::rest && type != ValueType::client && type != ValueType::quoted &&
         type != ValueType::bracketed;
}

class PatternCompiler {
 public:
  explicit PatternCompiler(std::string_view text) : text_(text) { pattern_.text = text; }

  Result<Pattern> compile() {
    pattern_.is_loose = takes("%~");
    pattern_.joins_lines = pattern_.is_loose || takes("%+");
    pattern_.has_colors = pattern_.is_loose && takes("%e");
    Status status = steps(0);
    while (status.is_ok() && takes("%|")) {
      next_alternative();
      status = steps(0);
    }
    if (status.is_ok() && at_ < text_.size()) status = error("this closes no part", at_);
    if (status.is_ok() && pattern_.alternatives.empty() && alternative_.steps.empty()) {
      status = error("a pattern has at least one value, such as %{time}", at_);
    }
    if (!status.is_ok()) return status;
    next_alternative();
    pattern_.joins_lines |= pattern_.has_line_ends;
    if (pattern_.is_loose) status = finish_loose();
    for (PatternAlternative &each : pattern_.alternatives) {
      for (size_t i = 0; i < each.steps.size() && status.is_ok(); ++i) {
        if (!pattern_.is_loose && ends_by_what_follows(each.steps[i])) status = add_stop(i, &each);
      }
    }
    if (!status.is_ok()) return status;
    if (pattern_.fields.empty()) return error("no value in it has a name, such as %{time}", 0);
    if (!pattern_.is_loose) pattern_.message = find_field("message");
    return std::move(pattern_);
  }

 private:
  // Returns the error "pattern 'TEXT' at character 7: REASON".
  Status error(std::string_view reason, size_t at) const {
    return Status::error(fmt::format("pattern '{}' at character {}: {}", text_, at + 1, reason));
  }

  bool takes(std::string_view sign) {
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  bool is_at(std::string_view sign) const { return text_.substr(at_).starts_with(sign); }

  // Reads steps up to the end of the alternative or of the part.
  Status steps(size_t depth) {
    while (at_ < text_.size() && !is_at("%|") && !is_at("%]") && !is_at("%)")) {
      Status status = is_at("%{") ? value() : is_at("%[") || is_at("%(") ? part(depth) : literal();
      if (!status.is_ok()) return status;
    }
    return Status::ok();
  }

  Status literal() {
    const size_t at = at_;
    char c = text_[at_++];
    const bool is_line_end = c == '%' && takes("n");
    if (c == '%' && !is_line_end && !takes("%")) {
      return error("after % comes one of {, [, ], (, ), |, n or % for a percent sign", at);
    }
    if (c == '\n' || c == '\r') return error("a pattern is of one line", at);
    if (is_blank(c)) c = ' ';
    if (is_line_end) c = '\n';
    pattern_.has_line_ends |= is_line_end;
    std::vector<PatternStep> &all = alternative_.steps;
    const bool goes_on = !all.empty() && all.back().kind == PatternStep::Kind::literal &&
                         std::ssize(all) != part_ && !is_line_end && all.back().literal != "\n";
    if (!goes_on) {
      all.push_back({.kind = PatternStep::Kind::literal});
      places_.push_back(at);
    }
    std::string &text = all.back().literal;
    if (c != ' ' || !text.ends_with(' ')) text.push_back(c);
    return Status::ok();
  }

  // Reads %[ ... %] or %(name: ... %).
  Status part(size_t depth) {
    const size_t at = at_;
    const bool optional = takes("%[");
    if (depth == Pattern::kMostDepth) {
      return error(fmt::format("parts are nested more than {} deep", Pattern::kMostDepth), at);
    }
    PatternStep begin{.kind = optional ? PatternStep::Kind::optional : PatternStep::Kind::group};
    if (!optional) {
      const size_t colon = text_.find(':', at);
      if (colon == text_.npos) return error("after %( come a name and a colon", at);
      const std::string_view name = text_.substr(at + 2, colon - at - 2);
      if (Status status = name_field(name, at + 2, &begin); !status.is_ok()) return status;
      at_ = colon + 1;
    }
    const size_t step = alternative_.steps.size();
    alternative_.steps.push_back(begin);
    places_.push_back(at);
    part_ = std::ssize(alternative_.steps);
    if (Status status = steps(depth + 1); !status.is_ok()) return status;
    if (!takes(optional ? "%]" : "%)")) {
      return error(optional ? "nothing closes this %[ by %]" : "nothing closes this %( by %)", at);
    }
    if (alternative_.steps.size() == step + 1) return error("there is nothing in this part", at);
    part_ = std::ssize(alternative_.steps);
    alternative_.steps[step].skip = static_cast<int>(part_);
    return Status::ok();
  }

  // Reads %{name:type}.
  Status value() {
    const size_t at = at_;
    const size_t close = text_.find('}', at);
    if (close == text_.npos) return error("nothing closes this %{ by }", at);
    const std::string_view inner = text_.substr(at + 2, close - at - 2);
    const size_t colon = std::min(inner.find(':'), inner.size());
    const std::string_view name = inner.substr(0, colon);
    PatternStep step{.kind = PatternStep::Kind::value};
    step.type = type_by_name(name);
    if (colon < inner.size()) {
      const std::string type(inner.substr(colon + 1));
      const TypeName *known = find_type(type);
      if (known == nullptr) {
        std::vector<std::string> names;
        for (const TypeName &each : kPatternTypes) names.emplace_back(each.name);
        return error(fmt::format("no type \"{}\"{}; there are {}", type, did_you_mean(type, names),
                                 value_type_names()),
                     at + 3 + colon);
      }
      step.type = known->type;
      step.unit_ns = known->unit_ns;
    }
    if (!name.empty()) {
      if (Status status = name_field(name, at + 2, &step); !status.is_ok()) return status;
    }
    at_ = close + 1;
    alternative_.steps.push_back(std::move(step));
    places_.push_back(at);
    return Status::ok();
  }

  // `at` is the position of the name.
  Status name_field(std::string_view name, size_t at, PatternStep *step) {
    for (size_t i = 0; i < name.size(); ++i) {
      if (!is_name_byte(name[i])) {
        return error("a name has letters, digits, _ - . @ / and parentheses", at + i);
      }
    }
    if (name.empty()) return error("there is no name", at);
    std::vector<std::string> &fields = pattern_.fields;
    const auto found = std::ranges::find(fields, name);
    step->field = static_cast<int>(found - fields.begin());
    if (std::ranges::find(alternative_.steps, step->field, &PatternStep::field) !=
        alternative_.steps.end()) {
      return error(fmt::format("there is a value \"{}\" already", name), at);
    }
    if (found == fields.end()) fields.emplace_back(name);
    if (fields.size() <= Pattern::kMostFields) return Status::ok();
    return error(fmt::format("there are more than {} names", Pattern::kMostFields), at);
  }

  void next_alternative() {
    pattern_.alternatives.push_back(std::move(alternative_));
    all_places_.push_back(std::move(places_));
    alternative_ = {};
    places_.clear();
    part_ = -1;
  }

  int find_field(Bytes name) const {
    const auto found = std::ranges::find(pattern_.fields, name);
    return found == pattern_.fields.end() ? -1 : static_cast<int>(found - pattern_.fields.begin());
  }

  // Checks the steps of a loose pattern. Its last value is the rest of the line.
  Status finish_loose() {
    std::vector<PatternStep> &all = pattern_.alternatives[0].steps;
    const std::vector<size_t> &places = all_places_[0];
    if (pattern_.alternatives.size() > 1) return error("a loose pattern has no alternatives", 0);
    if (pattern_.has_line_ends) return error("a loose pattern has no line ends", 0);
    if (!ends_by_what_follows(all.back()) && all.back().type != ValueType::rest) {
      return error("a loose pattern ends with a text, such as %{message}", text_.size());
    }
    all.back().type = ValueType::rest;
    pattern_.message = all.back().field;
    size_t values = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].is_part()) return error("a loose pattern has no parts", places[i]);
      if (all[i].kind == PatternStep::Kind::literal) continue;
      if (++values > Pattern::kMostLoose) {
        return error(fmt::format("there are more than {} values", Pattern::kMostLoose), places[i]);
      }
      if (Status status = check_loose_value(i, all, places[i]); !status.is_ok()) return status;
    }
    return Status::ok();
  }
  Status check_loose_value(size_t i, const std::vector<PatternStep> &all, size_t place) const {
    const bool is_last = i + 1 == all.size();
    const ValueType type = all[i].type;
    if (!is_last && !may_be_loose(type)) {
      return error("a loose pattern has no value of this type here", place);
    }
    // The values before a time and before the rest need no literal to end.
    const bool is_before_value = !is_last && all[i + 1].kind == PatternStep::Kind::value;
    const bool is_free =
        is_last || is_time(type) || i + 2 == all.size() || is_time(all[i + 1].type);
    if (!is_before_value || is_free) return Status::ok();
    return error("this value needs a literal after it", place);
  }

  // Finds what may follow step `i`: the next literals, across optional parts.
  Status add_stop(size_t i, PatternAlternative *in) {
    PatternStep &step = in->steps[i];
    const std::vector<size_t> &places =
        all_places_[static_cast<size_t>(in - pattern_.alternatives.data())];
    PatternStop stop;
    stop.at_blank = step.type == ValueType::word;
    Result<bool> passed = follow(*in, i + 1, in->steps.size(), -1, places, &stop);
    if (!passed.is_ok()) return passed.status();
    stop.at_end |= *passed;
    if (stop.followers.empty() && !stop.at_blank) {
      step.type = ValueType::rest;
      return Status::ok();
    }
    choose_bytes(&stop);
    step.stop = static_cast<int>(in->stops.size());
    in->stops.push_back(std::move(stop));
    return Status::ok();
  }

  // Adds what the steps from `next` to `end` may begin with. They are in `part`, unless it is -1.
  // Returns true if they may match nothing.
  Result<bool> follow(const PatternAlternative &in, size_t next, size_t end, int part,
                      const std::vector<size_t> &places, PatternStop *stop) const {
    while (next < end) {
      const PatternStep &step = in.steps[next];
      if (step.kind == PatternStep::Kind::literal) {
        const bool is_last =
            part >= 0 && in.steps[static_cast<size_t>(part)].skip == std::ssize(in.steps);
        stop->followers.push_back({step.literal, part, is_last});
        return false;
      }
      if (step.kind == PatternStep::Kind::value) {
        if (!stop->at_blank) {
          return error(
              "a text ends where a literal follows: put one before this value, or write "
              "%{name:word} before it",
              places[next]);
        }
        stop->at_end = true;
        return false;
      }
      if (step.kind == PatternStep::Kind::group) {
        ++next;  // a group begins with its first step
        continue;
      }
      const auto after = static_cast<size_t>(step.skip);
      const Result<bool> inner =
          follow(in, next + 1, after, part < 0 ? static_cast<int>(next) : part, places, stop);
      if (!inner.is_ok()) return inner;
      next = after;
    }
    return true;
  }

  // Blanks count as two bytes, because a run of them may begin with a tab, and so do line ends.
  static void choose_bytes(PatternStop *stop) {
    std::string bytes = stop->at_blank ? " \t" : "";
    for (const PatternStop::Follower &each : stop->followers) {
      const char first = each.literal[0];
      for (char c : first == ' '    ? Bytes(" \t")
                    : first == '\n' ? Bytes("\n\r")
                                    : Bytes(each.literal).substr(0, 1)) {
        if (bytes.find(c) == bytes.npos) bytes.push_back(c);
      }
    }
    stop->few = bytes.size() <= stop->bytes.size();
    for (char c : bytes) stop->begins[static_cast<u8>(c)] = true;
    if (!stop->few) return;
    for (size_t i = 0; i < stop->bytes.size(); ++i) {
      stop->bytes[i] = bytes[std::min(i, bytes.size() - 1)];
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  Pattern pattern_;
  PatternAlternative alternative_;
  std::vector<size_t> places_;  // positions of its steps in the text
  std::vector<std::vector<size_t>> all_places_;
  i64 part_ = -1;  // end of the last part: a literal there is a new step
};

}  // namespace

size_t PatternAlternative::steps_of_first_line() const {
  size_t i = 0;
  while (i < steps.size() && !steps[i].literal.starts_with('\n')) {
    i = steps[i].is_part() ? static_cast<size_t>(steps[i].skip) : i + 1;
  }
  return i;
}

Result<Pattern> Pattern::compile(std::string_view text) { return PatternCompiler(text).compile(); }

std::string value_type_names() {
  std::string names;
  for (const TypeName &each : kPatternTypes) {
    if (&each != kPatternTypes) names += &each == std::end(kPatternTypes) - 1 ? " and " : ", ";
    names += each.name;
  }
  return names;
}

}  // namespace mrc
