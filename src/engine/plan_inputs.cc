#include "engine/engine.h"
#include "engine/inner/input_formats.h"
#include "engine/inner/plan_steps.h"
#include "input/stream.h"
#include "kept/merge_partials.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace mrc {

Status changed_since_listed(const Source &source) {
  return Status::error(source.name() +
                       ": is not as it was when its units were listed; list them again");
}

namespace {

// True for streams that cannot be opened again, unlike named compressed files. Files of /proc have
// size 0, and are streams, too.
bool cannot_be_reopened(const Source &source) {
  return source.stream && (source.codec == Codec::none || !is_named_file(source));
}

// Returns the number of bytes copied. `problem`: why there may be more.
Result<i64> copy(const Program &program, const Source &source, const RunFile &file,
                 Status *problem) {
  Result<InputFile> input = InputFile::open(source);
  if (!input.is_ok()) return input.status();
  BufferedReader reader(std::move(*input));
  const Result<Bytes> first = reader.peek(kMagicBytes);
  const Bytes magic = first.is_ok() ? *first : reader.buffered();
  Result<std::unique_ptr<Stream>> stream = open_stream(codec_of(source, magic), &reader);
  if (!stream.is_ok()) return stream.status();
  std::string block(size_t{1} << 20, '\0');
  for (i64 size = 0;;) {
    const Result<i64> got = (*stream)->read(block.data(), std::ssize(block));
    if (!got.is_ok()) *problem = got.status();
    if (!got.is_ok() || *got == 0) return size;
    const Bytes piece = Bytes(block).substr(0, static_cast<size_t>(*got));
    const BinaryFormat *binary = size > 0 ? nullptr : binary_format_of(piece);
    if (binary != nullptr && !takes_binary(program, source.argument)) {
      *problem = refuse_binary(*binary, source.name());
      return 0;
    }
    if (Status status = file.write(size, {&piece, 1}); !status.is_ok()) return status;
    size += *got;
  }
}

// `is_lost`: nothing could be read.
Status spool_source(const Program &program, Source *source, Plan *plan, bool *is_lost) {
  Result<RunFile> file = RunFile::temporary(tmpdir_of(program));
  if (!file.is_ok()) return file.status();
  Status problem = Status::ok();
  const Result<i64> size = copy(program, *source, *file, &problem);
  if (!size.is_ok()) return size.status();
  if (!problem.is_ok()) plan->unreadable.push_back(problem.message());
  *is_lost = !problem.is_ok() && *size == 0;
  source->command.clear();  // the file has its output
  source->stream = false;
  source->codec = Codec::none;
  source->begin = 0;
  source->end = *size;
  if (*size == 0) return Status::ok();
  plan->spools.push_back(std::make_shared<RunFile>(std::move(*file)));
  source->fd = plan->spools.back()->fd();
  return Status::ok();
}

}  // namespace

std::string tmpdir_of(const Program &program) {
  if (!program.tmpdir.empty()) return program.tmpdir;
  const char *tmpdir = getenv("TMPDIR");
  return tmpdir == nullptr || *tmpdir == '\0' ? "/tmp" : tmpdir;
}

Status spool_inputs(const Program &program, Plan *plan) {
  for (auto source = plan->sources.begin(); source != plan->sources.end();) {
    bool is_lost = false;
    if (cannot_be_reopened(*source)) {
      Status status = spool_source(program, &*source, plan, &is_lost);
      if (!status.is_ok()) return status;
    }
    source = is_lost ? plan->sources.erase(source) : source + 1;
  }
  return Status::ok();
}

