#include "cmd/found_fields.h"

#include "cmd/compile.h"
#include "sched/sched.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <unordered_map>

namespace mrc {
namespace {

// The job reports what there is to say about its inputs.
class SilentObserver : public Observer {
 public:
  void complain(const std::string &) override {}
  void progress(i64, i64) override {}
  void writing() override {}
};

Status copy_to(StageRecords *records) {
  std::string piece(size_t{1} << 20, '\0');
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Status::from_errno("standard input", errno);
    if (got == 0) return Status::ok();
    Status status = records->write(Bytes(piece).substr(0, static_cast<size_t>(got)));
    if (!status.is_ok()) return status;
  }
}

// Puts a file with all bytes of standard input in its place, unless it is one.
Status keep_standard_input(const Program &program) {
  constexpr i64 kShare = 8;  // of the memory, for the bytes
  struct stat info;
  if (fstat(STDIN_FILENO, &info) != 0 || S_ISREG(info.st_mode)) return Status::ok();
  StageRecords records("standard input", nullptr);
  const i64 threads = program.threads.value_or(available_cpus());
  records.keep_within(program.memory.value_or(available_memory(threads)) / kShare,
                      tmpdir_of(program));
  if (Status status = copy_to(&records); !status.is_ok()) return status;
  const Source source = records.source();
  const int none = source.fd < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
  const int placed = dup2(source.fd < 0 ? none : source.fd, STDIN_FILENO);
  const int error = errno;
  if (none >= 0) close(none);
  return placed < 0 ? Status::from_errno("standard input", error) : Status::ok();
}

// A name that is not looked for makes the formats those of a job that names fields.
FieldExpr any_name() {
  return plain_field({.text = "", .number = -1, .whole = true, .path = "\"\""});
}

Program listing_program(const Program &asked, const std::vector<std::string> &inputs) {
  Program program;
  program.inputs = inputs;
  program.threads = asked.threads;
  program.io = asked.io;
  program.split_bytes = asked.split_bytes;
  program.memory = asked.memory;
  program.tmpdir = asked.tmpdir;
  program.switches = asked.switches;
  program.pin = asked.pin;
  program.numa = asked.numa;
  program.quiet = true;
  program.stage = &kFieldListStage;
  program.map.records = MapSpec::Records::fields;
  program.map.terminator = asked.map.terminator;
  program.map.fields.format = asked.map.fields.format;
  program.map.fields.keys = {any_name()};
  return program;
}

}  // namespace

Result<std::vector<std::vector<FoundField>>> find_fields(const Program &program,
                                                         const std::vector<std::string> &inputs) {
  if (std::ranges::find(inputs, "-") != inputs.end()) {
    if (Status status = keep_standard_input(program); !status.is_ok()) return status;
  }
  const Program listing = listing_program(program, inputs);
  const off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
  const Plan plan = make_plan(listing);
  if (!plan.problem.is_ok()) return plan.problem;
  std::vector<std::vector<FoundField>> found(inputs.size());
  if (plan.sources.empty()) return found;
  SilentObserver observer;
  Result<Report> report = run(listing, plan, &observer);
  if (at >= 0) lseek(STDIN_FILENO, at, SEEK_SET);
  if (!report.is_ok()) return report.status();
  for (FoundField &field : report->found_fields) {
    const Source &source = plan.sources[static_cast<size_t>(source_of(field.position))];
    found[static_cast<size_t>(std::max<i64>(0, source.argument))].push_back(std::move(field));
  }
  return found;
}

void take_found_fields(Program *program) {
  std::unordered_map<std::string, const FoundField *> columns;
  for (const FoundField &field : program->found) columns.emplace(field.name, &field);
  for (FieldExpr &key : program->map.fields.keys) {
    const bool is_column = key.is_plain() && key.field.number == -1;
    const auto found = is_column ? columns.find(key.field.text) : columns.end();
    if (found != columns.end()) key.field.path = found->second->path;
  }
}

}  // namespace mrc
