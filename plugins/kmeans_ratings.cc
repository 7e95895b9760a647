// kmeans_ratings: finds clusters of movies by the cosine of their ratings (MaRCO, table 1).
//
// Input: lines MOVIE:USER_RATING,USER_RATING,... (ratings.h), each movie once. Output: a row for
// each cluster, with its number, the movie that is its center, how many movies are in it, the mean
// of their cosines with the center that gathered them, and the movies in the order of the input;
// the largest clusters first. Movies that have no user in common with any center are in cluster 0,
// which has no center.
//
// A center is always a movie, as in the paper. Each movie goes to the nearest center, and the movie
// whose cosine is closest to the mean of its cluster is the next center. The job ends when no movie
// changes its cluster, or after --set rounds=N. The first centers are the --set clusters=K movies
// whose names have the smallest hashes with --set seed=N.
//
// In the paper, map passes all ratings on to reduce, and so to the next round. Here they stay in
// the input, which is read once more to fetch those of the centers.
//
//   choose   each thread keeps the K lines with the smallest hashes, and emits them at its end
//   assign   emits the cosine and the name of each movie, by cluster
//   fetch    emits the lines of the movies that have become centers, by cluster
#include "centers.h"

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

const mrc_host *host;

std::string_view view(mrc_text text) { return {text.data, text.size}; }

enum class Pass { choose, assign, fetch };

struct Clustering {
  size_t clusters;
  int64_t rounds_left;
  uint64_t seed;
  Pass pass = Pass::choose;
  std::vector<std::string> movies;   // names of the centers, by cluster
  std::vector<std::string> members;  // names of all movies of a cluster, by its number
  std::vector<std::vector<rating>> ratings_of;
  std::unique_ptr<const Centers> centers;  // made of ratings_of
};

struct Worker {
  std::map<int64_t, std::string> chosen;  // lines by hash
  std::vector<int64_t> products;          // a buffer
};

int open_job(const mrc_host *, mrc_settings settings, void **self) noexcept {
  *self = new Clustering{.clusters = static_cast<size_t>(mrc_setting_at(settings, 0)->integer),
                         .rounds_left = mrc_setting_at(settings, 1)->integer,
                         .seed = static_cast<uint64_t>(mrc_setting_at(settings, 2)->integer)};
  return 0;
}

void close_job(void *self) noexcept { delete static_cast<Clustering *>(self); }

int begin(void *, void **worker) noexcept {
  *worker = new Worker;
  return 0;
}

// Returns a hash that is not negative.
int64_t hash(std::string_view name, uint64_t seed) {
  uint64_t mixed = (seed + 1) * 0x9E3779B97F4A7C15;
  for (const char c : name) mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93;
  return static_cast<int64_t>((mixed ^ mixed >> 32) >> 1);
}

// If there are two lines for one movie, keeps the smaller, so that the order of reading is
// irrelevant.
void choose(const Clustering &all, mrc_text line, mrc_text movie, Worker *worker) {
  auto &chosen = worker->chosen;
  const int64_t rank = hash(view(movie), all.seed);
  if (chosen.size() == all.clusters && rank > chosen.rbegin()->first) return;
  auto [place, added] = chosen.try_emplace(rank, view(line));
  if (!added && view(line) < place->second) place->second = view(line);
  if (chosen.size() > all.clusters) chosen.erase(std::prev(chosen.end()));
}

void emit(mrc_emitter *out, int64_t cluster, double cosine, mrc_text text) {
  uint64_t *values = mrc_emit_integer(out, cluster);
  values[0] = mrc_real_word(cosine);
  values[1] = mrc_emit_text(out, text);
}

void assign(const Clustering &all, ratings *line, std::vector<int64_t> *products,
            mrc_emitter *out) {
  const Centers::Nearest found = all.centers->find(line, products);
  if (line->wrong != nullptr) return;
  const bool none = found.center < 0;
  emit(out, found.center + 1,
       none ? std::numeric_limits<double>::quiet_NaN() : all.centers->cosine(found), line->movie);
}

// True if the whole line is valid.
bool check(ratings *line) {
  for (rating next; ratings_next(line, &next) != 0;) continue;
  return line->wrong == nullptr;
}

void fetch(const Clustering &all, mrc_text line, ratings *list, mrc_emitter *out) {
  for (size_t i = 0; list->wrong == nullptr && i < all.movies.size(); ++i) {
    if (view(list->movie) != all.movies[i] || !check(list)) continue;
    emit(out, static_cast<int64_t>(i) + 1, 0, line);
  }
}

