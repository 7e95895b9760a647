#include "map/map.h"

#include "base/text.h"
#include "map/inner/field_mapper.h"
#include "map/inner/lines.h"
#include "map/inner/words.h"

#include <algorithm>

namespace mrc {

std::string_view MapSpec::cut_bytes() const {
  if (records != Records::words)
    return terminator == '\n' ? std::string_view("\n", 1) : std::string_view("\0", 1);
  if (words == Words::blank) return " \t\n\v\f\r";
  // ASCII bytes that no word contains: all but letters, digits, '_' and '\''.
  static const std::string between_words = [] {
    std::string bytes;
    for (char c = 0; c >= 0 && c < 0x7F; ++c) {
      const bool inside = is_digit(c) || is_letter(c) || c == '_' || c == '\'';
      if (!inside) bytes.push_back(c);
    }
    return bytes;
  }();
  return between_words;
}

i64 MapSpec::value_width() const {
  if (records == Records::fields) return std::ssize(fields.values);
  return values == Values::none ? 0 : 1;
}

Borrowing MapSpec::borrowing() const {
  if (records != Records::fields) return Borrowing::none;
  const auto has = [&](ValueColumn::Kind kind) {
    return std::ranges::find(fields.values, kind, &ValueColumn::kind) != fields.values.end();
  };
  if (has(ValueColumn::Kind::text)) return Borrowing::any;
  return has(ValueColumn::Kind::number) ? Borrowing::wide_numbers : Borrowing::none;
}

std::unique_ptr<Mapper> make_mapper(const MapSpec &spec, const Scanner &scanner,
                                    const InputReaders *readers, BadRecordSink *bad) {
  switch (spec.records) {
    case MapSpec::Records::lines: return make_line_mapper(spec, scanner);
    case MapSpec::Records::fields: return make_field_mapper(spec, *readers, bad);
    case MapSpec::Records::words: break;
  }
  return make_word_mapper(spec, scanner);
}

}  // namespace mrc
