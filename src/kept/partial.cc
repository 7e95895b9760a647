// The text of a partial consists of lines, like that of a manifest. The checksums of the run guard
// it.
//
//   mrc partial 1
//   version 0.2.0
//   digest 0123456789abcdef
//   job verb count                                    for each line of the job
//   table 0123456789abcdef 2                          its id, and how many sources follow
//   units 12                                          length of the unit list, if there is one
//   dialect csv 44 10 1 0                             how the first source with a header is read,
//                                                     and lines that follow (line_values.h)
//   source /var/log/access.log
//   rows 100                                          of a sort: keeps the first 100; -1: all
//   splitter AWFiYw==                                 between two ranges of rows
//   piece ff00...                                     64 digits: the partitions that have states
//   here f000...                                      the partitions in this partial, if not all
//   unit 3 0 1048576 2097152 0123456789abcdef         number, source, begin, end, content
//   counts 1000 990                                   records, and those whose values were used
//   bad-records 2 1048600 a.csv:12: no closing quote  count; position of the first, and a message
//   bad-values 1 1050000 a.csv:17: not a number: x
//   unread b.log: could not be read to its end        a message about an input
//   lines 1048576 100                                 position of a chunk, and its line ends
#include "kept/partial.h"

#include "base/one_line.h"
#include "base/setting_name.h"
#include "kept/inner/line_values.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace mrc {
namespace {

constexpr std::string_view kFirstOfPartial = "mrc partial ";

// Formats a set in hexadecimal: the lowest partition is the first bit of the first digit.
std::string digits_of(const PartitionSet &set) {
  std::string digits;
  for (size_t i = 0; i < set.size(); i += 4) {
    const int value = set[i] * 8 + set[i + 1] * 4 + set[i + 2] * 2 + set[i + 3];
    digits.push_back("0123456789abcdef"[value]);
  }
  return digits;
}

bool read_digits(Bytes digits, PartitionSet *set) {
  if (digits.size() * 4 != set->size()) return false;
  for (size_t i = 0; i < set->size(); ++i) {
    const size_t value = std::string_view("0123456789abcdef").find(digits[i / 4]);
    if (value == std::string_view::npos) return false;
    (*set)[i] = (value >> (3 - i % 4) & 1) != 0;
  }
  return true;
}

void append_table(const PartialTable &table, std::span<const std::string> sources,
                  std::string *text) {
  append_formatted(text, FMT_COMPILE("table {:016x} {}\n"), table.id, table.sources);
  if (table.units > 0) append_formatted(text, FMT_COMPILE("units {}\n"), table.units);
  if (table.header) append_dialect(*table.header, text);
  for (const std::string &source : sources) {
    append_formatted(text, FMT_COMPILE("source {}\n"), on_one_line(source));
  }
}

void append_ranges(const PartialRanges &ranges, std::string *text) {
  append_formatted(text, FMT_COMPILE("rows {}\n"), ranges.limit);
  append_splitters(ranges.splitters, text);
}

void append_flaw(Bytes name, const PartialFlaw &flaw, std::string *text) {
  if (flaw.count == 0) return;
  append_formatted(text, FMT_COMPILE("{} {} {} {}\n"), name, flaw.count, flaw.position,
                   on_one_line(flaw.said));
}

void append_piece(const PartialPiece &piece, std::string *text) {
  append_formatted(text, FMT_COMPILE("piece {}\n"), digits_of(piece.made));
  if (piece.here != piece.made)
    append_formatted(text, FMT_COMPILE("here {}\n"), digits_of(piece.here));
  for (const PartialUnit &unit : piece.units) {
    append_formatted(text, FMT_COMPILE("unit {} {} {} {} {:016x}\n"), unit.number, unit.source,
                     unit.begin, unit.end, unit.content);
  }
  append_formatted(text, FMT_COMPILE("counts {} {}\n"), piece.records, piece.used);
  append_flaw("bad-records", piece.bad_records, text);
  append_flaw("bad-values", piece.bad_values, text);
  for (const std::string &name : piece.unread) {
    append_formatted(text, FMT_COMPILE("unread {}\n"), on_one_line(name));
  }
  for (const PartialPiece::Lines &lines : piece.lines) {
    append_formatted(text, FMT_COMPILE("lines {} {}\n"), lines.position, lines.ends);
  }
}

// Returns the lowest version that can represent the partial, so that older releases read it.
i64 version_of_partial(const Partial &partial) {
  const auto is_listed = [](const PartialTable &table) { return table.units > 0; };
  if (std::ranges::any_of(partial.tables, is_listed)) return Partial::kVersion;
  const auto has_header = [](const PartialTable &table) { return table.header.has_value(); };
  const bool has_rows = partial.ranges || std::ranges::any_of(partial.tables, has_header);
  return has_rows ? 2 : 1;
}

// Fills a partial line by line. Each function returns false if its line is invalid.
class PartialLines {
 public:
  explicit PartialLines(Partial *partial) : partial_(*partial) {}

