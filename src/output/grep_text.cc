#include "base/text.h"
#include "output/encode.h"
#include "output/record_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

// The default colors of GNU grep.
constexpr const char *kMatchColor = "\x1b[01;31m", *kNameColor = "\x1b[35m",
                     *kNumberColor = "\x1b[32m", *kSignColor = "\x1b[36m", *kNoColor = "\x1b[m";

class Grep : public Transformer {
 public:
  Grep(const GrepSpec &spec, std::unique_ptr<LineMatcher> matcher, const Scanner &scanner)
      : spec_(spec),
        matcher_(std::move(matcher)),
        scanner_(scanner),
        terminator_(spec.pattern.terminator),
        terms_(terms_of(spec)),
        plain_(is_plain(spec, terms_)) {}

  TransformTerms terms() const override { return terms_; }
  std::unique_ptr<ChunkTransformer> make_worker(const InputReaders *,
                                                BadRecordSink *) const override;
  void transform(const Chunk &chunk, const Source &source, TransformedText *out) const;
  void conclude(const Source &source, i64 records, std::string *text) const override;

 private:
  using Line = LineSearch::Line;  // or a record of several lines

  static TransformTerms terms_of(const GrepSpec &spec) {
    TransformTerms terms{spec.answer == GrepSpec::Answer::lines, spec.of_each, spec.of_all, true};
    if (terms.text) {
      terms.before = spec.before;
      terms.after = spec.after;
      terms.separator = separator_of(spec);
    }
    if (spec.answer == GrepSpec::Answer::inputs) terms.of_each = std::min<i64>(1, spec.of_each);
    if (spec.answer == GrepSpec::Answer::nothing) terms.of_all = std::min<i64>(1, spec.of_all);
    return terms;
  }
  // JSON has no line for it.
  static std::string separator_of(const GrepSpec &spec) {
    if (!spec.separates || spec.json) return "";
    const std::string dashes = spec.color ? fmt::format("{}--{}", kSignColor, kNoColor) : "--";
    return dashes + spec.pattern.terminator;
  }
  // True if lines are printed unchanged and without prefixes.
  static bool is_plain(const GrepSpec &spec, const TransformTerms &terms) {
    return terms.text && !terms.limited() && !terms.has_around() && !spec.numbers &&
           !spec.only_matching && !spec.names && !spec.json && !spec.color && !spec.visible;
  }

  // The state of transforming one chunk.
  struct Work {
    const Chunk &chunk;
    const Source &source;
    TransformedText *out;
    i64 lines;  // line ends before `counted`, in this chunk and those before it
    const char *counted;
    bool is_near = false;  // the line is not selected, but may be near one
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
  void number(const Line &line, Work *work) const;
  void append_line(const Line &line, Work *work) const;
  void append_part(const Line &line, const Match &part, Work *work) const;
  void append_object(const Line &line, const Match &part, Work *work) const;
  void append_prefix(Work *work) const;
  static void append_number(Work *work);
  // Calls take(match) for all matches that are not empty, line by line.
  template <typename Take>
  void each_match(Bytes text, Take take) const {
    for (i64 begin = 0; begin <= std::ssize(text);) {
      const Bytes rest = text.substr(static_cast<size_t>(begin));
      const Bytes line = spec_.groups ? rest.substr(0, rest.find(terminator_)) : rest;
      each_match_in_line(
          line, [&](const Match &match) { take(Match{begin + match.begin, begin + match.end}); });
      begin += std::ssize(line) + 1;
    }
  }
  template <typename Take>
  void each_match_in_line(Bytes line, Take take) const {
    const SearchedLine searched(*matcher_, line);
    Match match;
    for (i64 from = 0; from <= std::ssize(line) && searched.find(from, &match);) {
      const bool empty = match.begin == match.end;
      if (!empty) take(match);
      from = match.end + empty;
    }
  }
  // Returns the record that contains the line; it does not begin before `least`.
  Line whole(const Line &line, const char *least, const char *end) const {
    if (!spec_.groups) return line;
    const char *stop = spec_.groups.first(line.end, end, end, true).cut;
    if (stop == nullptr) stop = end[-1] == terminator_ ? end - 1 : end;
    return {spec_.groups.begin_of(line.begin, least, end), std::max(stop, line.end)};
  }
  void append_colored(Bytes line, std::string *text) const;
  void append_text(Bytes text, std::string *out) const;
  void append_name(const Source &source, std::string *text) const override;
  // Appends the name in its color, or leaves it to the writer.
  void append_name(Work *work) const;
  void append_sign(char sign, std::string *text) const;
  void append_end(Work *work) const { append_sign(work->is_near ? '-' : ':', &work->out->text); }
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
  const char terminator_;
  const TransformTerms terms_;
  const bool plain_;
};

Bytes bytes_of(const LineSearch::Line &line) {
  return Bytes(line.begin, static_cast<size_t>(line.end - line.begin));
}

Bytes part_of(Bytes text, const Match &part) {
  return text.substr(static_cast<size_t>(part.begin), static_cast<size_t>(part.end - part.begin));
}

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
    number(line, work);
    append_line(line, work);
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
  number(line, work);
  work->is_near = !is_record;
  append_part(line, {0, line.end - line.begin}, work);
  work->out->around.push_back({std::ssize(work->out->text), work->lines, is_record});
  work->passed = std::min(line.end + 1, end);
}

