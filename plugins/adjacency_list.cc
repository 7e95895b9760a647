// adjacency_list: the neighbours of each vertex of a directed graph (MaRCO, table 1).
//
// Input: a line for each edge, with the vertex it comes from and the one it goes to, separated by
// ',' or blanks; lines that begin with '#' are comments, as in the graphs of SNAP. Output: a row
// for each vertex, with the vertices that have an edge to it and those that it has an edge to, each
// list separated by ',' and without duplicates. Vertices are texts; everything is in the order of
// their bytes.
//
// An edge is a value of both its vertices: it is in one of two columns, and the other is missing.
// One reducer makes a set of each column; its combiner removes duplicates.
#include "mrc_plugin.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace {

const mrc_host *host;

std::string_view view(mrc_text text) { return {text.data, text.size}; }

struct Edge {
  std::string_view from, to;  // empty if the line is not an edge
};

Edge find_edge(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  const size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  line = line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
  const size_t gap = line.find_first_of(", \t");
  if (gap == std::string_view::npos) return {};
  size_t second = line.find_first_not_of(kBlanks, gap);
  if (line[second] == ',') second = line.find_first_not_of(kBlanks, second + 1);
  if (second == std::string_view::npos) return {};
  if (line.find_first_of(", \t", second) != std::string_view::npos) return {};
  return {line.substr(0, gap), line.substr(second)};
}

void emit(std::string_view vertex, size_t column, std::string_view neighbour, mrc_emitter *out) {
  uint64_t *values = mrc_emit(out, {vertex.data(), vertex.size()});
  values[column] = mrc_emit_text(out, {neighbour.data(), neighbour.size()});
  values[1 - column] = 0;
}

int map(void *, void *, const mrc_records *records, mrc_emitter *out) noexcept {
  for (int64_t i = 0; i < records->count; ++i) {
    const std::string_view line = view(records->records[i]);
    if (line.starts_with('#')) continue;
    const auto [from, to] = find_edge(line);
    if (from.empty()) {
      mrc_bad(out, records->records[i], "not two vertices");
      continue;
    }
    emit(to, 0, from, out);
    emit(from, 1, to, out);
  }
  return 0;
}

// Sorts the vertices and removes duplicates.
void make_set(std::vector<uint64_t> *vertices) {
  const auto text = [](uint64_t word) { return view(mrc_word_text(word)); };
  std::sort(vertices->begin(), vertices->end(),
            [&](uint64_t a, uint64_t b) { return text(a) < text(b); });
  vertices->erase(std::unique(vertices->begin(), vertices->end(),
                              [&](uint64_t a, uint64_t b) { return text(a) == text(b); }),
                  vertices->end());
}

int64_t combine(const mrc_part *part, uint64_t *words, int64_t width, int64_t n) noexcept {
  std::vector<uint64_t> vertices;
  for (int64_t i = 0; i < n; ++i) vertices.push_back(words[i * width + part->value]);
  make_set(&vertices);
  for (size_t i = 0; i < vertices.size(); ++i) {
    words[static_cast<int64_t>(i) * width + part->value] = vertices[i];
  }
  return static_cast<int64_t>(vertices.size());
}

void write_set(const mrc_part *part, mrc_text, mrc_list list, mrc_out *out) noexcept {
  std::vector<uint64_t> vertices;
  for (int64_t i = 0; i < list.count; ++i) {
    vertices.push_back(mrc_value(list.values, i, part->value));
  }
  make_set(&vertices);
  for (const uint64_t &word : vertices) {
    const mrc_text vertex = mrc_word_text(word);
    if (&word != vertices.data()) mrc_write(out, ",");
    out->write(out, vertex.data, vertex.size);
  }
}

constexpr mrc_type kVertex[] = {MRC_TEXT};
constexpr mrc_type kValues[] = {MRC_TEXT, MRC_TEXT};
constexpr mrc_column kColumns[] = {{.name = "vertices"}};
constexpr mrc_reducer kSet = {
    .size = sizeof(mrc_reducer),
    .name = "vertices",
    .summary = "vertices in order, each once",
    .columns = MRC_ARRAY(kColumns),
    .values = kVertex,
    .value_count = 1,
    .reduce = write_set,
    .combine = combine,
};
constexpr mrc_reduction kReductions[] = {
    {.reducer = &kSet, .value = 0, .name = "from"},
    {.reducer = &kSet, .value = 1, .name = "to"},
};
constexpr mrc_job kJob = {
    .size = sizeof(mrc_job),
    .shape = MRC_LINES,
    .name = "adjacency_list",
    .summary = "the neighbours of each vertex of a directed graph",
    .manual =
        "Input: an edge on each line, FROM,TO or FROM TO. '#' begins a comment.\n"
        "Output: for each vertex those with an edge to it, and those it has an edge to.",
    .key_name = "vertex",
    .values = kValues,
    .value_count = 2,
    .reductions = MRC_ARRAY(kReductions),
    .map = map,
};
constexpr const mrc_job *kJobs[] = {&kJob, nullptr};
constexpr mrc_plugin kPlugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "adjacency_list",
    .version = "1",
    .summary = "graphs by their vertices",
    .jobs = kJobs,
};

}  // namespace

extern "C" MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *offered) {
  host = offered;
  return &kPlugin;
}
