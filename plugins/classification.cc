// classification: puts movies into given clusters by the cosine of their ratings (MaRCO, table 3).
//
// Input: lines MOVIE:USER_RATING,USER_RATING,... (ratings.h). The clusters are lines of the same
// form in a file, --set clusters=FILE, with the name of the cluster before the ':'. Output: a line
// for each movie, with the names of its cluster and of the movie, by cluster and then in the order
// of the input. Movies that have no user in common with any cluster are in cluster "-". If several
// clusters are equally near, the first in the file is taken.
#include "centers.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

namespace {

const mrc_host *host;

struct Clusters {
  std::vector<std::string> names;
  std::unique_ptr<const Centers> centers;
};

// Returns what is wrong with the file, or "".
std::string read_clusters(const char *path, Clusters *clusters) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "clusters: " + std::string(path) + " cannot be opened";
  std::vector<std::vector<rating>> movies;
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    ratings all;
    ratings_begin(&all, {line.data(), line.size()});
    movies.push_back(take_ratings(&all));
    if (all.wrong != nullptr) {
      return std::string(path) + ":" + std::to_string(movies.size()) + ": " + all.wrong;
    }
    clusters->names.emplace_back(all.movie.data, all.movie.size);
  }
  if (file.bad()) return "clusters: " + std::string(path) + " cannot be read";
  if (movies.empty()) return "clusters: " + std::string(path) + " is empty";
  clusters->centers = std::make_unique<const Centers>(movies);
  return "";
}

int open_job(const mrc_host *, mrc_settings settings, void **self) noexcept {
  auto clusters = std::make_unique<Clusters>();
  const std::string wrong = read_clusters(mrc_setting_at(settings, 0)->text.data, clusters.get());
  if (!wrong.empty()) return host->fail(wrong.c_str());
  *self = clusters.release();
  return 0;
}

void close_job(void *self) noexcept { delete static_cast<Clusters *>(self); }

int begin(void *, void **worker) noexcept {
  *worker = new std::vector<int64_t>;
  return 0;
}

int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) noexcept {
  const auto *clusters = static_cast<const Clusters *>(self);
  auto *products = static_cast<std::vector<int64_t> *>(worker);
  for (int64_t i = 0; i < records->count; ++i) {
    const mrc_text line = records->records[i];
    ratings all;
    ratings_begin(&all, line);
    const int64_t center = clusters->centers->find(&all, products).center;
    if (all.wrong != nullptr) {
      mrc_bad(out, line, all.wrong);
      continue;
    }
    const std::string_view name =
        center < 0 ? "-" : std::string_view(clusters->names[static_cast<size_t>(center)]);
    *mrc_emit(out, {name.data(), name.size()}) = mrc_emit_text(out, all.movie);
  }
  return 0;
}

int end(void *, void *worker, mrc_emitter *) noexcept {
  delete static_cast<std::vector<int64_t> *>(worker);
  return 0;
}

// Movie names contain no ','.
void list_movies(const mrc_part *part, mrc_text, mrc_list list, mrc_out *out) noexcept {
  for (int64_t i = 0; i < list.count; ++i) {
    const mrc_text movie = mrc_word_text(mrc_value(list.values, i, part->value));
    if (i > 0) mrc_write(out, ",");
    out->write(out, movie.data, movie.size);
  }
}

// Prints a line for each movie of a cluster.
void format(void *, const mrc_row *row, mrc_out *out) noexcept {
  std::string_view movies(row->cells[0].data, row->cells[0].size);
  while (!movies.empty()) {
    const std::string_view movie = movies.substr(0, movies.find(','));
    out->write(out, row->key.data, row->key.size);
    mrc_write(out, "\t");
    out->write(out, movie.data(), movie.size());
    mrc_write(out, "\n");
    movies.remove_prefix(std::min(movies.size(), movie.size() + 1));
  }
}

void header(void *, mrc_out *out) noexcept { mrc_write(out, "cluster\tmovie\n"); }

constexpr mrc_option kOptions[] = {
    {"clusters", MRC_TEXT, nullptr, "a file with a line of ratings for each cluster", 0, 0},
};
constexpr mrc_type kValues[] = {MRC_TEXT};
constexpr mrc_column kColumns[] = {{.name = "movies"}};
constexpr mrc_reducer kMovies = {
    .size = sizeof(mrc_reducer),
    .name = "movies",
    .summary = "movies in the order of the input",
    .columns = MRC_ARRAY(kColumns),
    .values = kValues,
    .value_count = 1,
    .reduce = list_movies,
};
constexpr mrc_reduction kReductions[] = {{.reducer = &kMovies}};
constexpr mrc_job kJob = {
    .size = sizeof(mrc_job),
    .shape = MRC_LINES,
    .name = "classification",
    .summary = "puts movies into given clusters by the cosine of their ratings",
    .manual =
        "Input: a line MOVIE:USER_RATING,USER_RATING,... for each movie.\n"
        "Output: a line with cluster and movie for each movie.\n"
        "Cluster - has the movies with no user in common with any cluster.",
    .options = MRC_ARRAY(kOptions),
    .key_name = "cluster",
    .values = kValues,
    .value_count = 1,
    .reductions = MRC_ARRAY(kReductions),
    .open = open_job,
    .close = close_job,
    .begin = begin,
    .map = map,
    .end = end,
    .format = format,
    .header = header,
};
constexpr const mrc_job *kJobs[] = {&kJob, nullptr};
constexpr mrc_plugin kPlugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "classification",
    .version = "1",
    .summary = "movies by given clusters",
    .jobs = kJobs,
};

}  // namespace

extern "C" MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *offered) {
  host = offered;
  return &kPlugin;
}