  bool read(Bytes line) {
    const size_t blank = std::min(line.find(' '), line.size());
    const Bytes name = line.substr(0, blank), rest = line.substr(std::min(blank + 1, line.size()));
    return partial_.pieces.empty() || name == "piece" ? read_whole(name, rest)
                                                      : read_part(name, rest);
  }

 private:
  bool read_whole(Bytes name, Bytes rest) {
    LineValues values(rest);
    if (name == "version") return values.take(&partial_.mrc_version).ok();
    if (name == "digest") return values.take_hash(&partial_.digest).ok();
    if (name == "job") {
      partial_.job += from_one_line(rest) + "\n";
      return true;
    }
    if (name == "table") {
      PartialTable &table = partial_.tables.emplace_back();
      return values.take_hash(&table.id).take(&table.sources, 0, kMostSources).ok();
    }
    if (name == "units") {
      return !partial_.tables.empty() && values.take(&partial_.tables.back().units, 1).ok();
    }
    if (name == "source") return values.take(&partial_.sources.emplace_back()).ok();
    if (name == "rows") return values.take(&partial_.ranges.emplace().limit, -1).ok();
    if (name == "splitter") {
      return partial_.ranges && read_splitter(rest, &partial_.ranges->splitters);
    }
    if (name != "piece") {
      return !partial_.tables.empty() &&
             read_dialect_line(name, values, &partial_.tables.back().header);
    }
    PartialPiece &piece = partial_.pieces.emplace_back();
    const bool ok = read_digits(rest, &piece.made);
    piece.here = piece.made;
    return ok;
  }

  bool read_part(Bytes name, Bytes rest) {
    LineValues values(rest);
    PartialPiece &piece = partial_.pieces.back();
    if (name == "here") return read_digits(rest, &piece.here) && (piece.here & ~piece.made).none();
    if (name == "unit") return read_unit(values, &piece.units.emplace_back());
    if (name == "counts") return values.take(&piece.records).take(&piece.used).ok();
    if (name == "bad-records") return read_flaw(values, &piece.bad_records);
    if (name == "bad-values") return read_flaw(values, &piece.bad_values);
    if (name == "unread") return values.take(&piece.unread.emplace_back()).ok();
    if (name != "lines") return false;
    PartialPiece::Lines &lines = piece.lines.emplace_back();
    return values.take(&lines.position).take(&lines.ends).ok();
  }

  static bool read_flaw(LineValues values, PartialFlaw *flaw) {
    return values.take(&flaw->count, 1).take(&flaw->position).take(&flaw->said).ok();
  }

  bool read_unit(LineValues values, PartialUnit *unit) {
    values.take(&unit->number).take(&unit->source).take(&unit->begin).take(&unit->end);
    return values.take_hash(&unit->content).ok() && unit->begin <= unit->end &&
           unit->source < std::ssize(partial_.sources);
  }

  static constexpr i64 kMostSources = i64{1} << 20;

  Partial &partial_;
};

// True if the number of each unit is below the length of its list.
bool has_listed_numbers(const Partial &partial) {
  std::vector<const PartialTable *> table_of;
  for (const PartialTable &table : partial.tables) {
    table_of.insert(table_of.end(), static_cast<size_t>(table.sources), &table);
  }
  return std::ranges::all_of(partial.pieces, [&](const PartialPiece &piece) {
    return std::ranges::all_of(piece.units, [&](const PartialUnit &unit) {
      const i64 units = table_of[static_cast<size_t>(unit.source)]->units;
      return units == 0 || unit.number < units;
    });
  });
}

// Returns what is inconsistent, or "".
std::string fault_of_partial(const Partial &partial) {
  i64 sources = 0;
  for (const PartialTable &table : partial.tables) sources += table.sources;
  if (sources != std::ssize(partial.sources)) return "its tables have another number of sources";
  if (partial.pieces.empty()) return "it has no pieces";
  if (!has_listed_numbers(partial)) return "a unit is in no list";
  for (const PartialPiece &piece : partial.pieces) {
    if (piece.units.empty()) return "a piece has no units";
    const auto is_elsewhere = [&](u64 position) {
      return position != ~u64{0} && static_cast<i64>(position >> 44) >= sources;
    };
    if (is_elsewhere(piece.bad_records.position) || is_elsewhere(piece.bad_values.position) ||
        std::ranges::any_of(piece.lines, is_elsewhere, &PartialPiece::Lines::position)) {
      return "a position is in no source";
    }
  }
  return "";
}

Status damaged_partial(const std::string &what) {
  return Status::error("the description of its states is damaged: " + what + "; make it again");
}

// Checks the format version in the first line.
Status check_partial_version(Bytes text) {
  i64 version = 0;
  const Bytes first = text.substr(0, text.find('\n'));
  if (!first.starts_with(kFirstOfPartial) ||
      !LineValues(first.substr(kFirstOfPartial.size())).take(&version).ok()) {
    return damaged_partial("it does not begin as a partial does");
  }
  if (version >= 1 && version <= Partial::kVersion) return Status::ok();
  return Status::error(fmt::format(
      "is a partial in format {}, and this mrc has format {}; use the same mrc on all machines",
      version, Partial::kVersion));
}

}  // namespace

