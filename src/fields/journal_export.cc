// The journal of systemd as `journalctl -o export` writes it. Each field of an entry is a line, and
// an empty line ends the entry:
//
//   __CURSOR=s=739ad463348b4ceca5a9e69c95a3c93f;i=4ece7;b=...
//   __REALTIME_TIMESTAMP=1423944916375353
//   PRIORITY=6
//   MESSAGE
//   <8 bytes: the size, least byte first><a value of so many bytes, with line ends in it>
//   _PID=812
//
// An entry begins at each line that begins with "__CURSOR=s=", and chunks are cut there. A value
// that contains such a line makes two bad entries. Fields keep their names, and some also have the
// names that other formats have for the same thing.
#include "base/text.h"
#include "fields/inner/named_formats.h"
#include "split/line_groups.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace mrc {
namespace {

constexpr Bytes kEntry = "__CURSOR=s=";

LineGroups entries() {
  return {[](Bytes head) { return head.starts_with(kEntry); }, '\n'};
}

// Takes fields from the front of an entry.
class EntryFields {
 public:
  explicit EntryFields(Bytes entry) : rest_(entry) {}

  // Returns false at the end, or if the rest is not a field.
  bool next(Bytes *name, Bytes *value) {
    if (rest_.empty()) return false;
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    const size_t equal = std::min(rest_.substr(0, end).find('='), end);
    *name = rest_.substr(0, equal);
    if (equal < end) {
      *value = rest_.substr(equal + 1, end - equal - 1);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      return true;
    }
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return take_sized(value);
  }
  const char *error() const { return error_; }

 private:
  bool take_sized(Bytes *value) {
    u64 size = 0;
    static_assert(std::endian::native == std::endian::little);
    if (rest_.size() >= sizeof size) std::memcpy(&size, rest_.data(), sizeof size);
    if (rest_.size() < sizeof size || size > rest_.size() - sizeof size) {
      error_ = "a value that has its size before it is cut short";
      return false;
    }
    *value = rest_.substr(sizeof size, size);
    rest_.remove_prefix(std::min(sizeof size + size + 1, rest_.size()));
    return true;
  }

  Bytes rest_;
  const char *error_ = nullptr;
};

// A wanted field, and the names under which entries may have it.
struct WantedEntryField {
  i64 column;
  std::vector<std::string> names;
};

class JournalReader : public RecordReader {
 public:
  JournalReader(const Dialect &dialect, Projection projection)
      : dialect_(dialect), projection_(std::move(projection)), entries_(entries()) {
    const std::vector<JsonAlias> aliases = aliases_of(*dialect.format->row);
    for (const WantedField &field : projection_.fields()) {
      wanted_.push_back({field.column, {field.name}});
      for (const JsonAlias &alias : aliases) {
        if (alias.name == field.name) wanted_.back().names.push_back(alias.path);
      }
    }
  }

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    projection_.begin(batch);
    const char *end = chunk.bytes.data() + chunk.bytes.size();
    const char *begin = skip_preamble(chunk, *next, dialect_);
    while (begin < end && !is_full(*batch)) {
      const char *cut = entries_.first(begin, end, end, true).cut;
      const char *stop = cut == nullptr ? end : cut + 1;
      take(Bytes(begin, static_cast<size_t>(stop - begin)), batch);
      begin = stop;
    }
    *next = begin;
    projection_.finish(batch);
  }
  bool joins_lines() const override { return true; }
  bool begins(Bytes head) const override { return entries_.begins(head); }

 private:
  // Removes the line ends of the last field and of the entry only, because a value may end with
  // line ends of its own.
  static Bytes without_end(Bytes entry) {
    for (int i = 0; i < 2 && entry.ends_with('\n'); ++i) entry.remove_suffix(1);
    return entry;
  }
  void take(Bytes entry, RecordBatch *batch) const {
    entry = without_end(entry);
    if (entry.find_first_not_of(" \t\r\n") == Bytes::npos) return;
    const bool begins = entry.starts_with(kEntry);
    close_record(batch, entry, begins ? put(entry, batch) : "no __CURSOR= at its beginning");
  }
  const char *put(Bytes entry, RecordBatch *batch) const {
    const FieldRow row{batch->fields.data(), static_cast<size_t>(batch->size)};
    for (const WantedEntryField &field : wanted_) row.put(field.column, Bytes());
    EntryFields fields(entry);
    for (Bytes name, value; fields.next(&name, &value);) {
      for (const WantedEntryField &field : wanted_) {
        const Bytes &place = row.columns[static_cast<size_t>(field.column)][row.index];
        const bool is_it = place.data() == nullptr && std::ranges::count(field.names, name) > 0;
        if (is_it) row.put(field.column, value);
      }
    }
    return fields.error();
  }

  const Dialect dialect_;
  const Projection projection_;
  const LineGroups entries_;
  std::vector<WantedEntryField> wanted_;
};

// Returns the names of the fields in the head. The names that other formats use come first.
std::vector<std::string> names_in(Bytes head, const NamedFormat &row) {
  std::vector<std::string> names;
  const LineGroups groups = entries();
  const char *end = head.data() + head.size();
  for (const char *begin = head.data(); begin < end;) {
    const char *cut = groups.first(begin, end, end, true).cut;
    const char *stop = cut == nullptr ? end : cut + 1;
    EntryFields fields(Bytes(begin, static_cast<size_t>(stop - begin)));
    for (Bytes name, value; fields.next(&name, &value);) {
      if (!name.empty() && !has_name(names, name)) names.emplace_back(name);
    }
    begin = stop;
  }
  add_aliases(row, [&](const std::string &name) { return has_name(names, name); }, &names);
  return names;
}

Status complete_journal(const InputHead &input, Dialect *dialect) {
  const Bytes head = without_byte_order_mark(input.head);
  dialect->names = names_in(head.substr(0, head.rfind('\n') + 1), *dialect->format->row);
  dialect->open = true;
  dialect->joins_lines = true;
  return Status::ok();
}

std::optional<Dialect> recognize_journal(const LineFormat &format, const InputHead &input,
                                         const std::vector<Bytes> &records) {
  const auto has_time = [](Bytes line) { return line.starts_with("__REALTIME_TIMESTAMP="); };
  if (records.empty() || !records[0].starts_with(kEntry)) return std::nullopt;
  if (std::ranges::none_of(records, has_time)) return std::nullopt;
  return completed(format, input, "its first line is a cursor");
}

}  // namespace

constinit const NamedKind kJournalKind = {.make_reader = make_joining_reader<JournalReader>,
                                          .complete = complete_journal,
                                          .recognize = recognize_journal,
                                          .alone = false};

}  // namespace mrc
