#include "base/text.h"
#include "output/inner/grep_lines.h"

#include <algorithm>

namespace mrc {
namespace {

class Grep : public Transformer {
 public:
  Grep(const GrepSpec &spec, std::unique_ptr<LineMatcher> matcher, const Scanner &scanner)
      : spec_(spec),
        matcher_(std::move(matcher)),
        scanner_(scanner),
        lines_(spec_, *matcher_),
        terminator_(spec.pattern.terminator),
        terms_(terms_of(spec)),
        plain_(terms_.text && !terms_.limited() && !terms_.has_around() &&
               GrepLines::are_plain(spec)) {}

  TransformTerms terms() const override { return terms_; }
  std::unique_ptr<ChunkTransformer> make_worker(const InputReaders *,
                                                BadRecordSink *) const override;
  void transform(const Chunk &chunk, const Source &source, TransformedText *out) const;
  void append_name(const Source &source, std::string *text) const override {
    lines_.append_name(source, text);
  }
  void conclude(const Source &source, i64 records, std::string *text) const override {
    lines_.conclude(source, records, text);
  }

 private:
  using Line = LineSearch::Line;  // or a record of several lines

  static TransformTerms terms_of(const GrepSpec &spec) {
    TransformTerms terms{spec.answer == GrepSpec::Answer::lines, spec.of_each, spec.of_all, true};
    if (terms.text) {
      terms.before = spec.before;
      terms.after = spec.after;
      terms.separator = GrepLines::separator_of(spec);
    }
    if (spec.answer == GrepSpec::Answer::inputs) terms.of_each = std::min<i64>(1, spec.of_each);
    if (spec.answer == GrepSpec::Answer::nothing) terms.of_all = std::min<i64>(1, spec.of_all);
    return terms;
  }

  // The state of transforming one chunk.
  struct Work {
    const Chunk &chunk;
    const Source &source;
    TransformedText *out;
    i64 lines;  // line ends before `counted`, in this chunk and those before it
    const char *counted;
    // For lines around those that are selected: where the first one begins that may be near the
    // next selected line, and how many from there on may be near the one before, or, in front of
    // the first one, near one of the chunk before.
    const char *passed;
    i64 after;
  };

  void add_matching(Work *work) const;
  void add_others(Work *work) const;
  void add_lines(const char *begin, const char *end, Work *work) const;
  void add_line(const Line &line, Work *work) const;
  void add_after(const char *end, Work *work) const;
  void add_before(const char *end, Work *work) const;
  void add_around(const Line &line, bool is_record, Work *work) const;
  void append(const Line &line, bool is_near, Work *work) const;
  // Returns the record that contains the line; it does not begin before `least`.
  Line whole(const Line &line, const char *least, const char *end) const {
    if (!spec_.groups) return line;
    const char *stop = spec_.groups.first(line.end, end, end, true).cut;
    if (stop == nullptr) stop = end[-1] == terminator_ ? end - 1 : end;
    return {spec_.groups.begin_of(line.begin, least, end), std::max(stop, line.end)};
  }
  bool numbered() const {
    return terms_.text && (spec_.numbers || spec_.json || terms_.has_around());
  }
  // With lines around the records, the writer decides.
  bool is_enough(const TransformedText &out) const {
    if (terms_.has_around()) return false;
    return out.records >= terms_.of_each || out.records >= terms_.of_all;
  }

  const GrepSpec spec_;
  const std::unique_ptr<LineMatcher> matcher_;
  const Scanner &scanner_;
  const GrepLines lines_;
  const char terminator_;
  const TransformTerms terms_;
  const bool plain_;  // selected lines are copied
};

// Workers have no state of their own.
class GrepWorker : public ChunkTransformer {
 public:
  explicit GrepWorker(const Grep &grep) : grep_(grep) {}
  i64 transform(const Chunk &chunk, const Source &source, TransformedText *out) override {
    grep_.transform(chunk, source, out);
    return 0;
  }

