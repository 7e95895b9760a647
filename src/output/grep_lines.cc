#include "output/inner/grep_lines.h"

#include "base/text.h"
#include "output/encode.h"

#include <fmt/format.h>

#include <iterator>

namespace mrc {
namespace {

// The default colors of GNU grep.
constexpr const char *kMatchColor = "\x1b[01;31m", *kNameColor = "\x1b[35m",
                     *kNumberColor = "\x1b[32m", *kSignColor = "\x1b[36m", *kNoColor = "\x1b[m";

Bytes bytes_of(const LineSearch::Line &line) {
  return Bytes(line.begin, static_cast<size_t>(line.end - line.begin));
}

Bytes part_of(Bytes text, const Match &part) {
  return text.substr(static_cast<size_t>(part.begin), static_cast<size_t>(part.end - part.begin));
}

// Notes where the number of the line goes.
void append_number(const GrepLine &line, TransformedText *out) {
  out->inserts.push_back({std::ssize(out->text), line.number});
}

}  // namespace

std::string GrepLines::separator_of(const GrepSpec &spec) {
  if (!spec.separates || spec.json) return "";
  const std::string dashes = spec.color ? fmt::format("{}--{}", kSignColor, kNoColor) : "--";
  return dashes + spec.pattern.terminator;
}

// Calls take(match) for all matches that are not empty, line by line.
template <typename Take>
void GrepLines::each_match(Bytes text, Take take) const {
  for (i64 begin = 0; begin <= std::ssize(text);) {
    const Bytes rest = text.substr(static_cast<size_t>(begin));
    const Bytes line = spec_.groups ? rest.substr(0, rest.find(spec_.pattern.terminator)) : rest;
    each_match_in_line(
        line, [&](const Match &match) { take(Match{begin + match.begin, begin + match.end}); });
    begin += std::ssize(line) + 1;
  }
}

template <typename Take>
void GrepLines::each_match_in_line(Bytes line, Take take) const {
  const SearchedLine searched(matcher_, line);
  Match match;
  for (i64 from = 0; from <= std::ssize(line) && searched.find(from, &match);) {
    const bool empty = match.begin == match.end;
    if (!empty) take(match);
    from = match.end + empty;
  }
}

void GrepLines::append(const GrepLine &line, TransformedText *out) const {
  const Bytes bytes = bytes_of(line.text);
  if (!spec_.only_matching) return append_part(line, {0, std::ssize(bytes)}, out);
  if (spec_.invert) return;  // there are no matches to print
  each_match(bytes, [&](const Match &match) { append_part(line, match, out); });
}

// Appends the line or one match of it.
void GrepLines::append_part(const GrepLine &line, const Match &part, TransformedText *out) const {
  std::string *text = &out->text;
  if (spec_.json) return append_object(line, part, out);
  append_prefix(line, out);
  const Bytes bytes = part_of(bytes_of(line.text), part);
  if (!spec_.color || spec_.invert || line.is_near) {
    append_text(bytes, text);
  } else if (spec_.only_matching) {
    text->append(kMatchColor);
    append_text(bytes, text);
    text->append(kNoColor);
  } else {
    append_colored(bytes, text);
  }
  text->push_back(spec_.pattern.terminator);
}

void GrepLines::append_object(const GrepLine &line, const Match &part, TransformedText *out) const {
  std::string *text = &out->text;
  text->append(R"({"path":)");
  append_name(line, out);
  text->append(R"(,"line_number":)");
  append_number(line, out);
  const i64 in_chunk = line.text.begin - line.chunk.bytes.data();
  fmt::format_to(std::back_inserter(*text), R"(,"offset":{},"text":)",
                 line.chunk.offset + in_chunk + part.begin);
  append_json(part_of(bytes_of(line.text), part), text);
  text->append(line.is_near ? R"(,"context":true})" : "}");
  text->push_back(spec_.pattern.terminator);
}

void GrepLines::append_prefix(const GrepLine &line, TransformedText *out) const {
  std::string *text = &out->text;
  const char sign = line.is_near ? '-' : ':';
  if (spec_.names) {
    append_name(line, out);
    append_sign(sign, text);
  }
  if (!spec_.numbers) return;
  if (spec_.color) text->append(kNumberColor);
  append_number(line, out);
  if (spec_.color) text->append(kNoColor);
  append_sign(sign, text);
}

void GrepLines::append_name(const GrepLine &line, TransformedText *out) const {
  std::string *text = &out->text;
  if (!spec_.late_names) return append_name(line.source, text);
  out->inserts.push_back({std::ssize(*text), TransformedText::Insert::kName});
}

void GrepLines::append_colored(Bytes line, std::string *text) const {
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

void GrepLines::append_text(Bytes text, std::string *out) const {
  if (spec_.visible) return append_visible(text, out);
  make_room_for(text, out);
  out->append(text);
}

void GrepLines::append_name(const Source &source, std::string *text) const {
  if (spec_.json) return append_json(source.path, text);
  if (spec_.color) text->append(kNameColor);
  append_text(source.path == "-" ? "(standard input)" : Bytes(source.path), text);
  if (spec_.color) text->append(kNoColor);
}

void GrepLines::append_sign(char sign, std::string *text) const {
  if (spec_.color) text->append(kSignColor);
  text->push_back(sign);
  if (spec_.color) text->append(kNoColor);
}

void GrepLines::conclude(const Source &source, i64 records, std::string *text) const {
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
  text->push_back(spec_.pattern.terminator);
}

}  // namespace mrc
