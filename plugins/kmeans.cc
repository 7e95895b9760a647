/* kmeans: groups points around their means (Lloyd's algorithm).
 *
 * In each round every point goes to the cluster with the nearest mean, the first of several; then
 * the mean of each cluster becomes that of its points. A cluster without points keeps its mean. The
 * job ends when no mean has changed, or after a number of rounds.
 *
 * Round 0 reads: points become integers, multiplied by a power of ten if they have decimals, and
 * are kept for later rounds, eight side by side. Sums of integers are exact, so means do not depend
 * on the order in which threads process points; neither do distances, which are computed for each
 * point separately. The rows carry the means from round to round.
 */
#include "for_each_cpu.h"
#include "matrix_input.h"
#include "matrix_rows.h"
#include "vector_sum.h"

#include <cmath>
#include <limits>
#include <set>

namespace {

const mrc_host *host;

constexpr int64_t kLanes = 8;  // points that are processed together

// The points of a piece: the first coordinates of all, then the second ones...
struct Block {
  int64_t first_row, points;  // first_row: in the input
  int64_t stride;             // points, rounded up to a multiple of kLanes
  std::vector<double> coordinates;
};

struct Clustering {
  int64_t clusters, rounds, seed;
  int decimals;
  double scale = 1;  // 10^decimals
  int64_t dimensions = 0, points = 0;
  std::vector<matrix::Input> inputs;
  std::vector<Block> blocks;
  std::vector<double> means;  // of the clusters, times scale
  bool reading = true;        // round 0
};

// ---- Options ---------------------------------------------------------------------------

enum { kClusters, kRounds, kSeed, kDecimals };
const mrc_option kOptions[] = {
    {"clusters", MRC_INTEGER, "8", "how many", 1, 1e9},
    {"rounds", MRC_INTEGER, "0", "how many; 0: until no mean changes", 0, 1e9},
    {"seed", MRC_INTEGER, "0", "chooses points to begin with; 0: the first ones", 0, 1e15},
    {"decimals", MRC_INTEGER, "0", "that numbers may have", 0, 6},
};

int open_job(const mrc_host *, mrc_settings settings, void **self) {
  auto *job = new Clustering;
  job->clusters = mrc_setting_at(settings, kClusters)->integer;
  job->rounds = mrc_setting_at(settings, kRounds)->integer;
  job->seed = mrc_setting_at(settings, kSeed)->integer;
  job->decimals = static_cast<int>(mrc_setting_at(settings, kDecimals)->integer);
  for (int i = 0; i < job->decimals; ++i) job->scale *= 10;
  *self = job;
  return 0;
}

void close_job(void *self) { delete static_cast<Clustering *>(self); }

// ---- Round 0: read ---------------------------------------------------------------------

int open_input(Clustering *job, const mrc_input *from, int64_t number, mrc_splits *splits) {
  std::string why;
  matrix::Input input;
  if (!matrix::open_matrix(from, &input, &why)) return host->fail(why.c_str());
  if (number == 0) job->dimensions = input.columns;
  if (input.columns != job->dimensions) {
    why = input.name + ": points of " + std::to_string(input.columns) +
          " numbers; those before have " + std::to_string(job->dimensions);
    return host->fail(why.c_str());
  }
  job->points += input.rows;
  for (auto piece = input.pieces.begin(); piece != input.pieces.end(); ++piece) {
    mrc_add_split(splits,
                  {number, piece->begin, piece->end, static_cast<int64_t>(job->blocks.size())});
    const int64_t end = piece + 1 == input.pieces.end() ? input.rows : piece[1].first_row;
    const int64_t points = end - piece->first_row;
    job->blocks.push_back({piece->first_row, points, (points + kLanes - 1) / kLanes * kLanes, {}});
  }
  job->inputs.push_back(std::move(input));
  return 0;
}

int split(void *self, mrc_inputs inputs, mrc_splits *splits) {
  auto *job = static_cast<Clustering *>(self);
  if (!job->reading) {
    for (size_t i = 0; i < job->blocks.size(); ++i) {
      mrc_add_split(splits, {0, 0, 0, static_cast<int64_t>(i)});
    }
    return 0;
  }
  for (size_t i = 0; i < inputs.count; ++i) {
    if (open_input(job, mrc_input_at(inputs, i), static_cast<int64_t>(i), splits) != 0) return -1;
  }
  if (job->clusters <= job->points) return 0;
  const std::string why = std::to_string(job->clusters) + " clusters of " +
                          std::to_string(job->points) + " points: set fewer clusters";
  return host->fail(why.c_str());
}

// Only the worker that maps a piece writes its block.
int read_piece(Clustering *job, const mrc_records *records) {
  Block *block = &job->blocks[static_cast<size_t>(records->split->tag)];
  block->coordinates.assign(static_cast<size_t>(block->stride * job->dimensions), 0);
  double *const into = block->coordinates.data();
  const int64_t stride = block->stride, first = block->first_row;
  const auto store = [=](int64_t row, int64_t column, int64_t number) {
    into[column * stride + row - first] = static_cast<double>(number);
  };
  std::string why;
  const matrix::Input &input = job->inputs[static_cast<size_t>(records->input)];
  const bool good = matrix::read_rows(input, records->bytes, first, job->decimals, store, &why);
  return good ? 0 : host->fail(why.c_str());
}

// ---- The initial means -----------------------------------------------------------------

void append_point(const Clustering &job, int64_t point, std::vector<double> *means) {
  auto block = job.blocks.begin();
  while (point >= block->points) point -= block++->points;
  for (int64_t d = 0; d < job.dimensions; ++d) {
    means->push_back(block->coordinates[static_cast<size_t>(d * block->stride + point)]);
  }
}

// splitmix64
uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

// Returns different points, in order: the first ones, or a random choice (Floyd's algorithm).
std::set<int64_t> choose_points(const Clustering &job) {
  std::set<int64_t> chosen;
  auto state = static_cast<uint64_t>(job.seed);
  for (int64_t last = job.points - job.clusters; last < job.points; ++last) {
    const auto any = static_cast<int64_t>(next_random(&state) % static_cast<uint64_t>(last + 1));
    const int64_t point = job.seed == 0 ? static_cast<int64_t>(chosen.size()) : any;
    if (!chosen.insert(point).second) chosen.insert(last);
  }
  return chosen;
}

bool sums_fit(const Clustering &job) {
  double largest = 0;
  for (const Block &block : job.blocks) {
    for (double number : block.coordinates) largest = std::max(largest, std::abs(number));
  }
  return largest * static_cast<double>(job.points) < 0x1p62;
}

int begin_rounds(Clustering *job) {
  if (!sums_fit(*job)) return host->fail("the numbers are too large: sums may pass 62 bits");
  for (int64_t point : choose_points(*job)) append_point(*job, point, &job->means);
  job->reading = false;
  return MRC_AGAIN;
}

// ---- A round: assign points to clusters ------------------------------------------------

// For each cluster: its number, its number of points, and the sums of their coordinates.
struct Worker {
  std::vector<int64_t> sums;
  std::vector<int64_t> nearest;  // of each point of a block
};

int begin(void *self, void **worker) {
  auto *job = static_cast<Clustering *>(self);
  auto *state = new Worker;
  if (!job->reading) {
    const int64_t width = 2 + job->dimensions;
    state->sums.resize(static_cast<size_t>(job->clusters * width));
    for (int64_t i = 0; i < job->clusters; ++i) state->sums[static_cast<size_t>(i * width)] = i;
  }
  *worker = state;
  return 0;
}

// Finds the nearest mean of each point of a block: four points at a time, in two independent
// halves, because each has to wait for its own comparisons.
FOR_EACH_CPU void find_nearest(const double *coordinates, int64_t stride, const double *means,
                               int64_t clusters, int64_t dimensions, int64_t *nearest) {
  typedef double Reals __attribute__((vector_size(32), aligned(8), may_alias));
  typedef int64_t Numbers __attribute__((vector_size(32), aligned(8), may_alias));
  constexpr double kFar = std::numeric_limits<double>::infinity();
  for (int64_t point = 0; point < stride; point += kLanes) {
    Reals least[2] = {{kFar, kFar, kFar, kFar}, {kFar, kFar, kFar, kFar}};
    Numbers which[2] = {};
    const double *mean = means;
    for (int64_t cluster = 0; cluster < clusters; ++cluster) {
      Reals distance[2] = {};
      const double *at = coordinates + point;
      for (int64_t d = 0; d < dimensions; ++d, at += stride, ++mean) {
        for (int half = 0; half < 2; ++half) {
          const Reals difference = *(const Reals *)(at + half * 4) - *mean;
          distance[half] += difference * difference;
        }
      }
      for (int half = 0; half < 2; ++half) {
        const Numbers closer = distance[half] < least[half];
        least[half] = closer ? distance[half] : least[half];
        which[half] = closer ? Numbers{} + cluster : which[half];
      }
    }
    for (int half = 0; half < 2; ++half) *(Numbers *)(nearest + point + half * 4) = which[half];
  }
}

void add_points(const Clustering &job, const Block &block, Worker *worker) {
  worker->nearest.resize(static_cast<size_t>(block.stride));
  find_nearest(block.coordinates.data(), block.stride, job.means.data(), job.clusters,
               job.dimensions, worker->nearest.data());
  for (int64_t point = 0; point < block.points; ++point) {
    int64_t *sums = worker->sums.data() +
                    worker->nearest[static_cast<size_t>(point)] * (2 + job.dimensions) + 1;
    const double *at = block.coordinates.data() + point;
    ++*sums++;
    for (int64_t d = 0; d < job.dimensions; ++d, at += block.stride) {
      *sums++ += static_cast<int64_t>(*at);
    }
  }
}

int map(void *self, void *worker, const mrc_records *records, mrc_emitter *) {
  auto *job = static_cast<Clustering *>(self);
  if (job->reading) return read_piece(job, records);
  add_points(*job, job->blocks[static_cast<size_t>(records->split->tag)],
             static_cast<Worker *>(worker));
  return 0;
}

int end(void *self, void *state, mrc_emitter *out) {
  auto *job = static_cast<Clustering *>(self);
  auto *worker = static_cast<Worker *>(state);
  if (!job->reading) {
    const int64_t width = 2 + job->dimensions;
    for (int64_t i = 0; i < job->clusters; ++i) {
      const auto *bytes = reinterpret_cast<const char *>(worker->sums.data() + i * width);
      uint64_t *const value = mrc_emit_integer(out, i + 1);
      *value = mrc_emit_text(out, {bytes, static_cast<size_t>(width) * sizeof(int64_t)});
    }
    out->flush(out);  // before the sums are freed
  }
  delete worker;
  return 0;
}

// ---- Rows: the mean of a cluster -------------------------------------------------------

int64_t show_points(const mrc_part *part, const mrc_state *state) {
  const VectorSum *sum = MRC_CONST_STATE(VectorSum, part, state);
  return sum->size < 2 ? 0 : sum->numbers[1];
}

// A cluster without points keeps its mean.
double coordinate(const Clustering &job, const VectorSum &sum, int64_t d) {
  const int64_t points = sum.numbers[1], cluster = sum.numbers[0];
  if (points != 0) {
    return static_cast<double>(sum.numbers[2 + d]) / (static_cast<double>(points) * job.scale);
  }
  if (cluster < 0 || cluster >= job.clusters || d >= job.dimensions || job.reading) return 0;
  return job.means[static_cast<size_t>(cluster * job.dimensions + d)] / job.scale;
}

// Writes the coordinates of the mean, with blanks between them.
void show_mean(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const auto *job = static_cast<const Clustering *>(part->context);
  const VectorSum *sum = MRC_CONST_STATE(VectorSum, part, state);
  if (sum->size <= 2 || job == nullptr) return;
  std::string text;
  for (int64_t d = 0; d < sum->size - 2; ++d) {
    matrix::append_number(coordinate(*job, *sum, d), &text);
  }
  out->write(out, text.data(), text.size() - 1);
}

// Returns the means in the rows of a round.
std::vector<double> means_of(const Clustering &job, mrc_rows rows) {
  std::vector<double> means;
  for (size_t i = 0; i < rows.count; ++i) {
    const mrc_text cell = mrc_row_at(rows, i)->cells[1];
    const char *at = cell.data, *const end = at + cell.size;
    for (int64_t d = 0; d < job.dimensions; ++d) {
      double mean = 0;
      at = std::from_chars(at, end, mean).ptr + 1;
      means.push_back(mean * job.scale);
    }
  }
  return means;
}

int finish_round(void *self, int64_t number, mrc_rows rows) {
  auto *job = static_cast<Clustering *>(self);
  if (job->reading) return begin_rounds(job);
  std::vector<double> means = means_of(*job, rows);
  const bool changed = means != job->means;
  job->means = std::move(means);
  return changed && number != job->rounds ? MRC_AGAIN : MRC_DONE;
}

// ---- The plugin ------------------------------------------------------------------------

const mrc_type kValues[] = {MRC_TEXT};
const mrc_column kColumns[] = {{"points", show_points, nullptr, nullptr},
                               {"mean", nullptr, nullptr, show_mean}};

const mrc_reducer kReducer =
    vector_sum("cluster", "points and mean of a cluster", MRC_ARRAY(kColumns));
const mrc_reduction kReductions[] = {{&kReducer, nullptr, 0, nullptr}};

mrc_job make_job() {
  mrc_job job = {};
  job.size = sizeof job;
  job.shape = MRC_SPLITS;
  job.name = "kmeans";
  job.summary = "put points in groups around their means";
  job.manual =
      "The input is points: text, a line of numbers for each, or what NumPy saves (.npy) of\n"
      "integers of 32 bits. The answer is the clusters: number, how many points, and mean.\n"
      "They begin with the first points as means, or with some that a seed chooses.\n";
  job.options = MRC_ARRAY(kOptions);
  job.key_type = MRC_INTEGER;
  job.key_name = "cluster";
  job.values = kValues;
  job.value_count = 1;
  job.reductions = MRC_ARRAY(kReductions);
  job.open = open_job;
  job.close = close_job;
  job.split = split;
  job.begin = begin;
  job.map = map;
  job.end = end;
  job.round = finish_round;
  return job;
}

const mrc_job kJob = make_job();
const mrc_job *const kJobs[] = {&kJob, nullptr};
const mrc_plugin kPlugin = {sizeof(mrc_plugin),   MRC_ABI, "kmeans", "1",
                            "k-means clustering", kJobs,   nullptr};

}  // namespace

const mrc_plugin *mrc_plugin_v1(const mrc_host *mrc) {
  host = mrc;
  return &kPlugin;
}
