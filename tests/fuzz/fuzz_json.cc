// JSON lines of any bytes: a line is bad if the naive parser or decode_utf8() says so, and
// members of the others are what the naive parser finds. Where records do not lie in lines, a text
// in two parts, cut where the braces say that it may be, has the records of the whole.
#include "base/text.h"
#include "fields/json.h"
#include "split/scanned_cuts.h"
#include "unit/fields/naive_json.h"
#include "unit/map/padded_text.h"

#include <algorithm>
#include <cstdlib>

namespace {

using namespace mrc;

const char *const kMembers[] = {"a", "b"};

void expect(bool holds) {
  if (!holds) std::abort();
}

bool is_utf8(Bytes text) {
  const char *p = text.data(), *end = p + text.size();
  while (p < end) {
    const i64 size = static_cast<u8>(*p) < 0x80 ? 1 : decode_utf8(p, end).size;
    if (size == 0) return false;
    p += size;
  }
  return true;
}

// The object in a line; nothing if it is bad.
std::optional<NaiveJson> object_in(const std::string &line) {
  std::optional<NaiveJson> value = NaiveJsonParser(line).parse();
  if (!value || value->kind != '{' || !is_utf8(line)) return std::nullopt;
  return value;
}

Bytes field_of(const NaiveJson &object, Bytes name) {
  for (size_t i = 0; i < object.names.size(); ++i) {
    const NaiveJson &value = object.values[i];
    if (object.names[i] != name) continue;
    if (value.kind == 'n') return {};
    return value.kind == '"' ? value.meaning : value.text;
  }
  return {};
}

std::vector<std::string> lines_of(Bytes text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    if (end != Bytes::npos && line.ends_with('\r')) line.pop_back();
    text.remove_prefix(end == Bytes::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
  }
  return lines;
}

// The records of a part of a text, good and bad ones in their order.
void append_values(Bytes text, i64 offset, JsonLayout layout, std::vector<std::string> *records) {
  const PaddedText padded(text, '"');
  const Chunk chunk{padded.text(), 0, offset};
  Dialect dialect{.format = &LineFormat::json};
  set_layout(layout, &dialect);
  const auto reader = std::move(*make_json_reader(dialect, {}));
  RecordBatch batch;
  const char *end = chunk.bytes.data() + text.size();
  for (const char *next = chunk.bytes.data(); next < end;) {
    batch.clear();
    reader->read(chunk, &next, &batch);
    std::vector<std::pair<Bytes, const char *>> all;
    for (i64 row = 0; row < batch.size; ++row) {
      all.push_back({batch.records[static_cast<size_t>(row)], ""});
    }
    for (const BadRecord &bad : batch.bad) all.push_back({bad.record, bad.reason});
    std::ranges::sort(all, {}, [](const auto &record) { return record.first.data(); });
    for (const auto &[record, reason] : all) records->push_back(std::string(record) + reason);
  }
}

// After the first record that ends at `from` or later; 0 if none does.
size_t cut_after(Bytes text, size_t from, JsonLayout layout) {
  if (from >= text.size()) return 0;
  const CutRule rule = CutRule::json(depth_at_begin(layout));
  const PaddedText padded(text);
  const Bytes shown = padded.text();
  const size_t mark = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  CutTransfer transfer;
  if (from > mark) transfer.append(shown.substr(mark, from - mark), 0, rule);
  const char *begin = shown.data() + std::max(from, mark), *end = shown.data() + shown.size();
  if (begin >= end) return 0;
  const char *cut = rule.first(rule.after(transfer, rule.begin()), begin, end).end;
  return cut == nullptr ? 0 : static_cast<size_t>(cut + 1 - shown.data());
}

void expect_values(Bytes text) {
  for (const JsonLayout layout : {JsonLayout::values, JsonLayout::array, JsonLayout::member}) {
    std::vector<std::string> whole, parts;
    append_values(text, 0, layout, &whole);
    const size_t cut = cut_after(text, text.size() / 3, layout);
    append_values(text.substr(0, cut), 0, layout, &parts);
    append_values(text.substr(cut), static_cast<i64>(cut), layout, &parts);
    expect(parts == whole);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Bytes text(reinterpret_cast<const char *>(data), size);
  const PaddedText padded(text, '"');
  const Chunk chunk{padded.text(), 0, 0};
  const std::vector<FieldName> wanted = {{kMembers[0], -1}, {kMembers[1], -1}};
  const auto reader = std::move(*make_json_reader({}, wanted));
  const std::vector<std::string> lines = lines_of(text);
  RecordBatch batch;
  size_t line = 0;
  for (const char *next = chunk.bytes.data(); next < chunk.bytes.data() + size;) {
    batch.clear();
    reader->read(chunk, &next, &batch);
    size_t row = 0, bad = 0;
    while (row < static_cast<size_t>(batch.size) || bad < batch.bad.size()) {
      expect(line < lines.size());
      const std::optional<NaiveJson> object = object_in(lines[line]);
      if (!object) {
        expect(bad < batch.bad.size() && batch.bad[bad++].record == lines[line++]);
        continue;
      }
      expect(row < static_cast<size_t>(batch.size) && batch.records[row] == lines[line++]);
      for (size_t k = 0; k < wanted.size(); ++k) {
        expect(batch.fields[k][row] == field_of(*object, kMembers[k]));
      }
      ++row;
    }
  }
  expect(line == lines.size());
  sniff_json({}, text, size % 2 == 0);
  expect_values(text);
  json_head(text, size % 2 == 0);
  return 0;
}
