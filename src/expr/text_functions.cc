// Text is characters: of UTF-8, or a byte that belongs to none.
#include "expr/text_functions.h"

#include "base/text.h"
#include "expr/text_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

using Numbers = Result<NumbersPtr>;
using Texts = Result<TextsPtr>;
using Conditions = Result<ConditionPtr>;
using One = std::array<Bytes, 1>;

bool begins_character(char c) { return (c & 0xC0) != 0x80; }
i64 characters(Bytes text) { return std::ranges::count_if(text, begins_character); }

// Where character `number` begins, from 0; the end if there are not so many.
size_t offset_of(i64 number, Bytes text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (begins_character(text[at]) && number-- == 0) return at;
  }
  return text.size();
}

// Letters of ASCII only: other bytes stay, whatever they encode.
template <char kFirst, char kLast>
Bytes other_case(const One &text, Arena *arena) {
  const Bytes copy = keep_text(text[0], arena);
  std::ranges::transform(copy, const_cast<char *>(copy.data()), [](char c) {
    return c >= kFirst && c <= kLast ? static_cast<char>(c ^ 0x20) : c;
  });
  return copy;
}

// substr(): from and length are numbers of each record.
class Substrings : public TextValues {
 public:
  Substrings(TextsPtr texts, NumbersPtr from, NumbersPtr length)
      : texts_(std::move(texts)), from_(std::move(from)), length_(std::move(length)) {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    auto *from = new_column<NumberColumnOf>(input.arena);
    auto *length = new_column<NumberColumnOf>(input.arena);
    texts_->fill(input, wanted, out);
    from_->fill(input, wanted, from);
    length_->fill(input, wanted, length);
    for_wanted(wanted, [&](size_t i) { (*out)[i] = piece((*out)[i], (*from)[i], (*length)[i]); });
  }

 private:
  static Bytes piece(Bytes text, Number from, Number length) {
    __int128 first, size;
    if (text.data() == nullptr || !is_whole(from, &first) || !is_whole(length, &size)) return {};
    if (first < 0)
      first = std::max<__int128>(first + characters(text), 0);
    else if (first > 0)
      --first;
    const auto limit = static_cast<__int128>(text.size());
    if (size <= 0 || first > limit) return text.substr(0, 0);
    text.remove_prefix(offset_of(static_cast<i64>(first), text));
    return text.substr(0, offset_of(static_cast<i64>(std::min(size, limit)), text));
  }

  TextsPtr texts_;
  NumbersPtr from_, length_;
};

// split(): a piece by its number, from 1 or, below 0, from the end. Pieces are always cut from the
// front, because separators that overlap, as in "a---b", would make other pieces from the end.
struct Piece {
  std::string separator;
  i64 number;

  Bytes operator()(const One &text, Arena *) const {
    return piece(text[0], number > 0 ? number : pieces_of(text[0]) + 1 + number);
  }
  Bytes piece(Bytes text, i64 from_front) const {
    if (from_front < 1) return {};
    for (i64 i = 1; i < from_front; ++i) {
      const size_t at = text.find(separator);
      if (at == Bytes::npos) return {};
      text.remove_prefix(at + separator.size());
    }
    return text.substr(0, text.find(separator));
  }
  i64 pieces_of(Bytes text) const {
    i64 pieces = 1;
    for (size_t at = 0; (at = text.find(separator, at)) != Bytes::npos; ++pieces) {
      at += separator.size();
    }
    return pieces;
  }
};

struct Replace {
  std::shared_ptr<const Regex> regex;
  std::string with;
  Bytes operator()(const One &text, Arena *arena) const {
    thread_local std::string out;
    out.clear();
    regex->replace(text[0], with, &out);
    return keep_text(out, arena);
  }
};

// concat(): missing if one of them is.
class Concatenation : public TextValues {
 public:
  explicit Concatenation(std::vector<TextsPtr> values) : values_(std::move(values)) {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    const auto columns = fill_all<TextColumnOf>(values_, input, wanted);
    std::string text;
    for_wanted(wanted, [&](size_t i) {
      text.clear();
      const bool there = std::ranges::all_of(columns, [&](const TextColumnOf *column) {
        text.append((*column)[i]);
        return (*column)[i].data() != nullptr;
      });
      (*out)[i] = there ? keep_text(text, input.arena) : Bytes();
    });
  }

 private:
  std::vector<TextsPtr> values_;
};

}  // namespace

Numbers make_length(const Expression &call, Compiler *compiler) {
  Texts value = compiler->texts(call.arguments[0]);
  if (!value.is_ok()) return value.status();
  auto rule = [](const One &text, Arena *) { return make_number(characters(text[0]), 0); };
  return std::make_unique<NumbersOfTexts<1, decltype(rule)>>(list_of(std::move(*value)), rule);
}