 private:
  const Grep &grep_;
};

std::unique_ptr<ChunkTransformer> Grep::make_worker(const InputReaders *, BadRecordSink *) const {
  return std::make_unique<GrepWorker>(*this);
}

void Grep::transform(const Chunk &chunk, const Source &source, TransformedText *out) const {
  const char *begin = chunk.bytes.data(), *end = begin + chunk.bytes.size();
  Work work{.chunk = chunk,
            .source = source,
            .out = out,
            .lines = out->lines,
            .counted = begin,
            .passed = begin,
            .after = terms_.after};
  if (spec_.invert) {
    add_others(&work);
  } else {
    add_matching(&work);
  }
  if (terms_.has_around()) {
    add_after(end, &work);
    add_before(end, &work);
  }
  if (!numbered()) return;
  out->lines = work.lines + scanner_.count(work.counted, end, terminator_);
}

void Grep::add_matching(Work *work) const {
  const Bytes bytes = work->chunk.bytes;
  const char *next = bytes.data(), *end = next + bytes.size();
  LineSearch search(*matcher_, bytes);
  Line line;
  while (!is_enough(*work->out) && search.next(&line)) {
    line = whole(line, next, end);
    add_line(line, work);
    next = search.go_on_after(line);
  }
}

// Adds the lines between those that match.
void Grep::add_others(Work *work) const {
  const Bytes bytes = work->chunk.bytes;
  const char *next = bytes.data(), *end = next + bytes.size();
  LineSearch search(*matcher_, bytes);
  Line line;
  while (!is_enough(*work->out) && search.next(&line)) {
    line = whole(line, next, end);
    add_lines(next, line.begin, work);
    next = search.go_on_after(line);
  }
  if (!is_enough(*work->out)) add_lines(next, end, work);
}

// Adds whole lines; the last may lack its terminator.
void Grep::add_lines(const char *begin, const char *end, Work *work) const {
  if (begin == end) return;
  if (!spec_.groups && (plain_ || !(terms_.text || terms_.limited()))) {
    const bool unended = end[-1] != terminator_;
    work->out->records += scanner_.count(begin, end, terminator_) + unended;
    if (!plain_) return;
    make_room_for({begin, static_cast<size_t>(end - begin)}, &work->out->text);
    work->out->text.append(begin, end);
    if (unended) work->out->text.push_back(terminator_);
    return;
  }
  while (begin < end && !is_enough(*work->out)) {
    const Line line = whole({begin, std::find(begin, end, terminator_)}, begin, end);
    add_line(line, work);
    begin = std::min(line.end + 1, end);
  }
}

void Grep::add_line(const Line &line, Work *work) const {
  ++work->out->records;
  if (!terms_.text) return;
  if (!terms_.has_around()) {
    append(line, false, work);
    if (terms_.limited()) work->out->ends.push_back(std::ssize(work->out->text));
    return;
  }
  add_after(line.begin, work);
  add_before(line.begin, work);
  add_around(line, true, work);
  if (terms_.limited()) add_around(line, false, work);
  work->after = terms_.after;
}

// Adds lines that follow the selected line before, up to `end`.
void Grep::add_after(const char *end, Work *work) const {
  for (; work->after > 0 && work->passed < end; --work->after) {
    add_around({work->passed, std::find(work->passed, end, terminator_)}, false, work);
  }
}

// Adds the last lines before `end`, but none twice.
void Grep::add_before(const char *end, Work *work) const {
  const char *begin = end;
  for (i64 lines = terms_.before; lines > 0 && begin > work->passed; --lines) {
    const Bytes before(work->passed, static_cast<size_t>(begin - 1 - work->passed));
    begin = work->passed + (before.rfind(terminator_) + 1);
  }
  work->passed = begin;
  while (work->passed < end) {
    add_around({work->passed, std::find(work->passed, end, terminator_)}, false, work);
  }
}

// Adds the line at `passed`.
void Grep::add_around(const Line &line, bool is_record, Work *work) const {
  const char *end = work->chunk.bytes.data() + work->chunk.bytes.size();
  append(line, !is_record, work);
  work->out->around.push_back({std::ssize(work->out->text), work->lines, is_record});
  work->passed = std::min(line.end + 1, end);
}

// Appends a line with its number, if numbers of lines are printed.
void Grep::append(const Line &line, bool is_near, Work *work) const {
  if (numbered()) {
    work->lines += scanner_.count(work->counted, line.begin, terminator_);
    work->counted = line.begin;
  }
  lines_.append({line, work->chunk, work->source, work->lines, is_near}, work->out);
}

}  // namespace

Result<std::unique_ptr<Transformer>> make_grep(const GrepSpec &spec, const Scanner &scanner) {
  Result<std::unique_ptr<LineMatcher>> matcher = LineMatcher::make(spec.pattern, scanner);
  if (!matcher.is_ok()) return matcher.status();
  return std::make_unique<Grep>(spec, std::move(*matcher), scanner);
}

}  // namespace mrc
