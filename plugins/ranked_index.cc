// ranked_index: for each word the files that contain it, those where it is most frequent first
// (inverted-index in MaRCO, table 1; ranked-inverted-index in PUMA).
//
// Input: how often a word is in a file: a line WORD:FILE,N, or WORD, FILE and N separated by TABs.
// N is positive and has up to 12 digits. If there are several lines for one word and file, their N
// are added. Output: a row for each word, with its count in all files, and N:FILE,N:FILE,... with
// the largest N first, then by the names of files. The most frequent words come first; --set
// order=word orders words by their bytes.
#include "mrc_plugin.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

const mrc_host *host;

struct Settings {
  bool by_word;
};

std::string_view view(mrc_text text) { return {text.data, text.size}; }

int open_job(const mrc_host *, mrc_settings settings, void **self) noexcept {
  const std::string_view order = view(mrc_setting_at(settings, 0)->text);
  if (order != "count" && order != "word") {
    return host->fail(
        ("order can be count or word, and not \"" + std::string(order) + "\"").c_str());
  }
  *self = new Settings{order == "word"};
  return 0;
}

void close_job(void *self) noexcept { delete static_cast<Settings *>(self); }

struct Appearance {
  std::string_view word, file;
  int64_t count;  // 0 if the line is invalid
};

int64_t read_count(std::string_view text) {
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && count > 0 && text.size() <= 12 ? count : 0;
}

// File names may contain ':' and ','; words contain no ':'.
Appearance find_appearance(std::string_view line) {
  const bool tabs = line.find('\t') != std::string_view::npos;
  const size_t first = line.find(tabs ? '\t' : ':'), last = line.rfind(tabs ? '\t' : ',');
  if (first == std::string_view::npos || last == std::string_view::npos || first >= last) return {};
  const std::string_view file = line.substr(first + 1, last - first - 1);
  if (first == 0 || file.empty()) return {};
  return {line.substr(0, first), file, read_count(line.substr(last + 1))};
}

int map(void *, void *, const mrc_records *records, mrc_emitter *out) noexcept {
  for (int64_t i = 0; i < records->count; ++i) {
    const Appearance found = find_appearance(view(records->records[i]));
    if (found.count == 0) {
      mrc_bad(out, records->records[i], "not WORD:FILE,N");
      continue;
    }
    uint64_t *values = mrc_emit(out, {found.word.data(), found.word.size()});
    values[0] = static_cast<uint64_t>(found.count);
    values[1] = mrc_emit_text(out, {found.file.data(), found.file.size()});
  }
  return 0;
}

struct Entry {
  std::string_view file;
  int64_t count;
};

bool ranks_before(const Entry &a, const Entry &b) {
  return a.count != b.count ? a.count > b.count : a.file < b.file;
}

void write_files(const mrc_part *part, mrc_text, mrc_list list, mrc_out *out) noexcept {
  std::unordered_map<std::string_view, uint64_t> counts;
  for (int64_t i = 0; i < list.count; ++i) {
    counts[view(mrc_word_text(mrc_value(list.values, i, part->value + 1)))] +=
        mrc_value(list.values, i, part->value);
  }
  std::vector<Entry> entries;
  for (const auto &[file, count] : counts) entries.push_back({file, static_cast<int64_t>(count)});
  std::sort(entries.begin(), entries.end(), ranks_before);
  for (const Entry &entry : entries) {
    if (&entry != entries.data()) mrc_write(out, ",");
    mrc_write(out, std::to_string(entry.count).append(":").c_str());
    out->write(out, entry.file.data(), entry.file.size());
  }
}

// Writes bytes that are smaller if the sum is larger: the number of its digits, and the digits, all
// inverted. Writes nothing if words are ordered by their bytes.
void order(void *self, const mrc_row *row, mrc_out *out) noexcept {
  if (static_cast<const Settings *>(self)->by_word) return;
  const std::string_view digits = view(row->cells[0]);
  std::string inverted(1, static_cast<char>(~digits.size()));
  for (const char digit : digits) inverted += static_cast<char>(~digit);
  out->write(out, inverted.data(), inverted.size());
}

constexpr mrc_option kOptions[] = {
    {"order", MRC_TEXT, "count", "which words come first: by count, or by word", 0, 0},
};
constexpr mrc_type kValues[] = {MRC_INTEGER, MRC_TEXT};
constexpr mrc_column kColumns[] = {{.name = "files"}};
constexpr mrc_reducer kFiles = {
    .size = sizeof(mrc_reducer),
    .name = "files",
    .summary = "files by how often a word is in them",
    .columns = MRC_ARRAY(kColumns),
    .values = kValues,
    .value_count = 2,
    .reduce = write_files,
};
constexpr mrc_reduction kReductions[] = {
    {.builtin = "sum", .value = 0, .name = "count"},
    {.reducer = &kFiles},
};
constexpr mrc_job kJob = {
    .size = sizeof(mrc_job),
    .shape = MRC_LINES,
    .name = "ranked_index",
    .summary = "for each word its files, those where it is most frequent first",
    .manual =
        "Input: lines WORD:FILE,N, or WORD, FILE and N with TABs between them.\n"
        "Output: for each word how often it is in all files, and N:FILE,N:FILE,...",
    .options = MRC_ARRAY(kOptions),
    .key_name = "word",
    .values = kValues,
    .value_count = 2,
    .reductions = MRC_ARRAY(kReductions),
    .open = open_job,
    .close = close_job,
    .map = map,
    .order = order,
};
constexpr const mrc_job *kJobs[] = {&kJob, nullptr};
constexpr mrc_plugin kPlugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "ranked_index",
    .version = "1",
    .summary = "inverted indices by frequency",
    .jobs = kJobs,
};

}  // namespace

extern "C" MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *offered) {
  host = offered;
  return &kPlugin;
}
