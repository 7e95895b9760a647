// Units begin and end with records: to map a unit, a worker needs nothing before it. With quotes or
// braces of JSON, the meaning of a line end depends on all bytes before it, so the state is
// followed from the front. After a quote that is never closed, no unit begins, so it means the same
// to a worker that reads the last unit as to one that reads the whole input.
#include "base/text.h"
#include "engine/engine.h"
#include "engine/inner/bad_records.h"
#include "engine/inner/input_formats.h"
#include "engine/inner/input_scan.h"
#include "engine/inner/plan_steps.h"
#include "engine/inner/sample.h"
#include "fields/spread.h"
#include "input/stream.h"
#include "rows/order_key.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kPieceOfFile = i64{1} << 20;

// Reads a file in pieces.
class FilePieces {
 public:
  explicit FilePieces(const Source &source) : source_(source) {}

  Status open() {
    Result<InputFile> file = InputFile::open(source_);
    if (file.is_ok()) file_ = std::move(*file);
    return file.is_ok() ? Status::ok() : file.status();
  }
  // Returns the bytes at `at`, up to one piece; kPadding bytes after them may be read.
  Result<Bytes> read(i64 at) {
    const i64 size = std::min(kPieceOfFile, source_.end - at);
    buffer_.resize(static_cast<size_t>(size + kPadding));
    const Result<i64> got = file_.read_at(at, buffer_.data(), size);
    if (!got.is_ok()) return got.status();
    if (*got == size) return Bytes(buffer_).substr(0, static_cast<size_t>(size));
    return Status::error(source_.name() + ": has become shorter while its units were listed");
  }

 private:
  const Source &source_;
  InputFile file_;
  std::string buffer_;
};

using Borders = std::vector<i64>;

// Puts a border after the first record end that is at least `unit_bytes` after the previous border.
// `find(begin, end, offset, at_end)` is like LineGroups::first(), for bytes at an offset of the
// source.
template <typename Find>
Result<Borders> borders_by(const Source &source, i64 unit_bytes, Find find) {
  Borders borders;
  FilePieces pieces(source);
  if (Status status = pieces.open(); !status.is_ok()) return status;
  for (i64 at = source.begin + unit_bytes - 1; at < source.end;) {
    const Result<Bytes> piece = pieces.read(at);
    if (!piece.is_ok()) return piece.status();
    const char *begin = piece->data(), *end = begin + piece->size();
    const bool at_end = at + std::ssize(*piece) >= source.end;
    const LineGroups::Found found = find(begin, end, at - source.begin, at_end);
    if (found.cut == nullptr) {
      at += found.rest - begin;
      continue;
    }
    borders.push_back(at + (found.cut - begin) + 1);
    at = borders.back() + unit_bytes - 1;
  }
  return borders;
}

Result<Borders> plain_borders(const Source &source, const CutBytes &cuts, i64 unit_bytes) {
  return borders_by(source, unit_bytes, [&](const char *begin, const char *end, i64 offset, bool) {
    return LineGroups::Found{cuts.first(begin, end, offset), end};
  });
}

Result<Borders> grouped_borders(const Source &source, const LineGroups &groups, i64 unit_bytes) {
  return borders_by(source, unit_bytes, [&](const char *begin, const char *end, i64, bool at_end) {
    return groups.first(begin, end, end, at_end);
  });
}

// Finds borders if ends of records depend on all bytes before them.
Result<Borders> scanned_borders(const Source &source, const CutRule &rule, i64 unit_bytes) {
  Borders borders;
  FilePieces pieces(source);
  if (Status status = pieces.open(); !status.is_ok()) return status;
  CutState state = rule.begin();
  i64 wanted = source.begin + unit_bytes - 1;  // the next border is at least after this byte
  for (i64 at = source.begin; at < source.end;) {
    const Result<Bytes> piece = pieces.read(at);
    if (!piece.is_ok()) return piece.status();
    const char *begin = piece->data(), *end = begin + piece->size(), *p = begin;
    if (at == 0 && piece->starts_with(kByteOrderMark)) p += kByteOrderMark.size();
    while (p < end) {
      const char *target = begin + std::clamp<i64>(wanted - at, p - begin, end - begin);
      if (target > p) state = rule.pass(state, p, target).state;
      p = target;
      if (p == end) break;
      const CutSkim seen = rule.first(state, p, end);
      state = seen.state;
      if (seen.end == nullptr) break;
      p = seen.end + 1;
      state = {};
      borders.push_back(at + (p - begin));
      wanted = borders.back() + unit_bytes - 1;
    }
    at += std::ssize(*piece);
  }
  return borders;
}

