// Leaves out the pages of files in which the program's condition holds for no record, by their
// range indexes (kept/range_index.h).
//
// The answer, the messages and the exit status are those of reading all: a page is read if that is
// in doubt, and if the condition may complain of a value in it. Malformed records of other pages
// are counted as the index has counted them.
#include "base/hash.h"
#include "base/setting_name.h"
#include "engine/inner/plan_steps.h"
#include "expr/field_bounds.h"
#include "expr/record_scan.h"
#include "fields/csv.h"
#include "kept/identify.h"
#include "kept/range_index.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

namespace mrc {

std::string reading_for_ranges(const Program &program, const Dialect &dialect) {
  const u64 hash =
      checksum_bytes(fmt::format("{} {} {} {} {}", hash_of(dialect), dialect.joins_lines,
                                 dialect.most_fields, dialect.empty, dialect.record_start));
  return fmt::format("{} {} {:016x}", program.ranges.mrc_version, dialect.format->name, hash);
}

namespace {

// A file's index, and which pages remain.
struct Pruned {
  i64 source;
  RangeIndex index;
  std::vector<bool> reads;  // by page
  bool may_match = false;   // the condition may hold in some page
  i64 in_doubt = 0;         // pages that are read only for values that may not fit
  i64 malformed = 0;        // pages that are read only for malformed records in or before them
};

}  // namespace

std::string reason_against_pages(const Program &program) {
  const Makes makes = program.stage->makes;
  const bool answers = makes == Makes::groups || makes == Makes::records || makes == Makes::text ||
                       makes == Makes::estimate || makes == Makes::report;
  if (!program.switches.index) return "as asked";
  if (!program.ranges.reason_against.empty()) return program.ranges.reason_against;
  if (program.strict) return setting_name("strict") + " looks at all records";
  if (!program.bad_path.empty()) return setting_name("bad") + " looks at all records";
  if (program.live.is_wanted()) return setting_name("live") + " shows shares of all input";
  if (program.partial.listed) return "the list of units says what is read";
  const bool is_partial = program.partial.moves_states() && !program.partial.lists_units;
  if (is_partial) return "a partial covers all input";
  if (program.map.fields.format.spread.is_wanted()) return "the job makes several records of one";
  if (program.map.fields.running || program.numbers_groups())
    return "the job looks at earlier records";
  const bool gets_fields = program.plugin && program.plugin->reads_fields();
  if ((program.plugin && !gets_fields) || !answers) return "the job looks at all records";
  return "";
}

namespace {

// True if the owner of the index may decide what is read of the file.
bool is_trusted(const std::string &index, const std::string &file) {
  struct stat of_index, of_file;
  if (stat(index.c_str(), &of_index) != 0 || stat(file.c_str(), &of_file) != 0) return false;
  const uid_t owner = of_index.st_uid;
  return owner == 0 || owner == geteuid() || owner == of_file.st_uid;
}

std::optional<std::string> read_file(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  if (S_ISREG(info.st_mode) && info.st_size == 0) return "";  // it would be taken for a stream
  const Result<Source> source = examine(path);
  if (!source.is_ok() || source->stream) return std::nullopt;
  const Result<InputFile> file = InputFile::open(*source);
  if (!file.is_ok()) return std::nullopt;
  std::string bytes(static_cast<size_t>(source->end), '\0');
  const Result<i64> got = file->read_at(0, bytes.data(), source->end);
  if (!got.is_ok()) return std::nullopt;
  bytes.resize(static_cast<size_t>(*got));
  return bytes;
}

bool is_stale(const std::string &path, const FileStamp &then) {
  const Result<Source> source = examine(path);
  if (!source.is_ok()) return false;  // its reader complains
  const Result<InputFile> file = InputFile::open(*source);
  if (!file.is_ok()) return false;
  const Result<FileStamp> now = stamp_of(*source, *file);
  return !now.is_ok() || now->inode != then.inode || now->size != then.size ||
         now->modified_ns != then.modified_ns || now->changed_ns != then.changed_ns;
}

// Returns the index of an input, or adds the reason why it is not used.
std::optional<RangeIndex> index_of(const Program &program, const Source &source,
                                   std::vector<std::string> *unusable) {
  if (source.is_known || !is_named_file(source) || source.begin != 0) return std::nullopt;
  const std::string path = range_index_path(source.path, program.ranges.directory);
  const std::optional<std::string> bytes = read_file(path);
  if (!bytes) return std::nullopt;
  Result<RangeIndex> index = RangeIndex::from_bytes(*bytes);
  const auto unused = [&](const std::string &why) {
    unusable->push_back(fmt::format("{}: is not used: {}", path, why));
    return std::nullopt;
  };
  if (!is_trusted(path, source.path)) return unused("it belongs to another user");
  if (!index.is_ok()) return unused(index.status().message());
  if (is_stale(source.path, index->file)) {
    return unused("the file has changed; index it again");
  }
  return std::move(*index);
}

// True if the index is of records as the job reads them.
bool is_read_alike(const Program &program, const RangeIndex &index, i64 i, Plan *plan) {
  const Dialect *dialect = plan->readers->dialect(i);
  if (dialect == nullptr) return false;  // nothing is known of a stream
  if (index.reads == reading_for_ranges(program, *dialect)) return true;
  const Source &source = plan->sources[static_cast<size_t>(i)];
  plan->decisions.push_back({"index",
                             "not used: " + range_index_path(source.path, program.ranges.directory),
                             "it was made for records that are read otherwise"});
  return false;
}

// True if malformed records may reach to the end of the input, as quotes that are not closed do.
bool may_reach_on(const RangeIndex::Page &page, const Dialect &dialect) {
  if (page.bad_records == 0) return false;
  if (!dialect.layout.empty()) return true;
  if (!dialect.format->quoted) return false;
  // The page names its first malformed record only.
  const bool is_csv = dialect.format == &LineFormat::csv || dialect.format == &LineFormat::tsv;
  return !is_csv || page.bad_records > 1 || page.flaw.reason == kUnclosedQuote;
}

// Decides which pages may matter.
Pruned prune(const Program &program, i64 source, const Dialect &dialect, RangeIndex index) {
  // Malformed records after the last record of a limited answer do not count.
  const bool is_limited = program.stage->make(program)->is_limited();
  const Filter &filter = *program.map.fields.filter;
  std::vector<i64> fields;
  for (const FieldName &name : filter.fields()) {
    const bool is_looked_up = std::ranges::any_of(
        program.lookups, [&](const Lookup &lookup) { return lookup.has(name); });
    fields.push_back(is_looked_up ? -1 : index.find(name));
  }
  Pruned pruned{source, std::move(index), {}};
  bool is_rest = false;
  for (const RangeIndex::Page &page : pruned.index.pages) {
    std::vector<const FieldBounds *> bounds;
    for (const i64 field : fields) {
      bounds.push_back(field < 0 ? nullptr : &page.bounds[static_cast<size_t>(field)]);
    }
    const Outlook outlook = filter.outlook(bounds);
    is_rest |= may_reach_on(page, dialect);
    const bool is_read = outlook.holds || is_rest || (is_limited && page.bad_records > 0);
    pruned.may_match |= outlook.holds;
    pruned.in_doubt += outlook.notes && !is_read;
    pruned.malformed += is_read && !outlook.holds && !outlook.notes;
    pruned.reads.push_back(is_read || outlook.notes);
  }
  pruned.reads.front() = true;  // it shows which fields records have
  // Appended bytes may complete the last record.
  if (program.follows) pruned.reads.back() = true;
  return pruned;
}

// Removes the fields that a record of the first page has, which is read in any case. A field that
// no record has may be a misspelled name.
void look_for_fields(const Plan &plan, const Pruned &in, std::vector<FieldName> *names,
                     const std::vector<FieldName> &wanted) {
  const Source &source = plan.sources[static_cast<size_t>(in.source)];
  const RecordReader *reader = plan.readers->of(in.source);
  const Result<InputFile> file = InputFile::open(source);
  if (reader == nullptr || !file.is_ok()) return;
  const i64 size = in.index.pages.front().end;
  std::string bytes(static_cast<size_t>(size + kPadding), '\0');
  const Result<i64> got = file->read_at(0, bytes.data(), size);
  if (!got.is_ok() || *got != size) return;
  const Chunk chunk{.bytes = Bytes(bytes).substr(0, static_cast<size_t>(size)),
                    .source = in.source};
  RecordBatch batch;
  batch.set_columns(wanted.size());
  const char *next = bytes.data(), *const end = next + size;
  while (next < end && !names->empty()) {
    batch.clear();
    reader->read(chunk, &next, &batch);
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Bytes *values = batch.fields[i].data();
      if (std::any_of(values, values + batch.size, [](Bytes v) { return v.data() != nullptr; })) {
        std::erase(*names, wanted[i]);
      }
    }
  }
}

// Returns the fields that no first page shows.
std::vector<FieldName> unseen_fields(const Program &program, const Plan &plan,
                                     const std::vector<Pruned> &all) {
  const std::vector<FieldName> wanted = program.map.fields.wanted().names();
  std::vector<FieldName> unseen = wanted;
  std::erase_if(unseen, [](const FieldName &name) { return name.is_everywhere(); });
  for (const Pruned &each : all) {
    if (unseen.empty()) break;
    look_for_fields(plan, each, &unseen, wanted);
  }
  return unseen;
}

void add_counts(const RangeIndex::Page &page, i64 source, LeftOut::Pages *pages) {
  pages->counts.count({.records = page.records, .bad_records = page.bad_records});
  if (page.bad_records == 0 || pages->flaw != KeptFlaw()) return;
  pages->flaw = page.flaw;
  pages->flaw.position = position_of(source, static_cast<i64>(page.flaw.position));
  pages->flaw.chunk = position_of(source, static_cast<i64>(page.flaw.chunk));
}

// Restricts the source to the pages that remain; adjacent ones are one part.
void leave_out_unmatched(const Pruned &pruned, Plan *plan) {
  const auto number = static_cast<size_t>(pruned.source);
  Source *source = &plan->sources[number];
  LeftOut &left = plan->left_out;
  left.of_sources.resize(plan->sources.size());
  LeftOut::Pages &pages = left.of_sources[number];
  count_input(*source, -1, plan);
  for (size_t i = 0; i < pruned.reads.size(); ++i) {
    const RangeIndex::Page &page = pruned.index.pages[i];
    ++left.all_pages;
    if (!pruned.reads[i]) {
      ++left.pages;
      left.bytes += page.end - page.begin;
      add_counts(page, pruned.source, &pages);
      continue;
    }
    pages.remaining.push_back(
        {.source = pruned.source, .begin = page.begin, .end = page.end, .content = page.content});
    const i64 end = std::min(page.end, source->end);  // an incomplete last record may be left
    if (!source->parts.empty() && source->parts.back().end == page.begin) {
      source->parts.back().end = end;
    } else if (end > page.begin) {
      source->parts.push_back({page.begin, end});
    }
  }
  count_input(*source, 1, plan);
}

std::string note_on_unusable(const std::vector<std::string> &unusable) {
  const size_t more = unusable.size() - 1;
  if (more == 0) return unusable.front();
  return fmt::format("{}; nor {} other index{}", unusable.front(), more,
                     more == 1 ? " is" : "es are");
}

std::string names_of(const std::vector<FieldName> &fields) {
  std::string names;
  for (const FieldName &field : fields) names += (names.empty() ? "" : ", ") + field.text;
  return names;
}

// The indexes of all files.
struct Found {
  std::vector<Pruned> pruned;         // files of which pages are left out
  std::vector<std::string> unusable;  // reasons why indexes are not used
  i64 indexed = 0;                    // files
  i64 in_doubt = 0, malformed = 0;    // pages
};

Found find_indexes(const Program &program, Plan *plan) {
  Found found;
  for (i64 i = 0; i < std::ssize(plan->sources); ++i) {
    const Source &source = plan->sources[static_cast<size_t>(i)];
    std::optional<RangeIndex> index = index_of(program, source, &found.unusable);
    if (!index || index->pages.empty() || !is_read_alike(program, *index, i, plan)) continue;
    ++found.indexed;
    Pruned pruned = prune(program, i, *plan->readers->dialect(i), std::move(*index));
    found.in_doubt += pruned.in_doubt;
    found.malformed += pruned.malformed;
    if (std::ranges::find(pruned.reads, false) == pruned.reads.end()) continue;
    found.pruned.push_back(std::move(pruned));
  }
  return found;
}

// Says why indexes are not used, if there are any.
void explain_unused(const Program &program, const std::string &why, Plan *plan) {
  const bool any = std::ranges::any_of(plan->sources, [&](const Source &source) {
    const std::string path = range_index_path(source.path, program.ranges.directory);
    return access(path.c_str(), F_OK) == 0;
  });
  if (any) plan->decisions.push_back({"index", "not used", why});
}

void explain_pages(const Found &found, Plan *plan) {
  if (found.in_doubt > 0) {
    plan->decisions.push_back(
        {"index", fmt::format("pages in doubt: {}", found.in_doubt),
         "they may have values that do not fit; index all fields of the condition"});
  }
  if (found.malformed > 0) {
    plan->decisions.push_back(
        {"index", fmt::format("pages for malformed records: {}", found.malformed),
         "an unclosed quote may reach to the end, and a limited answer has some of them"});
  }
  if (found.indexed == 0 || !found.pruned.empty()) return;
  const bool holds = found.in_doubt + found.malformed == 0;
  plan->decisions.push_back(
      {"index", "all pages remain",
       holds ? "the condition may hold in each" : "the condition may hold in the others"});
}

void leave_out_unmatched(const std::vector<Pruned> &all, Plan *plan) {
  for (const Pruned &each : all) leave_out_unmatched(each, plan);
  const LeftOut &left = plan->left_out;
  plan->decisions.push_back(
      {"index",
       fmt::format("pages: {} of {}, files: {} of {}", left.all_pages - left.pages, left.all_pages,
                   std::ranges::count_if(all, &Pruned::may_match), all.size()),
       fmt::format("in {} bytes the condition can hold for no record; the first page of each file "
                   "is read",
                   left.bytes)});
}

bool may_use_indexes(const Program &program) {
  return program.map.records == MapSpec::Records::fields && program.map.fields.filter &&
         !program.join;
}

}  // namespace

