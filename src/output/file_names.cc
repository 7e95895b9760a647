#include "output/file_names.h"

#include "input/folders.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace mrc {
namespace {

constexpr Bytes kMissing = "__missing__", kEmpty = "__empty__";
constexpr Bytes kEscaping = "%0123456789ABCDEF";  // the bytes of what is escaped

void append_percent(char byte, std::string *out) {
  fmt::format_to(std::back_inserter(*out), "%{:02X}", static_cast<u8>(byte));
}

// The names of no value begin with two underscores, so that no value may.
bool has_special_begin(Bytes value) { return value[0] == '.' || value.starts_with("__"); }

void append_value(Bytes value, int end, std::string *out) {
  if (value.data() == nullptr) return void(out->append(kMissing));
  if (value.empty()) return void(out->append(kEmpty));
  if (has_special_begin(value)) {
    append_percent(value[0], out);
    value.remove_prefix(1);
  }
  while (end >= 0) {
    const size_t at = value.find(static_cast<char>(end));
    if (at == Bytes::npos) break;
    append_escaped(value.substr(0, at), out);
    append_percent(value[at], out);
    value.remove_prefix(at + 1);
  }
  append_escaped(value, out);
}

// True if the text stands between two values of one name.
bool is_inside(const std::vector<std::string> &texts, size_t text) {
  return text > 0 && text + 1 < texts.size() && texts[text].find('/') == std::string::npos;
}

}  // namespace

FileNames::FileNames(std::vector<std::string> texts, std::vector<FieldExpr> fields,
                     const WantedFields &wanted)
    : before_(texts[0]) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string &after = texts[i + 1];
    const int end = is_inside(texts, i + 1) ? static_cast<u8>(after[0]) : -1;
    parts_.push_back(
        {fields[i], wanted.column(fields[i].field), fields[i].not_of_kind(), after, end});
  }
}

std::string FileNames::why_ambiguous(const std::vector<std::string> &texts) {
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!is_inside(texts, i)) continue;
    if (texts[i].empty()) return "two values follow each other; write a character between them";
    if (kEscaping.find(texts[i][0]) == Bytes::npos) continue;
    return fmt::format(
        "\"{}\" between two values may be part of the first one, in which bytes are "
        "escaped as %XX; begin it with another character, such as -",
        texts[i]);
  }
  return {};
}

void FileNames::append(const Chunk &chunk, const SelectedRecords &batch, size_t record,
                       BadRecordSink *bad, std::string *value, std::string *out) const {
  out->append(before_);
  for (const Part &part : parts_) {
    Bytes text = batch.column(part.column)[record];
    if (part.expr.bucket) {
      value->clear();
      const bool is_there = !text.empty() && text != "-";
      const bool fits = is_there && part.expr.bucket->append(text, value);
      if (is_there && !fits) {
        bad->take_value(chunk, {batch.records[record], text, part.misfit.c_str()});
      }
      text = fits ? Bytes(*value) : Bytes();
    }
    append_value(text, part.end, out);
    out->append(part.after);
  }
}

}  // namespace mrc
