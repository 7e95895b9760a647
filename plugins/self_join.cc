// self_join: makes candidates of k + 1 fields from candidates of k fields, as the a priori
// algorithm does to find items that occur together (MaRCO, table 1).
//
// Input: lines of k fields, "a,b,c", in ascending order of their bytes. Output: for two lines that
// differ only in their last field, "a,b,c" and "a,b,d", the line "a,b,c,d", without duplicates and
// in order. --set pairs=next pairs each last field only with the next one, as in the paper; --set
// pairs=none prints the fields before pairing: "a,b", a TAB and "c,d,...".
#include "mrc_plugin.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace {

const mrc_host *host;

enum class Pairs { all, next, none };

std::string_view view(mrc_text text) { return {text.data, text.size}; }
void write(mrc_out *out, std::string_view text) { out->write(out, text.data(), text.size()); }

int open_job(const mrc_host *, mrc_settings settings, void **self) noexcept {
  const std::string_view pairs = view(mrc_setting_at(settings, 0)->text);
  if (pairs != "all" && pairs != "next" && pairs != "none") {
    return host->fail(
        ("pairs can be all, next or none, and not \"" + std::string(pairs) + "\"").c_str());
  }
  *self = new Pairs{pairs == "all" ? Pairs::all : pairs == "next" ? Pairs::next : Pairs::none};
  return 0;
}

void close_job(void *self) noexcept { delete static_cast<Pairs *>(self); }

// Removes the first field and its ',' from *rest and returns the field.
std::string_view take_field(std::string_view *rest) {
  const std::string_view field = rest->substr(0, rest->find(','));
  rest->remove_prefix(std::min(rest->size(), field.size() + 1));
  return field;
}

const char *find_fault(std::string_view line) {
  if (line.empty() || line.back() == ',') return "an empty field";
  std::string_view before;
  while (!line.empty()) {
    const std::string_view field = take_field(&line);
    if (field.empty()) return "an empty field";
    if (field <= before) return "fields are not in ascending order";
    before = field;
  }
  return nullptr;
}

int map(void *, void *, const mrc_records *records, mrc_emitter *out) noexcept {
  for (int64_t i = 0; i < records->count; ++i) {
    const std::string_view line = view(records->records[i]);
    if (const char *fault = find_fault(line)) {
      mrc_bad(out, records->records[i], fault);
      continue;
    }
    const size_t comma = line.rfind(',');
    const size_t last = comma == std::string_view::npos ? 0 : comma + 1;
    *mrc_emit(out, {line.data(), last == 0 ? 0 : comma}) =
        mrc_emit_text(out, {line.data() + last, line.size() - last});
  }
  return 0;
}

// Sorts the texts and removes duplicates.
void make_set(std::vector<uint64_t> *texts) {
  const auto text = [](uint64_t word) { return view(mrc_word_text(word)); };
  std::sort(texts->begin(), texts->end(),
            [&](uint64_t a, uint64_t b) { return text(a) < text(b); });
  texts->erase(std::unique(texts->begin(), texts->end(),
                           [&](uint64_t a, uint64_t b) { return text(a) == text(b); }),
               texts->end());
}

int64_t remove_duplicates(const mrc_part *part, uint64_t *words, int64_t width,
                          int64_t n) noexcept {
  std::vector<uint64_t> texts;
  for (int64_t i = 0; i < n; ++i) texts.push_back(words[i * width + part->value]);
  make_set(&texts);
  for (size_t i = 0; i < texts.size(); ++i) {
    words[static_cast<int64_t>(i) * width + part->value] = texts[i];
  }
  return static_cast<int64_t>(texts.size());
}

void write_set(const mrc_part *part, mrc_text, mrc_list list, mrc_out *out) noexcept {
  std::vector<uint64_t> texts;
  for (int64_t i = 0; i < list.count; ++i) {
    texts.push_back(mrc_value(list.values, i, part->value));
  }
  make_set(&texts);
  for (const uint64_t &text : texts) {
    if (&text != texts.data()) mrc_write(out, ",");
    write(out, view(mrc_word_text(text)));
  }
}

void write_candidate(std::string_view fields, std::string_view a, std::string_view b,
                     mrc_out *out) {
  if (!fields.empty()) {
    write(out, fields);
    write(out, ",");
  }
  write(out, a);
  write(out, ",");
  write(out, b);
  write(out, "\n");
}

// Prints a line for each pair of last fields.
void format(void *self, const mrc_row *row, mrc_out *out) noexcept {
  const Pairs pairs = *static_cast<const Pairs *>(self);
  const std::string_view fields = view(row->key), last = view(row->cells[0]);
  if (pairs == Pairs::none) {
    write(out, fields);
    write(out, "\t");
    write(out, last);
    return write(out, "\n");
  }
  for (std::string_view behind = last; !behind.empty();) {
    const std::string_view a = take_field(&behind);
    for (std::string_view rest = behind; !rest.empty();) {
      write_candidate(fields, a, take_field(&rest), out);
      if (pairs == Pairs::next) break;
    }
  }
}

constexpr mrc_option kOptions[] = {
    {"pairs", MRC_TEXT, "all", "which last fields are paired: all, next, or none", 0, 0},
};
constexpr mrc_type kValues[] = {MRC_TEXT};
constexpr mrc_column kColumns[] = {{.name = "last"}};
constexpr mrc_reducer kSet = {
    .size = sizeof(mrc_reducer),
    .name = "last",
    .summary = "texts in order, each once",
    .columns = MRC_ARRAY(kColumns),
    .values = kValues,
    .value_count = 1,
    .reduce = write_set,
    .combine = remove_duplicates,
};
constexpr mrc_reduction kReductions[] = {{.reducer = &kSet}};
constexpr mrc_job kJob = {
    .size = sizeof(mrc_job),
    .shape = MRC_LINES,
    .name = "self_join",
    .summary = "makes candidates of k + 1 fields of candidates of k fields",
    .manual =
        "Input: lines of k fields with ',' between them, in ascending order of bytes.\n"
        "Output: for each two that differ in their last field only, the fields of both.",
    .options = MRC_ARRAY(kOptions),
    .key_name = "fields",
    .values = kValues,
    .value_count = 1,
    .reductions = MRC_ARRAY(kReductions),
    .open = open_job,
    .close = close_job,
    .map = map,
    .format = format,
};
constexpr const mrc_job *kJobs[] = {&kJob, nullptr};
constexpr mrc_plugin kPlugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "self_join",
    .version = "1",
    .summary = "candidates of a priori",
    .jobs = kJobs,
};

}  // namespace

extern "C" MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *offered) {
  host = offered;
  return &kPlugin;
}