Status spool_join(const Program &program, Plan *plan) {
  for (size_t i = 0; i < plan->sources.size(); ++i) {
    const Side side = program.join->side_of(static_cast<i64>(i));
    const bool needs =
        prints_as_found(*program.join, side) ||
        (program.join->prints_all(side) && needs_head(program.join->inputs[side].format));
    if (!needs || !cannot_be_reopened(plan->sources[i])) continue;
    bool is_lost = false;
    Status status = spool_source(program, &plan->sources[i], plan, &is_lost);
    if (status.is_ok() && is_lost) {
      status = Status::error(plan->unreadable.back());
      plan->unreadable.pop_back();
    }
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

namespace {

// True for an empty file that may grow; it is not a stream. Files of /proc have size 0 but content:
// they are read once, as streams are.
bool is_empty_file(const Source &source, const struct stat &info) {
  if (!S_ISREG(info.st_mode)) return false;
  const Result<InputFile> file = InputFile::open(source);
  char byte;
  const Result<i64> got = file.is_ok() ? file->read_at(0, &byte, 1) : Result<i64>(i64{0});
  struct stat now;
  return !got.is_ok() || *got == 0 || (fstat(file->fd(), &now) == 0 && now.st_size > 0);
}

}  // namespace

// Notes device and inode, so that the reader notices if another file takes the name.
void follow_inputs(Plan *plan) {
  for (Source &source : plan->sources) {
    if (source.codec != Codec::none) continue;
    struct stat info;
    const int failed =
        source.path == "-" ? fstat(STDIN_FILENO, &info) : stat(source.path.c_str(), &info);
    if (failed != 0) continue;
    source.followed = true;
    if (source.stream && is_empty_file(source, info)) source.stream = false;
    if (source.stream || source.path == "-") continue;
    source.device = info.st_dev;
    source.inode = info.st_ino;
  }
}

namespace {

Source passed_over(const std::string &path, i64 argument) {
  Source source{.path = path};
  source.argument = argument;
  source.pass_over();
  return source;
}

void take_merged(const MergedPartials &merged, Plan *plan) {
  for (i64 i = 0; i < std::ssize(merged.whole.sources); ++i) {
    plan->sources.push_back(passed_over(merged.whole.sources[static_cast<size_t>(i)], i));
  }
  plan->notes = merged.notes;
  plan->decisions.push_back({"merge",
                             fmt::format("{} files or lines, of {} runs", merged.stretches.size(),
                                         merged.whole.pieces.size()),
                             "their states take the place of input"});
}

// Makes the units of one input the parts of its source.
Result<Source> source_of_units(const UnitList::Input &input, const std::string &command,
                               std::vector<Source::Part> parts, i64 argument, Content content) {
  Result<Source> source = examine(input.path, input.of_command ? command : "", content);
  if (!source.is_ok()) return source;
  source->argument = argument;
  if (input.of_command) return source;
  if (input.packed != (source->codec != Codec::none)) return changed_since_listed(*source);
  if (input.packed) {
    const bool is_same = source->packed_bytes == parts.front().end;
    return is_same ? source : Result<Source>(changed_since_listed(*source));
  }
  std::ranges::sort(parts, {}, &Source::Part::begin);
  if (source->stream || parts.back().end > source->end) return changed_since_listed(*source);
  source->parts = std::move(parts);
  return source;
}

// Returns what the list says of an input of which an index leaves out records. The process that
// maps the first unit counts these.
LeftOut::Pages pages_of(const UnitList &list, i64 source, const PartialSpec &spec) {
  const UnitList::Input &input = list.inputs[static_cast<size_t>(source)];
  LeftOut::Pages pages;
  if (input.parts.empty()) return pages;
  for (const PartialUnit &unit : spec.units) {
    if (unit.source != source) continue;
    std::ranges::copy(list.parts_of(unit), std::back_inserter(pages.remaining));
    if (unit.begin > 0) continue;
    pages.counts = input.left_out;
    pages.flaw = input.flaw;
  }
  return pages;
}

void take_units(const Program &program, Plan *plan) {
  const PartialSpec &spec = program.partial;
  for (i64 i = 0; i < std::ssize(spec.listed->inputs); ++i) {
    const UnitList::Input &input = spec.listed->inputs[static_cast<size_t>(i)];
    std::vector<Source::Part> parts;
    for (const PartialUnit &unit : spec.units) {
      if (unit.source != i || (unit.end == unit.begin && !input.of_command)) continue;
      for (const Portion &part : spec.listed->parts_of(unit)) {
        parts.push_back({part.begin, part.end});
      }
    }
    plan->left_out.of_sources.push_back(pages_of(*spec.listed, i, spec));
    if (parts.empty()) {
      plan->sources.push_back(passed_over(input.path, i));
      continue;
    }
    Result<Source> source =
        source_of_units(input, program.input_command, std::move(parts), i, content_of(program, i));
    if (!source.is_ok()) plan->problem = source.status();
    plan->sources.push_back(source.is_ok() ? std::move(*source) : passed_over(input.path, i));
  }
}

}  // namespace

void plan_partial_inputs(const Program &program, Plan *plan) {
  const PartialSpec &spec = program.partial;
  spec.merged ? take_merged(*spec.merged, plan) : take_units(program, plan);
}

i64 merged_blocks(const Program &program) {
  i64 blocks = 0;
  for (const MergedPartials::Stretch &stretch : program.partial.merged->stretches) {
    blocks += std::ssize(stretch.blocks);
  }
  return blocks;
}

}  // namespace mrc
