// Text is a sequence of characters: UTF-8 sequences, or bytes that belong to none.
#include "base/text.h"
#include "expr/inner/functions.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace mrc {
namespace {

bool begins_character(char c) { return (c & 0xC0) != 0x80; }
i64 characters(Bytes text) { return std::ranges::count_if(text, begins_character); }

// Returns the offset of character `number`, from 0, or the end if there are fewer.
size_t offset_of(i64 number, Bytes text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (begins_character(text[at]) && number-- == 0) return at;
  }
  return text.size();
}

TextsPtr make_trim(const Expression &call, Compiler *compiler) {
  return make_values([](const Here &, Bytes text) { return without_spaces_around(text); },
                     compiler->texts(call.arguments[0]));
}

NumbersPtr make_length(const Expression &call, Compiler *compiler) {
  const Expression &of = call.arguments[0];
  if (compiler->kind_of(of).kind == ValueKind::structure) {
    return compiler->fail(
        "{}: {} is a list or an object, which has no length; the characters of its JSON are "
        "length(text({}))",
        call.typed, of.typed, of.typed);
  }
  return make_values([](const Here &, Bytes text) { return make_number(characters(text), 0); },
                     compiler->texts(call.arguments[0]));
}

// Returns the characters of substr(). FROM and LENGTH may differ for each record.
Bytes part_of_text(const Here &, Bytes text, Number from, Number length) {
  __int128 first, size;
  if (!is_whole(from, &first) || !is_whole(length, &size)) return {};
  if (first < 0)
    first = std::max<__int128>(first + characters(text), 0);
  else if (first > 0)
    --first;
  const auto limit = static_cast<__int128>(text.size());
  if (size <= 0 || first > limit) return text.substr(0, 0);
  text.remove_prefix(offset_of(static_cast<i64>(first), text));
  return text.substr(0, offset_of(static_cast<i64>(std::min(size, limit)), text));
}

TextsPtr make_substr(const Expression &call, Compiler *compiler) {
  const Expression all = number_constant(std::to_string(INT64_MAX));
  TextsPtr text = compiler->texts(call.arguments[0]);
  NumbersPtr from = compiler->numbers(call.arguments[1], call);
  NumbersPtr length = compiler->numbers(call.arguments.size() == 3 ? call.arguments[2] : all, call);
  return make_values(part_of_text, std::move(text), std::move(from), std::move(length));
}

i64 pieces_of(Bytes text, Bytes separator) {
  i64 pieces = 1;
  for (size_t at = 0; (at = text.find(separator, at)) != Bytes::npos; ++pieces) {
    at += separator.size();
  }
  return pieces;
}

// Returns a piece by its number, from 1 or, if negative, from the end. Always splits from the
// front, because overlapping separators, as in "a---b", would give other pieces from the end.
Bytes piece_of(Bytes text, Bytes separator, i64 number) {
  if (number < 0) number += pieces_of(text, separator) + 1;
  if (number < 1) return {};
  while (--number > 0) {
    const size_t at = text.find(separator);
    if (at == Bytes::npos) return {};
    text.remove_prefix(at + separator.size());
  }
  return text.substr(0, text.find(separator));
}

TextsPtr make_split(const Expression &call, Compiler *compiler) {
  std::string separator = compiler->constant(call.arguments[1], "a separator");
  const i64 number = compiler->integer(call.arguments[2], "the number of a piece");
  if (separator.empty() || number == 0) {
    return compiler->fail(
        "{}: {}", call.typed,
        number == 0 ? "pieces have numbers from 1, or from -1" : "the separator is empty");
  }
  auto rule = [separator = std::move(separator), number](const Here &, Bytes text) {
    return piece_of(text, separator, number);
  };
  return make_values(std::move(rule), compiler->texts(call.arguments[0]));
}

TextsPtr make_replace(const Expression &call, Compiler *compiler) {
  std::unique_ptr<const Regex> regex = compiler->regex(call.arguments[1]);
  std::string with = compiler->constant(call.arguments[2], "a replacement");
  const std::string wrong = regex == nullptr ? "" : regex->check_replacement(with);
  if (!wrong.empty()) {
    return compiler->fail("{}: \"{}\": {}", call.typed, with, wrong);
  }
  auto rule = [regex = std::move(regex), with = std::move(with)](const Here &here, Bytes text) {
    return here.text_by([&](std::string *out) {
      regex->replace(text, with, out);
      return true;
    });
  };
  return make_values(std::move(rule), compiler->texts(call.arguments[0]));
}