// Returns ends of records of one of the plan's sources, which is not a stream: each is the first
// one at least `unit_bytes` after the previous one, or after the front. If quotes may contain line
// ends, it reads the whole input.
Result<std::vector<i64>> find_borders(const Program &program, const Plan &plan, i64 source,
                                      i64 unit_bytes) {
  const Source &of = plan.sources[static_cast<size_t>(source)];
  const std::optional<CutRule> rule =
      plan.readers ? cut_rule_of(*plan.readers, source) : std::nullopt;
  if (rule) return scanned_borders(of, *rule, unit_bytes);
  const LineGroups groups = plan.readers ? groups_of(*plan.readers, source) : LineGroups();
  if (groups) return grouped_borders(of, groups, unit_bytes);
  const std::unique_ptr<const Stage> stage = program.stage->make(program);
  return plain_borders(of, cuts_of(program, *stage), unit_bytes);
}

// Records are sampled in pieces, which lie at regular distances over all inputs in sequence, and
// begin with a record. Only the first bytes of a compressed input can be sampled.

constexpr i64 kPiecesPerRange = 16;
constexpr i64 kPieceBytes = i64{16} << 10;

class SplitterSample {
 public:
  SplitterSample(const Program &program, const Plan &plan)
      : program_(program),
        plan_(plan),
        stage_(program.stage->make(program)),
        cuts_(cuts_of(program, *stage_)) {
    sample_.splitters.emplace();
    hand_ = stage_->make_sampler(plan, &sample_, &ignored_);
  }

  // Samples this many pieces of a file.
  Status add(i64 source, i64 pieces) {
    const Source &of = plan_.sources[static_cast<size_t>(source)];
    Result<InputFile> file = InputFile::open(of);
    if (!file.is_ok()) return file.status();
    const std::vector<Portion> &pages = plan_.left_out.remaining(source);
    if (!pages.empty()) return add_pages(*file, pages, pieces);
    const i64 distance = std::max<i64>((of.end - of.begin) / pieces, 1);
    Result<std::vector<i64>> borders = find_borders(program_, plan_, source, distance);
    if (!borders.is_ok()) return borders.status();
    borders->insert(borders->begin(), of.begin);
    borders->push_back(of.end);
    for (size_t i = 0; i + 1 < borders->size(); ++i) {
      const i64 begin = (*borders)[i], end = (*borders)[i + 1];
      if (Status status = read(*file, source, begin, end); !status.is_ok()) return status;
    }
    return Status::ok();
  }

  // Samples the first bytes of a compressed input.
  Status add_packed(i64 source) {
    const Source &of = plan_.sources[static_cast<size_t>(source)];
    Result<InputFile> file = InputFile::open(of);
    if (!file.is_ok()) return file.status();
    BufferedReader packed(std::move(*file));
    Result<std::unique_ptr<Stream>> stream = open_stream(of.codec, &packed);
    if (!stream.is_ok()) return stream.status();
    buffer_.resize(static_cast<size_t>(kPieceBytes + kPadding));
    i64 have = 0;
    for (i64 more = 1; more > 0 && have < kPieceBytes; have += more) {
      const Result<i64> got = (*stream)->read(buffer_.data() + have, kPieceBytes - have);
      if (!got.is_ok()) return got.status();
      more = *got;
    }
    return take(source, 0, have, have < kPieceBytes);
  }

  std::vector<std::string> take_all() { return std::move(*sample_.splitters); }

