#include "engine/inner/spooled_inputs.h"

#include "engine/inner/input_formats.h"
#include "input/stream.h"

#include <cstdlib>
#include <utility>

namespace mrc {
namespace {

// True for streams that cannot be opened again, unlike named compressed files. Files of /proc have
// size 0, and are streams, too.
bool is_read_once(const Source &source) {
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
  Result<std::unique_ptr<Stream>> stream = open_stream(codec_of(magic), &reader);
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
Status spool(const Program &program, Source *source, Plan *plan, bool *is_lost) {
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
    if (is_read_once(*source)) {
      Status status = spool(program, &*source, plan, &is_lost);
      if (!status.is_ok()) return status;
    }
    source = is_lost ? plan->sources.erase(source) : source + 1;
  }
  return Status::ok();
}

Status spool_join(const Program &program, Plan *plan) {
  for (size_t i = 0; i < plan->sources.size(); ++i) {
    const Side side = static_cast<Side>(i);
    const bool needs =
        prints_as_found(*program.join, side) ||
        (program.join->prints_all(side) && needs_head(program.join->inputs[side].format));
    if (!needs || !is_read_once(plan->sources[i])) continue;
    bool is_lost = false;
    Status status = spool(program, &plan->sources[i], plan, &is_lost);
    if (status.is_ok() && is_lost) {
      status = Status::error(plan->unreadable.back());
      plan->unreadable.pop_back();
    }
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace mrc
