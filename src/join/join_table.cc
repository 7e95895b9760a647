#include "join/join_table.h"

#include "join/join.h"

#include <algorithm>

namespace mrc {
namespace {

// Returns a key of one part as it is, and encodes others.
Bytes whole_key(std::span<const Bytes> keys, std::string *buffer) {
  if (keys.size() == 1) return keys[0];
  buffer->clear();
  append_join_key(keys, buffer);
  return *buffer;
}

// A record may have many partners: text is drained before it takes much memory.
constexpr size_t kTextBeforeDrain = size_t{1} << 20;

struct MatchSpec {
  const Join &join;
  const JoinText &text;
  const std::unique_ptr<JoinTable> &table;
  i64 of_all;

  bool limited() const { return of_all < INT64_MAX; }
};

class MatchWorker : public ChunkTransformer {
 public:
  MatchWorker(const MatchSpec &spec, const InputReaders &readers, BadRecordSink *bad)
      : spec_(spec), table_(*spec.table), records_(spec.join.sides[kLeft], readers, bad) {}

  void drain_to(Drain drain) override { drain_ = std::move(drain); }

  i64 transform(const Chunk &chunk, const Source &, TransformedText *out) override {
    wanted_ = out->records < spec_.of_all;
    if (!wanted_) return 0;
    next_drain_ = out->text.size() + kTextBeforeDrain;
    return records_.each(chunk, [&](const SideRecord &record) {
      append(record, out);
      return wanted_;
    });
  }

 private:
  void append(const SideRecord &record, TransformedText *out);
  void append_lone(const SideRecord &record, TransformedText *out);
  void append_matches(const SideRecord &record, const JoinTable::Entry &entry,
                      TransformedText *out);
  void end_row(const SideRecord &record, TransformedText *out);

  const MatchSpec &spec_;
  const JoinTable &table_;
  SideRecords records_;
  Drain drain_;
  bool wanted_ = true;
  size_t next_drain_ = kTextBeforeDrain;
  std::string key_, head_;
};

void MatchWorker::append(const SideRecord &record, TransformedText *out) {
  const JoinTable::Entry *entry = record.has_key ? table_.find(record.keys, &key_) : nullptr;
  const JoinKind kind = spec_.join.spec.kind;
  if (entry == nullptr) {
    if (spec_.join.spec.keeps(kLeft)) append_lone(record, out);
    return;
  }
  if (kind == JoinKind::anti) return;
  if (kind == JoinKind::semi) return append_lone(record, out);
  if (kind == JoinKind::full) table_.mark(entry);
  append_matches(record, *entry, out);
}

void MatchWorker::append_lone(const SideRecord &record, TransformedText *out) {
  spec_.text.append_head(record.keys, record.fields, &out->text);
  spec_.text.append_lone_tail(&out->text);
  end_row(record, out);
}

void MatchWorker::append_matches(const SideRecord &record, const JoinTable::Entry &entry,
                                 TransformedText *out) {
  if (entry.end - entry.first == 1) {
    spec_.text.append_head(record.keys, record.fields, &out->text);
    out->text.append(table_.record_text(entry.first));
    return end_row(record, out);
  }
  head_.clear();
  spec_.text.append_head(record.keys, record.fields, &head_);
  for (u64 i = entry.first; i < entry.end && wanted_; ++i) {
    out->text.append(head_).append(table_.record_text(i));
    end_row(record, out);
  }
}

void MatchWorker::end_row(const SideRecord &record, TransformedText *out) {
  ++out->records;
  if (spec_.limited()) {
    out->ends.push_back(std::ssize(out->text));
    out->positions.push_back(record.position);
  }
  wanted_ = out->records < spec_.of_all;
  if (!wanted_ || !drain_ || out->text.size() < next_drain_) return;
  wanted_ = drain_(out);
  next_drain_ =
      out->text.size() + kTextBeforeDrain;  // the text stays if other workers have the turn
}

class MatchText : public Transformer {
 public:
  MatchText(const MatchSpec &spec, bool header) : spec_(spec), header_(header) {}

  TransformTerms terms() const override { return {.of_all = spec_.of_all}; }
  std::unique_ptr<ChunkTransformer> make_worker(const InputReaders *readers,
                                                BadRecordSink *bad) const override {
    return std::make_unique<MatchWorker>(spec_, *readers, bad);
  }
  void begin(std::string *text) const override {
    if (header_) spec_.text.append_header(text);
  }

