#include "engine/inner/followed_inputs.h"

#include "engine/engine.h"
#include "engine/inner/input_formats.h"

#include <sys/stat.h>
#include <unistd.h>

namespace mrc {
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

FollowSpec follow_spec(const Run &run, InputWatch *watch) {
  const bool fixed = run.stage->record_bytes() > 0;
  const bool has_fields = run.readers != nullptr;
  return {
      .cuts = ends_of_records(run.program, *run.stage),
      .terminator = run.program.map.terminator,
      .fixed = fixed,
      .begin = [watch](i64 source, Bytes head) { return watch->begin_followed(source, head); },
      .wants_more = [&run, has_fields](
                        Bytes head) { return has_fields && wants_more_records(run.program, head); },
      .note = [watch](const std::string &message) { watch->note(message); },
      .idle = [watch] { watch->look(); }};
}

}  // namespace mrc