 private:
  // Samples the first records of at most `pieces` pages, or of all.
  Status add_pages(const InputFile &file, const std::vector<Portion> &pages, i64 pieces) {
    const i64 all = std::ssize(pages), count = std::min(pieces, all);
    for (i64 i = 0; i < count; ++i) {
      const Portion &page = pages[static_cast<size_t>(i * all / count)];
      Status status = read(file, page.source, page.begin, page.end);
      if (!status.is_ok()) return status;
    }
    return Status::ok();
  }

  // Samples the first records of [begin, end), which begins and ends with whole records.
  Status read(const InputFile &file, i64 source, i64 begin, i64 end) {
    const i64 size = std::min(kPieceBytes, end - begin);
    buffer_.resize(static_cast<size_t>(size + kPadding));
    const Result<i64> got = file.read_at(begin, buffer_.data(), size);
    if (!got.is_ok()) return got.status();
    return take(source, begin, *got, *got == end - begin);
  }

  // Samples the records in the buffer, except a last one that may continue after it.
  Status take(i64 source, i64 offset, i64 size, bool whole) {
    const char *begin = buffer_.data(), *end = begin + size;
    if (!whole) {
      const char *last = cuts_.last(begin, end, offset);
      end = last == nullptr ? begin : last + 1;
    }
    if (end == begin) return Status::ok();
    i64 records = 0;
    return hand_->take({Bytes(begin, static_cast<size_t>(end - begin)), source, offset}, &records);
  }

  const Program &program_;
  const Plan &plan_;
  const std::unique_ptr<const Stage> stage_;
  const CutBytes cuts_;
  IgnoredRecords ignored_;
  Sample sample_;
  std::unique_ptr<Hand> hand_;
  std::string buffer_;
};

// Returns the borders between `ranges` ranges of about equally many records, or fewer. Reads a
// small part of the inputs. REQUIRES: the plan has readers of all inputs; its stage is that of a
// sort
Result<std::vector<std::string>> sample_splitters(const Program &program, const Plan &plan,
                                                  i64 ranges) {
  i64 all = 0, before = 0;
  for (const Source &source : plan.sources) all += bytes_to_read(source);
  const i64 distance = std::max<i64>(all / (ranges * kPiecesPerRange), 1);
  SplitterSample sample(program, plan);
  for (i64 i = 0; i < std::ssize(plan.sources); ++i) {
    const Source &source = plan.sources[static_cast<size_t>(i)];
    const i64 after = before + bytes_to_read(source);
    const i64 pieces = after / distance - std::exchange(before, after) / distance;
    if (source.is_known) continue;  // its folders leave it out
    Status status = Status::ok();
    if (source.codec != Codec::none) {
      status = sample.add_packed(i);
    } else if (pieces > 0) {
      status = sample.add(i, pieces);
    }
    if (!status.is_ok()) return status;
  }
  return choose_splitters(sample.take_all(), ranges, program.sort->order());
}