void open_indexed_files(const Program &program, Plan *plan) {
  if (!may_use_indexes(program) || !reason_against_pages(program).empty()) return;
  if (program.partial.lists_units) return;  // a compressed input is one unit
  for (Source &source : plan->sources) {
    if (source.codec == Codec::none) continue;
    std::vector<std::string> unusable;
    const std::optional<RangeIndex> index = index_of(program, source, &unusable);
    if (index && index->blocks) read_by_blocks(index->blocks, &source);
  }
}

void plan_ranges(const Program &program, Plan *plan) {
  if (!may_use_indexes(program) || !plan->readers) return;
  const std::string against = reason_against_pages(program);
  if (!against.empty()) return explain_unused(program, against, plan);
  const std::string &directory = program.ranges.directory;
  if (!directory.empty() && access(directory.c_str(), F_OK) != 0) {
    const Status why = Status::from_errno(directory, errno).within(setting_name("index-dir"));
    plan->notes.push_back(why.message());
  }
  const Found found = find_indexes(program, plan);
  if (!found.unusable.empty()) plan->notes.push_back(note_on_unusable(found.unusable));
  explain_pages(found, plan);
  if (found.pruned.empty()) return;
  const std::vector<FieldName> unseen = unseen_fields(program, *plan, found.pruned);
  if (unseen.empty()) return leave_out_unmatched(found.pruned, plan);
  plan->decisions.push_back(
      {"index", "not used",
       "whether records have the field " + names_of(unseen) + " is known when all are read"});
}

}  // namespace mrc
