// term_vector: the most frequent words of each document (MaRCO, table 1).
//
// Input: text. A document is an input, or, with --set document=first, all lines that begin with the
// same name and a TAB, such as a host and one of its pages. A word is a run of ASCII letters,
// digits, '_' and bytes above 0x7F. Output: a row for each document, with WORD:COUNT,WORD:COUNT,...
// for the words that occur at least --set least=N times, the most frequent first, then by their
// bytes; --set top=N limits their number.
//
// Map emits pairs of a word and 1 for a document, and the combiner adds those of equal words, as in
// the paper: a list has no more pairs than there are words.
#include "mrc_plugin.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

const mrc_host *host;

struct Settings {
  bool by_line;
  int64_t least, top;
};

std::string_view view(mrc_text text) { return {text.data, text.size}; }

constexpr std::array<bool, 256> kInWord = [] {
  std::array<bool, 256> in_word{};
  for (int c = 0; c < 256; ++c) {
    in_word[static_cast<size_t>(c)] = c >= 0x80 || c == '_' || (c >= '0' && c <= '9') ||
                                      (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }
  return in_word;
}();

int open_job(const mrc_host *, mrc_settings settings, void **self) noexcept {
  const std::string_view document = view(mrc_setting_at(settings, 0)->text);
  if (document != "input" && document != "first") {
    return host->fail(
        ("document can be input or first, and not \"" + std::string(document) + "\"").c_str());
  }
  *self = new Settings{document == "first", mrc_setting_at(settings, 1)->integer,
                       mrc_setting_at(settings, 2)->integer};
  return 0;
}

void close_job(void *self) noexcept { delete static_cast<Settings *>(self); }

void emit_words(mrc_text document, std::string_view text, mrc_emitter *out) {
  const auto in_word = [](char c) { return kInWord[static_cast<unsigned char>(c)]; };
  const char *at = text.data(), *const end = at + text.size();
  while ((at = std::find_if(at, end, in_word)) != end) {
    const char *behind = std::find_if_not(at, end, in_word);
    uint64_t *values = mrc_emit(out, document);
    values[0] = mrc_emit_text(out, {at, static_cast<size_t>(behind - at)});
    values[1] = 1;
    at = behind;
  }
}

int map(void *self, void *, const mrc_records *records, mrc_emitter *out) noexcept {
  const bool by_line = static_cast<const Settings *>(self)->by_line;
  mrc_text document = {records->input_name, strlen(records->input_name)};
  for (int64_t i = 0; i < records->count; ++i) {
    const std::string_view line = view(records->records[i]);
    const size_t tab = by_line ? line.find('\t') : 0;
    if (tab == std::string_view::npos) {
      mrc_bad(out, records->records[i], "no TAB behind a document's name");
      continue;
    }
    if (by_line) document = {line.data(), tab};
    emit_words(document, line.substr(tab), out);
  }
  return 0;
}

// Adds the counts of each word, and keeps one pair for each, at the place of its first.
int64_t add_counts(const mrc_part *part, uint64_t *words, int64_t width, int64_t n) noexcept {
  std::unordered_map<std::string_view, int64_t> places;
  places.reserve(static_cast<size_t>(n));
  int64_t left = 0;
  for (int64_t i = 0; i < n; ++i) {
    uint64_t *pair = words + i * width + part->value;
    const auto [place, added] = places.try_emplace(view(mrc_word_text(pair[0])), left);
    if (added) {
      std::copy_n(words + i * width, width, words + left++ * width);
    } else {
      words[place->second * width + part->value + 1] += pair[1];
    }
  }
  return left;
}

struct Term {
  std::string_view word;
  int64_t count;
};

bool more_frequent(const Term &a, const Term &b) {
  return a.count != b.count ? a.count > b.count : a.word < b.word;
}

void write_terms(const mrc_part *part, mrc_text, mrc_list list, mrc_out *out) noexcept {
  const auto *settings = static_cast<const Settings *>(part->context);
  std::unordered_map<std::string_view, uint64_t> sums;
  for (int64_t i = 0; i < list.count; ++i) {
    sums[view(mrc_word_text(mrc_value(list.values, i, part->value)))] +=
        mrc_value(list.values, i, part->value + 1);
  }
  std::vector<Term> terms;
  for (const auto &[word, sum] : sums) {
    const auto count = static_cast<int64_t>(sum);
    if (count >= settings->least) terms.push_back({word, count});
  }
  std::sort(terms.begin(), terms.end(), more_frequent);
  if (settings->top > 0) terms.resize(std::min(terms.size(), static_cast<size_t>(settings->top)));
  for (const Term &term : terms) {
    if (&term != terms.data()) mrc_write(out, ",");
    out->write(out, term.word.data(), term.word.size());
    mrc_write(out, ":");
    mrc_write(out, std::to_string(term.count).c_str());
  }
}

constexpr mrc_option kOptions[] = {
    {"document", MRC_TEXT, "input", "what a document is: an input, or lines by their first field",
     0, 0},
    {"least", MRC_INTEGER, "2", "how often a word has to occur", 1, 1e15},
    {"top", MRC_INTEGER, "0", "how many words to show of a document; 0: all", 0, 1e15},
};
constexpr mrc_type kValues[] = {MRC_TEXT, MRC_INTEGER};
constexpr mrc_column kColumns[] = {{.name = "words"}};
constexpr mrc_reducer kTerms = {
    .size = sizeof(mrc_reducer),
    .name = "words",
    .summary = "the most frequent words, and their counts",
    .columns = MRC_ARRAY(kColumns),
    .values = kValues,
    .value_count = 2,
    .reduce = write_terms,
    .combine = add_counts,
};
constexpr mrc_reduction kReductions[] = {{.reducer = &kTerms}};
constexpr mrc_job kJob = {
    .size = sizeof(mrc_job),
    .shape = MRC_LINES,
    .name = "term_vector",
    .summary = "the most frequent words of each document",
    .manual =
        "Input: text. A document is an input, or, with document=first, what lines have\n"
        "before their first TAB.\n"
        "Output: for each document WORD:COUNT,WORD:COUNT,... the most frequent first.",
    .options = MRC_ARRAY(kOptions),
    .key_name = "document",
    .values = kValues,
    .value_count = 2,
    .reductions = MRC_ARRAY(kReductions),
    .open = open_job,
    .close = close_job,
    .map = map,
};
constexpr const mrc_job *kJobs[] = {&kJob, nullptr};
constexpr mrc_plugin kPlugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "term_vector",
    .version = "1",
    .summary = "words of documents by frequency",
    .jobs = kJobs,
};

}  // namespace

extern "C" MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *offered) {
  host = offered;
  return &kPlugin;
}