void PartialFlaw::add(const PartialFlaw &other) {
  const i64 all = count + other.count;
  if (other.count > 0 && (count == 0 || other.position < position)) *this = other;
  count = all;
}

std::string Partial::to_text() const {
  std::string text;
  append_formatted(&text, FMT_COMPILE("{}{}\nversion {}\ndigest {:016x}\n"), kFirstOfPartial,
                   version_of_partial(*this), on_one_line(mrc_version), digest);
  for (Bytes left = job; !left.empty();) {
    const Bytes line = left.substr(0, left.find('\n'));
    append_formatted(&text, FMT_COMPILE("job {}\n"), on_one_line(line));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
  }
  std::span<const std::string> left(sources);
  for (const PartialTable &table : tables) {
    append_table(table, left.first(static_cast<size_t>(table.sources)), &text);
    left = left.subspan(static_cast<size_t>(table.sources));
  }
  if (ranges) append_ranges(*ranges, &text);
  for (const PartialPiece &piece : pieces) append_piece(piece, &text);
  return text;
}

Result<Partial> Partial::from_text(Bytes text) {
  if (const Status version = check_partial_version(text); !version.is_ok()) return version;
  Partial partial;
  PartialLines reader(&partial);
  Bytes left = text.substr(std::min(text.find('\n'), text.size() - 1) + 1);
  for (i64 number = 2; !left.empty(); ++number) {
    const Bytes line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    if (!reader.read(line)) return damaged_partial(fmt::format("line {}", number));
  }
  if (const std::string fault = fault_of_partial(partial); !fault.empty())
    return damaged_partial(fault);
  return partial;
}

Status finish_partial(const Partial &partial, RunWriter *writer) {
  const std::string text = partial.to_text();
  std::string block;
  append_record({}, {.var = text}, &block);
  Status status = writer->add_block({.records = 1}, Bytes(block));
  return status.is_ok() ? writer->finish() : status;
}

Result<OpenPartial> open_partial(const RunFile &file) {
  const Result<RunReader> reader = RunReader::open(&file);
  if (!reader.is_ok()) return reader.status();
  const RecordShape shape = reader->header().shape;
  OpenPartial opened{.partial = {}, .blocks = reader->blocks(), .state_bytes = shape.state_bytes};
  const Status foreign = Status::error(
      fmt::format("{}: is a run of mrc, and no partial; mrc VERB {} partial makes one", file.name(),
                  setting_name("to")));
  if (opened.blocks.empty() || opened.blocks.back().records != 1 || shape.raw_bytes != 0) {
    return foreign;
  }
  Pages buffer;
  const Result<Bytes> block = reader->read_block(opened.blocks.back(), &buffer);
  if (!block.is_ok()) return block.status();
  StoredRecord record;
  read_record(reinterpret_cast<const std::byte *>(block->data()), shape, &record);
  if (record.is_state || !record.key.empty()) return foreign;
  Result<Partial> partial = Partial::from_text(record.var);
  if (!partial.is_ok()) return partial.status().within(file.name());
  opened.partial = std::move(*partial);
  opened.blocks.pop_back();
  const RunOrder order = opened.partial.ranges ? RunOrder::raw : RunOrder::key;
  for (const BlockInfo &each : opened.blocks) {
    const bool is_ordered = each.order == order && each.partition_bits == kPartialBits;
    if (!is_ordered) return Status::error(file.name() + ": its states are not in partitions");
  }
  return opened;
}

}  // namespace mrc