// Counts the lines before a line, if numbers of lines are printed.
void Grep::number(const Line &line, Work *work) const {
  if (!numbered()) return;
  work->lines += scanner_.count(work->counted, line.begin, terminator_);
  work->counted = line.begin;
}

void Grep::append_line(const Line &line, Work *work) const {
  const Bytes bytes = bytes_of(line);
  if (!spec_.only_matching) return append_part(line, {0, std::ssize(bytes)}, work);
  if (spec_.invert) return;  // there are no matches to print
  each_match(bytes, [&](const Match &match) { append_part(line, match, work); });
}

// Appends the line or one match of it.
void Grep::append_part(const Line &line, const Match &part, Work *work) const {
  std::string *text = &work->out->text;
  if (spec_.json) return append_object(line, part, work);
  append_prefix(work);
  const Bytes bytes = part_of(bytes_of(line), part);
  if (!spec_.color || spec_.invert || work->is_near) {
    append_text(bytes, text);
  } else if (spec_.only_matching) {
    text->append(kMatchColor);
    append_text(bytes, text);
    text->append(kNoColor);
  } else {
    append_colored(bytes, text);
  }
  text->push_back(terminator_);
}

void Grep::append_object(const Line &line, const Match &part, Work *work) const {
  std::string *text = &work->out->text;
  text->append(R"({"path":)");
  append_name(work);
  text->append(R"(,"line_number":)");
  append_number(work);
  const i64 in_chunk = line.begin - work->chunk.bytes.data();
  fmt::format_to(std::back_inserter(*text), R"(,"offset":{},"text":)",
                 work->chunk.offset + in_chunk + part.begin);
  append_json(part_of(bytes_of(line), part), text);
  text->append(work->is_near ? R"(,"context":true})" : "}");
  text->push_back(terminator_);
}

void Grep::append_prefix(Work *work) const {
  std::string *text = &work->out->text;
  if (spec_.names) {
    append_name(work);
    append_end(work);
  }
  if (!spec_.numbers) return;
  if (spec_.color) text->append(kNumberColor);
  append_number(work);
  if (spec_.color) text->append(kNoColor);
  append_end(work);
}

// Notes where the number of the line goes, and the lines before it.
void Grep::append_number(Work *work) {
  work->out->inserts.push_back({std::ssize(work->out->text), work->lines});
}

void Grep::append_name(Work *work) const {
  std::string *text = &work->out->text;
  if (!spec_.late_names) return append_name(work->source, text);
  work->out->inserts.push_back({std::ssize(*text), TransformedText::Insert::kName});
}

void Grep::append_colored(Bytes line, std::string *text) const {
  i64 done = 0;
  each_match(line, [&](const Match &match) {
    append_text(part_of(line, {done, match.begin}), text);
    text->append(kMatchColor);
    append_text(part_of(line, match), text);
    text->append(kNoColor);
    done = match.end;
  });
  append_text(part_of(line, {done, std::ssize(line)}), text);
}

void Grep::append_text(Bytes text, std::string *out) const {
  if (spec_.visible) return append_visible(text, out);
  make_room_for(text, out);
  out->append(text);
}

void Grep::append_name(const Source &source, std::string *text) const {
  if (spec_.json) return append_json(source.path, text);
  if (spec_.color) text->append(kNameColor);
  append_text(source.path == "-" ? "(standard input)" : Bytes(source.path), text);
  if (spec_.color) text->append(kNoColor);
}

void Grep::append_sign(char sign, std::string *text) const {
  if (spec_.color) text->append(kSignColor);
  text->push_back(sign);
  if (spec_.color) text->append(kNoColor);
}

void Grep::conclude(const Source &source, i64 records, std::string *text) const {
  const bool counts = spec_.answer == GrepSpec::Answer::counts;
  if (!counts && (spec_.answer != GrepSpec::Answer::inputs || records == 0)) return;
  if (spec_.json) {
    text->append(R"({"path":)");
    append_name(source, text);
    text->append(counts ? fmt::format(R"(,"count":{}}})", records) : "}");
  } else {
    if (spec_.names || !counts) append_name(source, text);
    if (spec_.names && counts) append_sign(':', text);
    if (counts) text->append(std::to_string(records));
  }
  text->push_back(terminator_);
}

}  // namespace

Result<std::unique_ptr<Transformer>> make_grep(const GrepSpec &spec, const Scanner &scanner) {
  Result<std::unique_ptr<LineMatcher>> matcher = LineMatcher::make(spec.pattern, scanner);
  if (!matcher.is_ok()) return matcher.status();
  return std::make_unique<Grep>(spec, std::move(*matcher), scanner);
}

}  // namespace mrc
