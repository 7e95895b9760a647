#include "engine/input_formats.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Some formats say it all.
bool needs_head(const FormatSpec &spec) {
  return !spec.format || *spec.format == RecordFormat::csv || *spec.format == RecordFormat::tsv ||
         (*spec.format == RecordFormat::fields && spec.header.value_or(false));
}

Result<std::string> read_head(const Source &source) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  std::string head(static_cast<size_t>(std::min(kSniffedBytes, source.end - source.begin)), '\0');
  Result<i64> got = file->read_at(source.begin, head.data(), std::ssize(head));
  if (!got.is_ok()) return got.status();
  head.resize(static_cast<size_t>(*got));
  return head;
}

// What cannot be read is found out again, and reported, by whoever claims its splits.
Status adopt_file(const Job &job, i64 source, Plan *plan) {
  const Source &of = plan->sources[static_cast<size_t>(source)];
  const FormatSpec &spec = job.map.fields.format;
  std::string head;
  if (needs_head(spec)) {
    Result<std::string> read = read_head(of);
    if (read.is_ok()) head = std::move(*read);
  }
  const bool whole = std::ssize(head) >= of.end - of.begin;
  head.reserve(head.size() + kPadding);
  Result<Dialect> dialect = sniff(spec, head, whole);
  if (!dialect.is_ok()) return dialect.status();
  Status status = plan->readers->set(source, *dialect);
  return status.is_ok() ? status : Status::error(of.name() + ": " + status.message());
}

}  // namespace

void plan_formats(const Job &job, Plan *plan) {
  if (job.map.records != MapSpec::Records::fields) return;
  plan->readers =
      std::make_shared<InputReaders>(std::ssize(plan->sources), job.map.fields.wanted());
  for (i64 source = 0; source < std::ssize(plan->sources); ++source) {
    if (plan->sources[static_cast<size_t>(source)].stream) continue;
    plan->problem = adopt_file(job, source, plan);
    if (!plan->problem.is_ok()) return;
  }
  for (const Dialect &dialect : plan->readers->dialects()) {
    plan->decisions.push_back({"format", format_name(dialect.format), dialect.reason});
  }
  if (plan->streams > 0) {
    plan->decisions.push_back(
        {"format", "of streams: to be seen", "nothing is read from them before the job runs"});
  }
}

Status adopt_stream(const Job &job, const Plan &plan, const Chunk &chunk) {
  const Source &source = plan.sources[static_cast<size_t>(chunk.source)];
  if (!source.stream || chunk.offset > 0 || plan.readers->known(chunk.source)) return Status::ok();
  Result<Dialect> dialect = sniff(job.map.fields.format, chunk.bytes.substr(0, kSniffedBytes),
                                  std::ssize(chunk.bytes) <= kSniffedBytes);
  Status status = dialect.is_ok() ? plan.readers->set(chunk.source, *dialect) : dialect.status();
  if (status.is_ok()) return status;
  plan.readers->give_up();
  return Status::error(source.name() + ": " + status.message());
}

}  // namespace mrc
