// Detects JSON lines, and collects the names in the first ones.
#include "base/text.h"
#include "fields/inner/json_record.h"
#include "fields/input_head.h"
#include "fields/json.h"
#include "fields/line_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr size_t kMostLines = 100;
constexpr size_t kMostNames = 200;

// Collects the paths of a valid record.
class PathList {
 public:
  explicit PathList(std::vector<std::string> *names) : names_(names) {}

  void add(Bytes record, const JsonIndex &index) {
    base_ = record.data();
    place_ = index.places();
    index_ = &index;
    object("");
  }

 private:
  void object(const std::string &path) {
    for (++place_; token() != '}';) {
      const std::string member = json_path(path, name());
      place_ += 2;
      if (token() == '{') {
        object(member);
      } else {
        if (names_->size() < kMostNames && std::ranges::find(*names_, member) == names_->end()) {
          names_->push_back(member);
        }
        skip();
      }
      if (token() == ',') ++place_;
    }
    ++place_;
  }
  // Skips a value that is not an object.
  void skip() {
    i64 open = 0;
    do {
      open += token() == '[' || token() == '{';
      open -= token() == ']' || token() == '}';
      ++place_;
    } while (open > 0);
  }
  std::string name() const {
    std::string name(static_cast<size_t>(place_[1] - place_[0] + kPadding), '\0');
    name.resize(
        static_cast<size_t>(index_->unescape(base_ + *place_ + 1, name.data()) - name.data()));
    return name;
  }
  char token() const { return base_[*place_]; }

  std::vector<std::string> *names_;
  const JsonIndex *index_ = nullptr;
  const char *base_ = nullptr;
  const u32 *place_ = nullptr;
};

// Returns the number of lines that are objects, and adds the paths in them.
i64 count_objects(const std::vector<Bytes> &lines, std::vector<std::string> *names) {
  const JsonPaths none = *JsonPaths::of({});
  JsonIndex index;
  RecordBatch batch;
  JsonRecord walker(none, &index, &batch);
  PathList paths(names);
  i64 objects = 0;
  for (Bytes line : lines) {
    if (index.build(line) != nullptr) continue;
    walker.begin(line);
    if (!walker.move_to(line) || walker.walk() != nullptr) continue;
    paths.add(line, index);
    ++objects;
  }
  return objects;
}

bool begins_with_brace(Bytes record) {
  return record.substr(record.find_first_not_of(" \t")).starts_with('{');
}

Status complete_json(const InputHead &input, Dialect *dialect) {
  *dialect = *sniff_json(input.spec, input.head, input.whole);
  return Status::ok();
}

std::optional<Dialect> recognize_json(const InputHead &input, const std::vector<Bytes> &records) {
  const i64 braces = std::ranges::count_if(records, begins_with_brace);
  if (!accept(LineFormat::json, braces, input, records)) return std::nullopt;
  return sniff_json(input.spec, input.head, input.whole);
}

}  // namespace

constinit const LineFormat LineFormat::json = {
    .name = "json",
    .make_reader = make_json_reader,
    .complete = complete_json,
    .recognize = recognize_json,
    .paths = true,
};

std::optional<Dialect> sniff_json(const FormatSpec &spec, Bytes head, bool whole) {
  if (spec.format != nullptr && spec.format != &LineFormat::json) return std::nullopt;
  // Strings are over-read, so the text needs padding.
  std::string padded(head);
  padded.append(kPadding, '\0');
  head = Bytes(padded).substr(0, head.size());
  std::vector<Bytes> lines = first_lines({spec, head, whole}, kMostLines);
  const Bytes only = without_spaces_around(without_byte_order_mark(head));
  if (lines.empty() && !only.empty()) lines = {only};
  Dialect dialect;
  const i64 objects = count_objects(lines, &dialect.names), all = std::ssize(lines);
  // A single line that is longer than the head cannot be checked past its beginning.
  const bool only_begins = all == 1 && !whole && lines[0].starts_with("{\"");
  if (spec.format == nullptr && 2 * objects <= all && !only_begins) return std::nullopt;
  dialect.format = &LineFormat::json;
  dialect.terminator = spec.terminator;
  dialect.open = true;
  dialect.reason = fmt::format("{} of the first {} records are JSON objects", objects, all);
  return dialect;
}

}  // namespace mrc