// Only the first pass reports bad records.
void read_first(const Clustering &all, mrc_text line, ratings *list, Worker *worker,
                mrc_emitter *out) {
  if (!check(list)) return mrc_bad(out, line, list->wrong);
  choose(all, line, list->movie, worker);
}

int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) noexcept {
  const auto &all = *static_cast<const Clustering *>(self);
  auto *own = static_cast<Worker *>(worker);
  for (int64_t i = 0; i < records->count; ++i) {
    const mrc_text line = records->records[i];
    ratings list;
    ratings_begin(&list, line);
    if (all.pass == Pass::choose) read_first(all, line, &list, own, out);
    if (all.pass == Pass::assign) assign(all, &list, &own->products, out);
    if (all.pass == Pass::fetch) fetch(all, line, &list, out);
  }
  return 0;
}

int end(void *, void *worker, mrc_emitter *out) noexcept {
  auto *own = static_cast<Worker *>(worker);
  for (const auto &[rank, line] : own->chosen) {
    uint64_t *values = mrc_emit_integer(out, rank);
    values[0] = mrc_real_word(0);
    values[1] = mrc_emit_text(out, mrc_keep(out, {line.data(), line.size()}));
  }
  delete own;
  return 0;
}

// These end a pass. Rows of choose and fetch have a line as their center.

void set_center(Clustering *all, size_t cluster, mrc_text line) {
  ratings list;
  ratings_begin(&list, line);
  all->movies[cluster] = view(list.movie);
  all->ratings_of[cluster] = take_ratings(&list);
}

void end_choose(Clustering *all, mrc_rows rows) {
  all->clusters = std::min(all->clusters, rows.count);
  all->movies.resize(all->clusters);
  all->ratings_of.resize(all->clusters);
  for (size_t i = 0; i < all->clusters; ++i) set_center(all, i, mrc_row_at(rows, i)->cells[0]);
}

void end_fetch(Clustering *all, mrc_rows rows) {
  for (size_t i = 0; i < rows.count; ++i) {
    const mrc_row *row = mrc_row_at(rows, i);
    set_center(all, static_cast<size_t>(row->integer) - 1, row->cells[0]);
  }
}

// Returns true if a movie has changed its cluster. A cluster without movies keeps its center.
bool end_assign(Clustering *all, mrc_rows rows) {
  std::vector<std::string> members(all->clusters + 1);
  for (size_t i = 0; i < rows.count; ++i) {
    const mrc_row *row = mrc_row_at(rows, i);
    const auto cluster = static_cast<size_t>(row->integer);
    members[cluster] = view(row->cells[3]);
    if (cluster > 0) all->movies[cluster - 1] = view(row->cells[0]);
  }
  all->members.swap(members);
  return all->members != members;
}

int end_pass(void *self, int64_t, mrc_rows rows) noexcept {
  auto *all = static_cast<Clustering *>(self);
  if (all->pass == Pass::assign) {
    const bool moved = end_assign(all, rows);
    if (!moved) return MRC_DONE;
    if (--all->rounds_left == 0) {
      host->note("movies still change clusters; --set rounds=N has more rounds");
      return MRC_DONE;
    }
    all->pass = Pass::fetch;
    return MRC_AGAIN;
  }
  if (rows.count == 0) return MRC_DONE;
  all->pass == Pass::choose ? end_choose(all, rows) : end_fetch(all, rows);
  all->centers = std::make_unique<const Centers>(all->ratings_of);
  all->pass = Pass::assign;
  return MRC_AGAIN;
}

// Writes the name whose cosine is closest to the mean; of several, the smallest.
void write_center(const mrc_part *part, mrc_text, mrc_list list, mrc_out *out) noexcept {
  const auto cosine = [&](int64_t i) {
    return mrc_word_real(mrc_value(list.values, i, part->value));
  };
  const auto name = [&](int64_t i) {
    return view(mrc_word_text(mrc_value(list.values, i, part->value + 1)));
  };
  double mean = 0;
  for (int64_t i = 0; i < list.count; ++i) mean += cosine(i);
  mean /= static_cast<double>(list.count);
  if (std::isnan(mean)) return mrc_write(out, "-");
  int64_t best = 0;
  for (int64_t i = 1; i < list.count; ++i) {
    const double nearer = std::abs(cosine(best) - mean) - std::abs(cosine(i) - mean);
    if (nearer > 0 || (nearer == 0 && name(i) < name(best))) best = i;
  }
  out->write(out, name(best).data(), name(best).size());
}

