// A table is read by a job of its own, such as mrc select -k KEY,COLUMN,... FILE, so that all
// formats, codecs and cores are available.
#include "base/hash.h"
#include "base/typed_text.h"
#include "cmd/run_job.h"
#include "output/record_text.h"
#include "sched/sched.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kShare = 2;                 // a table may take the memory divided by this
constexpr i64 kSmall = i64{256} << 10;    // bytes that one worker reads sooner than several
constexpr i64 kAnyMemory = i64{1} << 20;  // ... and this much in any case

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const auto may_follow = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, may_follow);
}

Result<FieldName> parse_plain_field(std::string_view text) {
  std::string_view bucket;
  Result<FieldName> field = parse_field_name(text, &bucket);
  if (!field.is_ok() || bucket.empty()) return field;
  return Status::error(fmt::format("\"{}\": a key is a field, without a bucket", text));
}

// Parses NAME=FILE:[FIELD=]KEY.
Status add_lookup(Ask *ask, const std::string &value) {
  ask->reads_fields = true;
  const size_t sign = value.find('='), colon = find_last_unquoted(value, ':');
  if (sign == value.npos || colon == value.npos || colon <= sign + 1) {
    return Status::error(
        fmt::format("\"{}\" is not NAME=FILE:KEY, such as user=users.csv:id", value));
  }
  LookupSpec spec{.name = value.substr(0, sign),
                  .path = value.substr(sign + 1, colon - sign - 1),
                  .field = {},
                  .key = {}};
  if (!is_name(spec.name)) {
    return Status::error(
        fmt::format("\"{}\" is no name of letters, digits and _, such as user", spec.name));
  }
  if (std::ranges::find(ask->lookups, spec.name, &LookupSpec::name) != ask->lookups.end()) {
    return Status::error(fmt::format("there are two tables called {}", spec.name));
  }
  const std::string keys = value.substr(colon + 1);
  const size_t equal = find_unquoted(keys, '=');
  Result<FieldName> field = parse_plain_field(keys.substr(0, equal));
  Result<FieldName> key = parse_plain_field(equal == keys.npos ? keys : keys.substr(equal + 1));
  if (!field.is_ok() || !key.is_ok()) return field.is_ok() ? key.status() : field.status();
  spec.field = std::move(*field);
  spec.key = std::move(*key);
  ask->lookups.push_back(std::move(spec));
  return Status::ok();
}

// Collects the fields of a table that are used, including keys of later tables.
Status choose_columns(const LookupSpec &spec, const std::vector<FieldName> &wanted,
                      Lookup *lookup) {
  for (const FieldName &name : wanted) {
    if (!lookup->has(name)) continue;
    const std::string column = lookup->column_of(name);
    if (std::ranges::find(lookup->columns, column) != lookup->columns.end()) continue;
    lookup->columns.push_back(column);
  }
  if (!lookup->columns.empty()) return Status::ok();
  return Status::error(fmt::format("{0}={1}: nothing is looked up there; use a field {0}.COLUMN",
                                   spec.name, spec.path));
}

// Returns a job that hands over the key and the columns of each record of the table.
Result<Compiled> reading_job(const Compiled &compiled, const LookupSpec &spec,
                             const std::vector<std::string> &columns) {
  Compiled reading;
  reading.job.verb = "select";
  reading.reporting = {.progress = When::never, .quiet = compiled.reporting.quiet};
  Program *program = &reading.program;
  const Program &asked = compiled.program;
  program->inputs = {spec.path};
  program->threads = asked.threads;
  program->memory = asked.memory;
  program->tmpdir = asked.tmpdir;
  program->hands_over = true;
  program->map.records = MapSpec::Records::fields;
  program->map.terminator = asked.map.terminator;
  program->map.fields.format.terminator = asked.map.terminator;
  program->map.fields.keys = {plain_field(spec.key)};
  for (const std::string &column : columns) {
    Result<FieldName> field = parse_plain_field(column);
    if (!field.is_ok()) return field.status();
    program->map.fields.keys.push_back(plain_field(std::move(*field)));
  }
  program->shape.format = &OutputFormat::rows;
  program->stage = &kTextStage;
  program->transform = make_select({program->map.fields, program->shape});
  return reading;
}

// Reads the rows, and adds padding. All workers read a part: pages are new, and take longer than
// copying does.
Result<Pages> text_of_records(const Source &source, WorkerPool *pool) {
  Pages text(source.end + kPadding);
  if (source.end == 0) return text;  // there is no file
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  Status status = pool->run(pool->size(), [&](i64 worker) {
    const i64 begin = source.end * worker / pool->size();
    const i64 end = source.end * (worker + 1) / pool->size();
    char *const to = reinterpret_cast<char *>(text.data()) + begin;
    const Result<i64> got = file->read_at(begin, to, end - begin);
    return got.is_ok() ? Status::ok() : got.status();
  });
  return status.is_ok() ? Result<Pages>(std::move(text)) : status;
}

