// CSV read byte by byte, as csv.h describes it.
#pragma once

#include "base/int.h"
#include "scan/scan.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

struct NaiveRecord {
  std::string text;
  std::vector<std::string> fields;
  bool unclosed = false;
  bool operator==(const NaiveRecord &) const = default;
};

// The record at the front of `text`, and how many bytes it and its terminator take. A
// quote that nothing closes is an ordinary byte if `closed`, for want of a better one.
inline NaiveRecord naive_record(Bytes text, CsvBytes bytes, size_t *taken) {
  NaiveRecord record;
  std::string field;
  size_t i = 0, line = Bytes::npos;
  bool begin = true, quoted = false;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        if (c == bytes.terminator && line == Bytes::npos) line = i;
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        quoted = false;
      }
      continue;
    }
    if (c == bytes.terminator) break;
    if (c == bytes.separator) {
      record.fields.push_back(field);
      field.clear();
      begin = true;
      continue;
    }
    if (c == '"' && begin) {
      quoted = true;
      line = Bytes::npos;
    } else {
      field += c;
    }
    begin = false;
  }
  if (quoted) {
    record.unclosed = true;
    i = std::min(line, text.size());
  }
  record.fields.push_back(field);
  *taken = std::min(i + 1, text.size());
  record.text = text.substr(0, i);
  if (i < text.size() && bytes.terminator == '\n' && record.text.ends_with('\r')) {
    record.text.pop_back();
    std::string *last = &record.fields.back();
    if (!quoted && last->ends_with('\r')) last->pop_back();
  }
  if (record.unclosed) record.fields.clear();
  return record;
}

inline std::vector<NaiveRecord> naive_records(Bytes text, CsvBytes bytes) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<NaiveRecord> records;
  while (!text.empty()) {
    size_t taken = 0;
    NaiveRecord record = naive_record(text, bytes, &taken);
    if (!record.text.empty()) records.push_back(record);
    text.remove_prefix(taken);
  }
  return records;
}

}  // namespace mrc