// Movie names contain no ','.
void list_movies(const mrc_part *part, mrc_text, mrc_list list, mrc_out *out) noexcept {
  for (int64_t i = 0; i < list.count; ++i) {
    const mrc_text movie = mrc_word_text(mrc_value(list.values, i, part->value));
    if (i > 0) mrc_write(out, ",");
    out->write(out, movie.data, movie.size);
  }
}

// Puts the largest clusters first. In other passes rows are in the order of keys: the count of a
// movie with several lines depends on the threads that read them.
void order(void *self, const mrc_row *row, mrc_out *out) noexcept {
  if (static_cast<const Clustering *>(self)->pass != Pass::assign) return;
  out->write(out, row->cells[1].data, row->cells[1].size);
}

// Compares counts, which have no leading zeros; larger ones come first.
int compare(void *, mrc_text a, mrc_text b) noexcept {
  if (a.size != b.size) return a.size > b.size ? -1 : 1;
  return view(b).compare(view(a));
}

// A mean of doubles. Its sum depends on the order of additions: MRC_ORDERED.
struct Mean {
  double sum;
  int64_t count;
};

void add_mean(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
              mrc_arena *) noexcept {
  for (int64_t i = 0; i < n; ++i) {
    Mean *mean = MRC_STATE(Mean, part, states[i]);
    mean->sum += mrc_word_real(mrc_value(values, i, part->value));
    ++mean->count;
  }
}

double show_mean(const mrc_part *part, const mrc_state *state) noexcept {
  const Mean *mean = MRC_CONST_STATE(Mean, part, state);
  return mean->sum / static_cast<double>(mean->count);
}

constexpr mrc_option kOptions[] = {
    {"clusters", MRC_INTEGER, "6", "how many clusters to find", 1, 1000},
    {"rounds", MRC_INTEGER, "20", "when to end at the latest", 1, 1000000},
    {"seed", MRC_INTEGER, "1", "which movies are the first centers", 0, 1e15},
};
constexpr mrc_type kValues[] = {MRC_REAL, MRC_TEXT};
constexpr mrc_column kCenterColumns[] = {{.name = "center"}};
constexpr mrc_reducer kCenter = {
    .size = sizeof(mrc_reducer),
    .name = "center",
    .summary = "the movie whose cosine is closest to the mean",
    .columns = MRC_ARRAY(kCenterColumns),
    .values = kValues,
    .value_count = 2,
    .reduce = write_center,
};
constexpr mrc_column kMeanColumns[] = {{.name = "mean", .real = show_mean}};
constexpr mrc_reducer kMean = {
    .size = sizeof(mrc_reducer),
    .flags = MRC_ORDERED,
    .name = "mean",
    .summary = "the mean of doubles, added in the order of the input",
    .state_bytes = sizeof(Mean),
    .add = add_mean,
    .columns = MRC_ARRAY(kMeanColumns),
    .values = kValues,
    .value_count = 1,
};
constexpr mrc_column kMoviesColumns[] = {{.name = "names"}};
constexpr mrc_reducer kMovies = {
    .size = sizeof(mrc_reducer),
    .name = "names",
    .summary = "movies in the order of the input",
    .columns = MRC_ARRAY(kMoviesColumns),
    .values = kValues + 1,
    .value_count = 1,
    .reduce = list_movies,
};
constexpr mrc_reduction kReductions[] = {
    {.reducer = &kCenter},
    {.builtin = "count", .name = "movies"},
    {.reducer = &kMean, .name = "cosine"},
    {.reducer = &kMovies, .value = 1},
};
constexpr mrc_job kJob = {
    .size = sizeof(mrc_job),
    .shape = MRC_LINES,
    .name = "kmeans_ratings",
    .summary = "finds clusters of movies by the cosine of their ratings",
    .manual =
        "Input: a line MOVIE:USER_RATING,USER_RATING,... for each movie.\n"
        "Output: for each cluster its center, its size, the mean of the cosines, and its\n"
        "movies. Cluster 0 has the movies with no user in common with any center.",
    .options = MRC_ARRAY(kOptions),
    .key_type = MRC_INTEGER,
    .key_name = "cluster",
    .values = kValues,
    .value_count = 2,
    .reductions = MRC_ARRAY(kReductions),
    .open = open_job,
    .close = close_job,
    .begin = begin,
    .map = map,
    .end = end,
    .order = order,
    .compare = compare,
    .round = end_pass,
};
constexpr const mrc_job *kJobs[] = {&kJob, nullptr};
constexpr mrc_plugin kPlugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "kmeans_ratings",
    .version = "1",
    .summary = "clusters of movies by their ratings",
    .jobs = kJobs,
};

}  // namespace

extern "C" MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *offered) {
  host = offered;
  return &kPlugin;
}