// An empty file counts as a file, not as a stream.
bool is_file(const Source &source) {
  struct stat info;
  if (source.path == "-") return false;
  return !source.stream || source.codec != Codec::none ||
         (stat(source.path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0);
}

void add_unit(i64 source, i64 begin, i64 end, UnitList *list) {
  if (end > begin) list->units.push_back({std::ssize(list->units), source, begin, end});
}

// Adds units of the pages that a range index leaves to be read.
void add_units_of_pages(const LeftOut::Pages &pages, i64 source, i64 unit_bytes, UnitList *list) {
  UnitList::Input &input = list->inputs.back();
  input.left_out = pages.counts;
  input.flaw = pages.flaw;
  i64 begin = 0, bytes = 0;
  for (const Portion &page : pages.remaining) {
    if (bytes == 0) begin = page.begin;
    bytes += page.end - page.begin;
    const bool begins_unit = page.begin == begin;
    begins_unit ? input.parts.push_back(page) : add_portion(page, &input.parts);
    if (bytes < unit_bytes && page.end != pages.remaining.back().end) continue;
    add_unit(source, begin, page.end, list);
    bytes = 0;
  }
}

// Adds a command without running it: the process that maps the unit detects the format of the
// output, as for any other input.
void add_command(i64 i, const Source &source, UnitList *list) {
  list->inputs.push_back({.path = source.path, .of_command = true});
  list->units.push_back({std::ssize(list->units), i, 0, 0});
}

// `readers`: those of the plan; null: records have no fields.
Status add_input(const Program &program, const Plan &plan, i64 i, i64 unit_bytes,
                 InputReaders *readers, UnitList *list) {
  const Source &source = plan.sources[static_cast<size_t>(i)];
  if (!source.command.empty()) {
    add_command(i, source, list);
    return Status::ok();
  }
  // A file that is left out by its folders is no stream.
  if (source.collection || !(source.is_known || is_file(source))) {
    return Status::error(source.name() + ": is no file, of which others could read units");
  }
  UnitList::Input input{.path = source.path, .packed = source.codec != Codec::none};
  if (readers != nullptr && input.packed) {
    Result<Dialect> dialect = dialect_of_packed(program, source, i);
    Status status = dialect.is_ok() ? readers->set(i, *dialect) : dialect.status();
    if (!status.is_ok()) return status.within(source.name());
    input.dialect = std::move(*dialect);
  } else if (readers != nullptr && readers->dialect(i) != nullptr) {
    input.dialect = without_spread(*readers->dialect(i));
  }
  if (input.dialect && input.dialect->empty) input.dialect.reset();  // no record is read by it
  if (input.dialect) input.dialect->reason.clear();
  list->inputs.push_back(std::move(input));
  if (source.is_known) return Status::ok();
  if (source.codec != Codec::none) {
    add_unit(i, 0, source.packed_bytes, list);
    return Status::ok();
  }
  if (!plan.left_out.remaining(i).empty()) {
    add_units_of_pages(plan.left_out.of_sources[static_cast<size_t>(i)], i, unit_bytes, list);
    return Status::ok();
  }
  const Result<std::vector<i64>> borders = find_borders(program, plan, i, unit_bytes);
  if (!borders.is_ok()) return borders.status();
  i64 begin = source.begin;
  for (const i64 border : *borders) add_unit(i, std::exchange(begin, border), border, list);
  add_unit(i, begin, source.end, list);
  return Status::ok();
}

std::string note_on_left_out(const LeftOut &left) {
  std::string what = left.files > 0 ? fmt::format("{} files", left.files) : "";
  if (left.pages > 0) {
    what += fmt::format("{}{} of {} pages of indexed files", what.empty() ? "" : " and ",
                        left.pages, left.all_pages);
  }
  return fmt::format("{} are in no unit: there the condition can hold for no record", what);
}

}  // namespace

Result<UnitList> list_units(const Program &of, i64 unit_bytes, i64 ranges,
                            std::vector<std::string> *notes) {
  Program program = of;
  program.partial.lists_units = true;
  Plan plan = make_plan(program);
  if (!plan.unreadable.empty()) return Status::error(plan.unreadable.front());
  if (!plan.problem.is_ok()) return plan.problem;
  const auto readers = plan.readers ? std::make_shared<InputReaders>(*plan.readers) : nullptr;
  plan.readers = readers;
  *notes = plan.notes;
  if (plan.left_out.bytes > 0) notes->push_back(note_on_left_out(plan.left_out));
  UnitList list;
  for (i64 i = 0; i < std::ssize(plan.sources); ++i) {
    Status status = add_input(program, plan, i, unit_bytes, readers.get(), &list);
    if (!status.is_ok()) return status;
  }
  if (list.units.empty()) list.units.push_back({0, 0, 0, 0});  // so that there is an answer
  if (ranges == 1) return list;
  Result<std::vector<std::string>> splitters = sample_splitters(program, plan, ranges);
  if (!splitters.is_ok()) return splitters.status();
  list.splitters = std::move(*splitters);
  return list;
}

}  // namespace mrc