Texts make_lower(const Expression &call, Compiler *compiler) {
  return texts_of<1>(call, compiler, other_case<'A', 'Z'>);
}
Texts make_upper(const Expression &call, Compiler *compiler) {
  return texts_of<1>(call, compiler, other_case<'a', 'z'>);
}
Texts make_trim(const Expression &call, Compiler *compiler) {
  return texts_of<1>(call, compiler,
                     [](const One &text, Arena *) { return without_spaces_around(text[0]); });
}

Texts make_substr(const Expression &call, Compiler *compiler) {
  const Expression all = number_constant(std::to_string(INT64_MAX));
  Texts text = compiler->texts(call.arguments[0]);
  Numbers from = compiler->numbers(call.arguments[1], call);
  Numbers length = compiler->numbers(call.arguments.size() == 3 ? call.arguments[2] : all, call);
  if (!text.is_ok()) return text;
  if (!from.is_ok()) return from.status();
  if (!length.is_ok()) return length.status();
  return std::make_unique<Substrings>(std::move(*text), std::move(*from), std::move(*length));
}

Texts make_split(const Expression &call, Compiler *compiler) {
  Result<std::string> separator = compiler->constant(call.arguments[1], "a separator");
  if (!separator.is_ok()) return separator.status();
  Result<i64> number = compiler->integer(call.arguments[2], "the number of a piece");
  if (!number.is_ok()) return number.status();
  if (separator->empty() || *number == 0) {
    return Status::error(fmt::format(
        "{}: {}", call.typed,
        *number == 0 ? "pieces have numbers from 1, or from -1" : "the separator is empty"));
  }
  return texts_of_first(call, compiler, Piece{*separator, *number});
}

Texts make_replace(const Expression &call, Compiler *compiler) {
  Result<std::string> pattern = compiler->pattern(call.arguments[1]);
  Result<std::string> with = compiler->constant(call.arguments[2], "a replacement");
  if (!pattern.is_ok()) return pattern.status();
  if (!with.is_ok()) return with.status();
  Result<std::unique_ptr<Regex>> regex = compile_regex(*pattern);
  if (!regex.is_ok()) return regex.status();
  if (const std::string wrong = (*regex)->check_replacement(*with); !wrong.empty()) {
    return Status::error(fmt::format("{}: \"{}\": {}", call.typed, *with, wrong));
  }
  return texts_of_first(call, compiler, Replace{std::move(*regex), *with});
}

Texts make_concat(const Expression &call, Compiler *compiler) {
  Result<std::vector<TextsPtr>> values = compiler->all_texts(call);
  if (!values.is_ok()) return values.status();
  return std::make_unique<Concatenation>(std::move(*values));
}

Texts make_hex(const Expression &call, Compiler *compiler) {
  Numbers value = compiler->numbers(call.arguments[0], call);
  if (!value.is_ok()) return value.status();
  class Hex : public TextValues {
   public:
    explicit Hex(NumbersPtr numbers) : numbers_(std::move(numbers)) {}
    void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
      auto *numbers = new_column<NumberColumnOf>(input.arena);
      numbers_->fill(input, wanted, numbers);
      for_wanted(wanted, [&](size_t i) {
        __int128 value;
        const bool whole = is_whole((*numbers)[i], &value);
        (*out)[i] = whole ? keep_text(fmt::format("{:x}", value), input.arena) : Bytes();
      });
    }

   private:
    NumbersPtr numbers_;
  };
  return std::make_unique<Hex>(std::move(*value));
}

Numbers make_unhex(const Expression &call, Compiler *compiler) {
  Texts value = compiler->texts(call.arguments[0]);
  if (!value.is_ok()) return value.status();
  auto rule = [](const One &text, Arena *arena) {
    Bytes digits = without_spaces_around(text[0]);
    if (is_absent(digits)) return kNoNumber;
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    u64 number = 0;
    const char *end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number, 16);
    const bool whole = error == std::errc() && stop == end;
    return whole ? decimal_number(static_cast<__int128>(number), 0, arena) : kBadNumber;
  };
  std::string reason = fmt::format("{} is not hexadecimal", call.arguments[0].typed);
  return std::make_unique<NumbersOfTexts<1, decltype(rule)>>(list_of(std::move(*value)), rule,
                                                             std::move(reason));
}

Conditions make_contains(const Expression &call, Compiler *compiler) {
  return condition_of_two(call, compiler, [](const std::array<Bytes, 2> &texts) {
    return texts[0].find(texts[1]) != Bytes::npos;
  });
}
Conditions make_startswith(const Expression &call, Compiler *compiler) {
  return condition_of_two(call, compiler, [](const std::array<Bytes, 2> &texts) {
    return texts[0].starts_with(texts[1]);
  });
}
Conditions make_endswith(const Expression &call, Compiler *compiler) {
  return condition_of_two(call, compiler, [](const std::array<Bytes, 2> &texts) {
    return texts[0].ends_with(texts[1]);
  });
}

}  // namespace mrc