Status too_large(i64 bytes, i64 most, const std::string &path) {
  return Status::error(fmt::format(
      "{}: the table takes {:.1f} MiB, and may take {:.1f} MiB; set a larger --memory, "
      "of which it may take half, or use mrc join, which needs no memory for it",
      path, static_cast<double>(bytes) / (1 << 20), static_cast<double>(most) / (1 << 20)));
}

Result<std::shared_ptr<const LookupTable>> make_table(const StageRecords &records,
                                                      const std::string &path, size_t columns,
                                                      i64 memory, i64 threads) {
  const i64 most = std::max(memory / kShare, kAnyMemory);
  if (records.source().end > most) return too_large(records.source().end, most, path);
  WorkerPool pool(records.source().end < kSmall ? 1 : threads);
  Result<Pages> text = text_of_records(records.source(), &pool);
  if (!text.is_ok()) return text.status().within(path);
  auto table =
      LookupTable::make(std::move(*text), records.source().end, columns, Seed::random(), &pool);
  if (!table.is_ok()) return table.status().within(path);
  if ((*table)->bytes() > most) return too_large((*table)->bytes(), most, path);
  return table;
}

// The meaning of states depends on the tables.
u64 with_table(u64 digest, const Lookup &lookup) {
  return fold_multiply(digest ^ lookup.table->digest(), kFixedSeed.a | 1);
}
void add_to_digests(const Lookup &lookup, Program *program) {
  program->partial.digest = with_table(program->partial.digest, lookup);
  KeepSpec &keep = program->keep;
  if (keep.path.empty()) return;
  keep.digest = with_table(keep.digest, lookup);
  keep.job += fmt::format("table of {} {:016x}\n", lookup.name, lookup.table->digest());
}

// Standard input can be read only once.
Status check_standard_input(const Compiled &compiled) {
  const std::vector<std::string> &inputs = compiled.program.inputs;
  i64 readers = std::ranges::find(inputs, "-") != inputs.end();
  for (const LookupSpec &spec : compiled.lookups) readers += spec.path == "-";
  if (compiled.lookups.empty() || readers < 2) return Status::ok();
  return Status::error("- is standard input, which is read once, as a table or as the input");
}

int read_table(const LookupSpec &spec, Compiled *compiled, Lookup *lookup) {
  Program *program = &compiled->program;
  const Result<Compiled> reading = reading_job(*compiled, spec, lookup->columns);
  if (!reading.is_ok()) return fail(reading.status().within("--lookup"));
  StageRecords records("rows of " + spec.path, nullptr);
  const int status = run_job(*reading, {.from = nullptr, .to = &records});
  if (status == kError) return status;
  if (status == kPartial) {
    return fail(Status::error(fmt::format(
        "--lookup: {}: not all of it could be read, and any record may be looked up", spec.path)));
  }
  const i64 threads = program->threads.value_or(available_cpus());
  auto table = make_table(records, spec.path, lookup->columns.size(),
                          program->memory.value_or(available_memory(threads)), threads);
  if (!table.is_ok()) return fail(table.status().within("--lookup"));
  lookup->table = std::move(*table);
  add_to_digests(*lookup, program);
  return kWhole;
}

}  // namespace

int read_lookups(Compiled *compiled) {
  std::vector<Lookup> &lookups = compiled->program.lookups;
  if (Status status = check_standard_input(*compiled); !status.is_ok()) {
    return fail(status.within("--lookup"));
  }
  std::vector<FieldName> wanted = compiled->program.map.fields.names();
  for (size_t i = lookups.size(); i > 0; --i) {
    if (Status status = choose_columns(compiled->lookups[i - 1], wanted, &lookups[i - 1]);
        !status.is_ok()) {
      return fail(status.within("--lookup"));
    }
    wanted.push_back(lookups[i - 1].field);
  }
  for (size_t i = 0; i < lookups.size(); ++i) {
    const int status = read_table(compiled->lookups[i], compiled, &lookups[i]);
    if (status != kWhole) return status;
  }
  return kWhole;
}

constinit const Option kLookupOption = {
    .names = "--lookup",
    .value = "NAME=FILE:KEY",
    .help = "make fields NAME.COLUMN of a table, by its field KEY; see mrc-stats(1)",
    .choices = nullptr,
    .set = add_lookup,
    .repeatable = true};

}  // namespace mrc
