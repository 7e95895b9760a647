#include "join/match_text.h"

#include "join/side_records.h"

namespace mrc {
namespace {

// A record may have many partners: text is drained before it takes much memory.
constexpr size_t kMostText = size_t{1} << 20;

struct MatchSpec {
  const Join &join;
  const JoinText &text;
  const JoinTable &table;
  i64 of_all;

  bool limited() const { return of_all < INT64_MAX; }
};

class MatchWorker : public ChunkTransformer {
 public:
  MatchWorker(const MatchSpec &spec, const InputReaders &readers, BadRecordSink *bad)
      : spec_(spec), records_(spec.join.sides[kLeft], readers, bad) {}

  void drain_to(Drain drain) override { drain_ = std::move(drain); }

  i64 transform(const Chunk &chunk, const Source &, TransformedText *out) override {
    wanted_ = out->records < spec_.of_all;
    if (!wanted_) return 0;
    next_drain_ = out->text.size() + kMostText;
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
  SideRecords records_;
  Drain drain_;
  bool wanted_ = true;
  size_t next_drain_ = kMostText;
  std::string key_, head_;
};

void MatchWorker::append(const SideRecord &record, TransformedText *out) {
  const JoinTable::Entry *entry = record.has_key ? spec_.table.find(record.keys, &key_) : nullptr;
  const JoinKind kind = spec_.join.spec.kind;
  if (entry == nullptr) {
    if (spec_.join.spec.keeps(kLeft)) append_lone(record, out);
    return;
  }
  if (kind == JoinKind::anti) return;
  if (kind == JoinKind::semi) return append_lone(record, out);
  if (kind == JoinKind::full) spec_.table.mark(entry);
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
    out->text.append(spec_.table.record_text(entry.first));
    return end_row(record, out);
  }
  head_.clear();
  spec_.text.append_head(record.keys, record.fields, &head_);
  for (u64 i = entry.first; i < entry.end && wanted_; ++i) {
    out->text.append(head_).append(spec_.table.record_text(i));
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
  next_drain_ = out->text.size() + kMostText;  // the text stays if other workers have the turn
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

std::unique_ptr<Transformer> make_match_text(const Join &join, const JoinText &text,
                                             const JoinTable &table, bool header, i64 of_all) {
  return std::make_unique<MatchText>(MatchSpec{join, text, table, of_all}, header);
}

}  // namespace mrc