 private:
  const MatchSpec spec_;
  const bool header_;
};

}  // namespace

JoinTable::JoinTable(const Join &join, const JoinText &text, const Rows &rows, Seed seed, Side side)
    : join_(join), text_(text), seed_(seed), side_(side) {
  const RowLayout layout = join_layout();
  std::vector<Bytes> fields(join.sides[side].fields.size());
  DecodedKey decoded(join.sides[side].keys.size());
  const std::vector<Bytes> *keys = nullptr;
  entries_.reserve(static_cast<size_t>(rows.size()));
  records_.reserve(static_cast<size_t>(rows.size()) + 1);
  Bytes encoded;
  for (const Row &row : rows) {
    const StoredSide record(layout, row);
    if (entries_.empty() || record.key != encoded) {
      keys = &decoded.decode(record.key);
      add_entry(record, *keys);
    }
    encoded = record.key;
    record.read_fields(&fields);
    records_.push_back({texts_.size(), record.position});
    side == kLeft ? text.append_head(*keys, fields, &texts_) : text.append_tail(fields, &texts_);
    entries_.back().end = records_.size();
  }
  records_.push_back({texts_.size(), 0});
  marks_ = std::vector<std::atomic<bool>>(entries_.size());
  fill_index();
}

void JoinTable::add_entry(const StoredSide &side, const std::vector<Bytes> &keys) {
  const Bytes key = keys.size() == 1 ? keys[0] : side.key;
  entries_.push_back({keys_.copy(key), side.has_key, records_.size(), records_.size()});
  if (side_ == kLeft || join_.spec.stable) return;
  if (key_ends_.empty()) key_ends_.push_back(0);
  text_.append_keys(keys, &key_texts_);
  key_ends_.push_back(key_texts_.size());
}

void JoinTable::fill_index() {
  index_ = HashIndex(entries_.size());
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].has_key)
      index_.add(hash_bytes(entries_[i].key, seed_), static_cast<u32>(i + 1));
  }
}

u64 JoinTable::lower_bound(std::span<const Bytes> keys, std::string *buffer) const {
  const auto found = std::ranges::lower_bound(entries_, whole_key(keys, buffer), {}, &Entry::key);
  return static_cast<u64>(found - entries_.begin());
}

u64 JoinTable::first_record_after(std::span<const Bytes> keys, std::string *buffer) const {
  const auto found = std::ranges::upper_bound(entries_, whole_key(keys, buffer), {}, &Entry::key);
  return found == entries_.end() ? static_cast<u64>(records()) : found->first;
}

const JoinTable::Entry *JoinTable::find(std::span<const Bytes> keys, std::string *buffer) const {
  const Bytes key = whole_key(keys, buffer);
  const u32 found = index_.find(hash_bytes(key, seed_),
                                [&](u32 entry) { return entries_[entry - 1].key == key; });
  return found == 0 ? nullptr : &entries_[found - 1];
}

void JoinTable::append_unmarked(i64 limit, std::string *out) const {
  std::vector<std::pair<u64, const Entry *>> lone;  // numbers of records
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (marks_[i].load(std::memory_order_relaxed)) continue;
    for (u64 record = entries_[i].first; record < entries_[i].end; ++record) {
      lone.emplace_back(record, &entries_[i]);
    }
  }
  std::ranges::sort(lone, {}, [this](const auto &one) { return records_[one.first].position; });
  if (limit < std::ssize(lone)) lone.resize(static_cast<size_t>(limit));
  DecodedKey decoded(join_.sides[side_].keys.size());
  for (const auto &[number, entry] : lone) {
    const Bytes key = entry->key.empty() ? Bytes() : entry->key;
    const bool is_plain = join_.sides[side_].keys.size() == 1;
    text_.append_lone_head(is_plain ? std::span(&key, 1) : std::span(decoded.decode(key)), out);
    out->append(record_text(number));
  }
}

i64 JoinTable::bytes() const {
  return keys_.size() + std::ssize(texts_) + std::ssize(key_texts_) +
         std::ssize(key_ends_) * i64{sizeof(u64)} + std::ssize(entries_) * i64{sizeof(Entry)} +
         std::ssize(records_) * i64{sizeof(Record)} + index_.bytes();
}

std::unique_ptr<Transformer> make_match_text(const Join &join, const JoinText &text,
                                             const std::unique_ptr<JoinTable> &table, bool header,
                                             i64 of_all) {
  return std::make_unique<MatchText>(MatchSpec{join, text, table, of_all}, header);
}

}  // namespace mrc