// Makes the part of the first match that a group has: the first group, or all of the match if there
// is none, unless the number of another is given.
TextsPtr make_extract(const Expression &call, Compiler *compiler) {
  std::unique_ptr<const Regex> regex = compiler->regex(call.arguments[1]);
  const i64 groups = regex == nullptr ? 0 : std::ssize(regex->groups());
  i64 group = std::min<i64>(groups, 1);
  if (call.arguments.size() == 3) {
    group = compiler->integer(call.arguments[2], "the number of a group");
  }
  const bool is_group = group >= 0 && group <= groups && group < Regex::kMostGroups;
  if (regex != nullptr && !is_group) {
    return compiler->fail("{}: no group {}; the expression has {}", call.typed, group, groups);
  }
  auto rule = [regex = std::move(regex), group](const Here &, Bytes text) {
    std::array<Bytes, Regex::kMostGroups> found;
    const auto wanted = std::span(found).first(static_cast<size_t>(group) + 1);
    return regex->capture(text, wanted) ? wanted.back() : Bytes();
  };
  return make_values(std::move(rule), compiler->texts(call.arguments[0]));
}

// The result is missing if any value is missing.
TextsPtr make_concat(const Expression &call, Compiler *compiler) {
  return make_filled<Bytes>([values = compiler->all<Bytes>(call)](const FilterInput &input,
                                                                  const Bits &wanted, auto *out) {
    std::vector<const Bytes *> columns;
    for (const TextsPtr &each : values) {
      columns.push_back(each->read(input, wanted, new_column<TextColumnOf>(input.arena)));
    }
    std::string text;
    for_wanted(wanted, [&](size_t i) {
      text.clear();
      const bool there = std::ranges::all_of(columns, [&](const Bytes *column) {
        text.append(column[i]);
        return is_there(column[i]);
      });
      (*out)[i] = there ? keep_text(text, input.arena) : Bytes();
    });
  });
}

TextsPtr make_hex(const Expression &call, Compiler *compiler) {
  const auto rule = [](const Here &here, Number number) {
    __int128 value;
    const bool whole = is_whole(number, &value);
    return whole ? keep_text(fmt::format("{:x}", value), here.arena()) : Bytes();
  };
  return make_values(Noted(fmt::format("{} is not a whole number", call.arguments[0].typed), rule),
                     compiler->numbers(call.arguments[0], call));
}

NumbersPtr make_unhex(const Expression &call, Compiler *compiler) {
  const auto rule = [](const Here &here, Bytes text) {
    Bytes digits = without_spaces_around(text);
    if (is_absent(digits)) return kNoNumber;
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    u64 number = 0;
    const char *end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number, 16);
    const bool whole = error == std::errc() && stop == end;
    return whole ? decimal_number(static_cast<__int128>(number), 0, here.arena()) : kBadNumber;
  };
  return make_values(Noted(fmt::format("{} is not hexadecimal", call.arguments[0].typed), rule),
                     compiler->texts(call.arguments[0]));
}

// Makes a condition on a text and another one, which is a part of it.
template <auto kHasPart>
ConditionPtr make_has_part(const Expression &call, Compiler *compiler) {
  TextsPtr texts = compiler->typed_texts(call.arguments[0]);
  return make_condition([](const Here &, Bytes text, Bytes part) { return kHasPart(text, part); },
                        std::move(texts), compiler->typed_texts(call.arguments[1]));
}
bool contains(Bytes text, Bytes part) { return text.find(part) != Bytes::npos; }
bool begins(Bytes text, Bytes part) { return text.starts_with(part); }
bool ends(Bytes text, Bytes part) { return text.ends_with(part); }

constexpr Function kTextFunctions[] = {
    {"hex", "(NUMBER)", 1, 1, nullptr, make_hex},
    {"unhex", "(TEXT)", 1, 1, make_unhex},
    {"length", "(TEXT)", 1, 1, make_length},
    {"trim", "(TEXT)", 1, 1, nullptr, make_trim},
    {"substr", "(TEXT, FROM[, LENGTH])", 2, 3, nullptr, make_substr},
    {"split", "(TEXT, SEPARATOR, N)", 3, 3, nullptr, make_split},
    {"replace", "(TEXT, REGEX, WITH)", 3, 3, nullptr, make_replace, nullptr, 0, true},
    {"extract", "(TEXT, REGEX[, GROUP])", 2, 3, nullptr, make_extract, nullptr, 0, true},
    {"concat", "(TEXT, TEXT, ...)", 1, kAnyArguments, nullptr, make_concat},
    {"contains", "(TEXT, PART)", 2, 2, nullptr, nullptr, make_has_part<contains>},
    {"startswith", "(TEXT, PART)", 2, 2, nullptr, nullptr, make_has_part<begins>},
    {"endswith", "(TEXT, PART)", 2, 2, nullptr, nullptr, make_has_part<ends>},
};

}  // namespace

std::span<const Function> text_functions() { return kTextFunctions; }

}  // namespace mrc
