// The text of a layout: TYPE [NAME] for each field, with commas between them.
#include "fields/binary.h"

#include "base/names.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "fields/sampled_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

using Type = BinaryField::Type;

struct TypeRow {
  std::string_view name;
  Type type;
  i64 bytes;
};
constexpr TypeRow kBinaryTypes[] = {
    {"i8", Type::int8, 1},     {"u8", Type::uint8, 1},   {"i16", Type::int16, 2},
    {"u16", Type::uint16, 2},  {"i32", Type::int32, 4},  {"u32", Type::uint32, 4},
    {"i64", Type::int64, 8},   {"u64", Type::uint64, 8}, {"f32", Type::float32, 4},
    {"f64", Type::float64, 8},
};

Status no_type(std::string_view word) {
  return Status::error(fmt::format(
      "\"{}\" is no type: there are i8 u8 i16 u16 i32 u32 i64 u64 f32 f64, with be at the end if "
      "the first byte is the highest, sN for text of N bytes, and xN to skip N bytes",
      word));
}

Status too_large() {
  return Status::error(
      fmt::format("records have 1 to {} bytes (16 MiB)", BinaryLayout::kMostBytes));
}

// Parses sN or xN.
Result<i64> parse_length(std::string_view word) {
  const std::string_view digits = word.substr(1);
  i64 bytes = 0;
  if (!is_digits(digits)) return no_type(word);
  if (!read_number(digits, &bytes) || bytes < 1 || bytes > BinaryLayout::kMostBytes) {
    return too_large().within(std::string(word));
  }
  return bytes;
}

// Sets the type of the field and the end of its place. REQUIRES: the place has its begin
Status parse_type(std::string_view word, BinaryField *field) {
  if (word.starts_with('s') || word.starts_with('x')) {
    const Result<i64> bytes = parse_length(word);
    if (!bytes.is_ok()) return bytes.status();
    field->type = word.starts_with('s') ? Type::text : Type::bytes;
    field->place.end = field->place.begin + *bytes;
    return Status::ok();
  }
  field->is_big_endian = word.ends_with("be");
  const bool has_order = field->is_big_endian || word.ends_with("le");
  const std::string_view name = word.substr(0, word.size() - (has_order ? 2 : 0));
  const auto *row = std::ranges::find(kBinaryTypes, name, &TypeRow::name);
  if (row == std::end(kBinaryTypes)) return no_type(word);
  field->type = row->type;
  field->place.end = field->place.begin + row->bytes;
  return Status::ok();
}

Result<BinaryField> parse_field(std::string_view item, i64 begin) {
  const size_t size = std::min(item.find_first_of(" \t"), item.size());
  BinaryField field{.place = {begin, begin}, .name = {}};
  if (Status status = parse_type(item.substr(0, size), &field); !status.is_ok()) return status;
  field.name = without_quotes(without_blanks_around(item.substr(size)));
  if (field.type == Type::bytes && !field.name.empty()) {
    return Status::error(fmt::format("\"{}\": skipped bytes have no name", item));
  }
  if (parse_byte_range(field.name).is_ok()) {
    return Status::error(fmt::format("\"{}\": {} would be bytes of a record, too; use another name",
                                     item, field.name));
  }
  return field;
}

Status check_binary_names(const std::vector<BinaryField> &fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto is_same = [&](const BinaryField &other) { return other.name == fields[i].name; };
    const auto before = fields.begin() + static_cast<std::ptrdiff_t>(i);
    if (fields[i].name.empty() || std::none_of(fields.begin(), before, is_same)) continue;
    return Status::error(fmt::format("two fields are called {}", fields[i].name));
  }
  return Status::ok();
}

// True if a number could be a time, because of the name of its field.
bool may_be_time(const BinaryField &field) {
  constexpr size_t kSeconds = 10;
  const std::string padded = "1700000000" + std::string(kPadding, '\0');
  SampledKind sampled(field.name, false, DateOrder::unknown);
  sampled.add(Bytes(padded).substr(0, kSeconds));
  return sampled.kind().kind == ValueKind::time;
}

}  // namespace

Bytes ByteRange::of(Bytes record) const {
  const size_t size = record.size();
  const size_t from = std::min(static_cast<size_t>(begin), size);
  return record.substr(from, std::min(static_cast<size_t>(end), size) - from);
}

Result<ByteRange> parse_byte_range(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view begin = text.substr(0, colon), end = text.substr(colon);
  if (!is_digits(begin) || end.empty() || !is_digits(end.substr(1))) {
    return Status::error(
        fmt::format("\"{}\" is not BEGIN:END, as in 0:10 for the first ten bytes", text));
  }
  ByteRange range;
  if (!read_number(begin, &range.begin) || !read_number(end.substr(1), &range.end)) {
    return Status::error(fmt::format("\"{}\" is out of range", text));
  }
  if (range.begin >= range.end) {
    return Status::error(
        fmt::format("\"{}\" has no bytes: END is the first byte that is not in it", text));
  }
  return range;
}

Result<BinaryLayout> BinaryLayout::parse(std::string_view text) {
  const Result<std::vector<std::string>> items = split_list(text);
  if (!items.is_ok()) return items.status();
  BinaryLayout layout;
  for (const std::string &item : *items) {
    Result<BinaryField> field = parse_field(item, layout.record_bytes);
    if (!field.is_ok()) return field.status();
    layout.record_bytes = field->place.end;
    if (layout.record_bytes > kMostBytes) return too_large();
    if (field->type != Type::bytes) layout.fields.push_back(std::move(*field));
  }
  if (Status status = check_binary_names(layout.fields); !status.is_ok()) return status;
  return layout;
}

std::string BinaryLayout::of_size(i64 bytes) { return fmt::format("x{}", bytes); }

i64 record_bytes(const Dialect &dialect) {
  if (dialect.format != &LineFormat::binary) return 0;
  const Result<BinaryLayout> layout = BinaryLayout::parse(dialect.layout);
  return layout.is_ok() ? layout->record_bytes : 0;
}

FieldKind kind_in_layout(const std::string &layout, const FieldName &name) {
  const Result<BinaryLayout> parsed = BinaryLayout::parse(layout);
  if (!parsed.is_ok()) return {};
  for (size_t i = 0; i < parsed->fields.size(); ++i) {
    const BinaryField &field = parsed->fields[i];
    const bool is_it =
        name.number < 0 ? field.name == name.text : name.number == static_cast<i64>(i) + 1;
    if (!is_it) continue;
    const bool is_number = field.type != Type::text && !may_be_time(field);
    return {is_number ? ValueKind::number : ValueKind::unknown};
  }
  return {};
}

std::string with_quoted_ranges(std::string_view fields) {
  std::string text;
  for (size_t at = 0; at < fields.size();) {
    const size_t end = std::min(fields.find(',', at), fields.size());
    const std::string_view item = fields.substr(at, end - at);
    const size_t second = item.find(':', item.find(':') + 1);
    const std::string_view range = item.find(':') == item.npos ? item : item.substr(0, second);
    const bool is_range = parse_byte_range(range).is_ok();
    text += is_range ? fmt::format("\"{}\"{}", range, item.substr(range.size())) : item;
    if (end < fields.size()) text += ',';
    at = end + 1;
  }
  return text;
}

}  // namespace mrc
