// Jobs with functions that fail, throw, crash or never return, as options say: where=FUNCTION
// what=FAULT.
#include "mrc_plugin.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

const mrc_host *the_host;
std::string where, what;
int context;

void use_threads() {
  std::vector<void *> pieces(64);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&pieces, i] {
      for (size_t j = static_cast<size_t>(i); j < pieces.size(); j += 4) {
        pieces[j] = std::malloc(1 << (j % 20));
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  std::thread([&] {
    for (void *piece : pieces) std::free(piece);
  }).join();
}

// What is done in a function of that name.
int act(const char *function) {
  if (where != function) return 0;
  if (what == "fail") return the_host->fail("because of it");
  if (what == "silent") return -7;
  if (what == "throw") throw std::runtime_error("a thing");
  if (what == "throw-int") throw 3;
  if (what == "crash") *static_cast<volatile int *>(nullptr) = 1;
  if (what == "abort") std::abort();
  if (what == "bus") raise(SIGBUS);
  if (what == "exit") std::exit(0);
  if (what == "threads") use_threads();
  if (what == "thread-fails") std::thread([] { the_host->fail("far away"); }).join();
  while (what == "loop") usleep(1000);
  return 0;
}

// ---- A reducer ---------------------------------------------------------------------------

int64_t *number(const mrc_part *part, mrc_state *state) { return MRC_STATE(int64_t, part, state); }
void add(const mrc_part *part, mrc_state *const *states, mrc_values, int64_t n, mrc_arena *) {
  act("add");
  for (int64_t i = 0; i < n; ++i) ++*number(part, states[i]);
}
void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
           mrc_arena *) {
  act("merge");
  for (int64_t i = 0; i < n; ++i) *number(part, into[i]) += *number(part, from[i]);
}
void init(const mrc_part *, mrc_state *) { act("init"); }
void destroy(const mrc_part *, mrc_state *) { act("destroy"); }
void save(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  act("save");
  out->write(out, state + part->offset, sizeof(int64_t));
}
void load(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *) {
  act("load");
  memcpy(number(part, state), saved.data, sizeof(int64_t));
}
int64_t shown(const mrc_part *part, const mrc_state *state) {
  act("columns");
  return *MRC_CONST_STATE(int64_t, part, state);
}
void reduce(const mrc_part *, mrc_text, mrc_list list, mrc_out *out) {
  act("reduce");
  mrc_write(out, std::to_string(list.count).c_str());
}
int64_t combine(const mrc_part *, uint64_t *, int64_t, int64_t n) {
  act("combine");
  return what == "too-many" && where == "combine" ? n + 1 : n;
}

// ---- Jobs --------------------------------------------------------------------------------

int open_job(const mrc_host *, mrc_settings settings, void **self) {
  where = mrc_setting_at(settings, 0)->text.data;
  what = mrc_setting_at(settings, 1)->text.data;
  *self = &context;
  return act("open");
}
void close_job(void *) { act("close"); }
int begin(void *, void **worker) {
  *worker = &context;
  return act("begin");
}
int end(void *, void *worker, mrc_emitter *out) {
  if (worker != &context) std::abort();  // it never began
  if (where == "end" && what == "bad") mrc_bad(out, {nullptr, 0}, "nothing");
  return act("end");
}
int map(void *, void *, const mrc_records *records, mrc_emitter *out) {
  if (const int result = act("map"); result != 0) return result;
  if (where == "map" && what == "integers") *mrc_emit_integer(out, 5) = 1;
  const auto emit = [&](mrc_text key) { mrc_emit(out, key)[0] = 1; };
  for (int64_t i = 0; i < records->count; ++i) emit(records->records[i]);
  if (records->records == nullptr) emit(records->bytes);
  if (where != "map") return 0;
  if (what == "too-many") out->count = MRC_BATCH + 1;
  if (what == "too-few") out->count = -1;
  if (what == "bad-elsewhere") mrc_bad(out, {where.data(), 1}, "is elsewhere");
  if (what == "bad-for-nothing") mrc_bad(out, records->bytes, nullptr);
  return 0;
}
void order(void *, const mrc_row *row, mrc_out *out) {
  act("order");
  out->write(out, row->key.data, row->key.size);
}
int compare(void *, mrc_text a, mrc_text b) {
  act("compare");
  if (where == "compare" && what == "contradicts") return -1;
  const size_t size = a.size < b.size ? a.size : b.size;
  const int order = memcmp(a.data, b.data, size);
  return order != 0 ? order : a.size < b.size ? -1 : a.size > b.size;
}
void format(void *, const mrc_row *row, mrc_out *out) {
  act("format");
  out->write(out, row->key.data, row->key.size);
  mrc_write(out, "\n");
}
void header(void *, mrc_out *) { act("header"); }
int round_end(void *, int64_t number, mrc_rows) {
  if (where == "round" && what == "again") return number == 2 ? MRC_DONE : MRC_AGAIN;
  return act("round");
}
void show(void *, const mrc_progress *, mrc_rows) { act("show"); }

int split(void *, mrc_inputs inputs, mrc_splits *splits) {
  const auto add_split = [&](int64_t input, int64_t begin, int64_t end_at) {
    mrc_add_split(splits, {input, begin, end_at, 0});
  };
  const auto size = static_cast<int64_t>(inputs.count == 0 ? 0 : inputs.at[0].bytes.size);
  if (where == "split") {
    if (what == "behind") add_split(0, 0, size + 1);
    if (what == "before") add_split(0, -1, 0);
    if (what == "backwards") add_split(0, 2, 1);
    if (what == "elsewhere") add_split(static_cast<int64_t>(inputs.count), 0, 0);
    if (what == "nowhere") add_split(-1, 0, 0);
  }
  for (size_t i = 0; i < inputs.count; ++i) {
    const auto bytes = static_cast<int64_t>(inputs.at[i].bytes.size);
    add_split(static_cast<int64_t>(i), 0, bytes / 2);
    add_split(static_cast<int64_t>(i), bytes / 2, bytes);
  }
  return act("split");
}
int acquire(void *, const mrc_split *, mrc_text *bytes) {
  if (const int result = act("acquire"); result != 0) return result;
  *bytes = {strdup("acquired"), 8};
  return 0;
}
void release(void *, const mrc_split *, mrc_text bytes) {
  std::free(const_cast<char *>(bytes.data));
  act("release");
}

// ---- Tables --------------------------------------------------------------------------------

const mrc_type kInteger[] = {MRC_INTEGER};
const mrc_column kColumns[] = {{"number", shown, nullptr, nullptr}};
const mrc_option kOptions[] = {{"where", MRC_TEXT, "", "in which function", 0, 0},
                               {"what", MRC_TEXT, "", "what goes wrong", 0, 0}};
mrc_reducer number_reducer, list_reducer;
mrc_reduction folds[1], lists[1];
mrc_job lines, listed, splits, acquired, formatted, compared;
const mrc_job *const jobs[] = {&lines, &listed, &splits, &acquired, &formatted, &compared, nullptr};
const mrc_reducer *const reducers[] = {&number_reducer, nullptr};
mrc_plugin plugin;

mrc_job named(const char *name) {
  mrc_job job = {};
  job.size = sizeof job;
  job.name = name;
  job.options = MRC_ARRAY(kOptions);
  job.key_type = MRC_TEXT;
  job.values = kInteger;
  job.value_count = 1;
  job.reductions = MRC_ARRAY(folds);
  job.open = open_job;
  job.close = close_job;
  job.begin = begin;
  job.map = map;
  job.end = end;
  return job;
}

void make_reducers() {
  number_reducer.size = sizeof number_reducer;
  number_reducer.name = "number";
  number_reducer.state_bytes = 8;
  number_reducer.add = add;
  number_reducer.merge = merge;
  number_reducer.save = save;
  number_reducer.load = load;
  number_reducer.init = init;
  number_reducer.destroy = destroy;
  number_reducer.columns = MRC_ARRAY(kColumns);
  number_reducer.values = kInteger;
  number_reducer.value_count = 1;
  list_reducer.size = sizeof list_reducer;
  list_reducer.name = "listed";
  list_reducer.reduce = reduce;
  list_reducer.combine = combine;
  list_reducer.values = kInteger;
  list_reducer.value_count = 1;
  folds[0].reducer = &number_reducer;
  lists[0].reducer = &list_reducer;
}

void make_jobs() {
  lines = named("lines");
  lines.order = order;
  lines.round = round_end;
  lines.show = show;
  listed = named("listed");
  listed.reductions = MRC_ARRAY(lists);
  splits = named("splits");
  splits.shape = MRC_SPLITS;
  splits.split = split;
  acquired = splits;
  acquired.name = "acquired";
  acquired.acquire = acquire;
  acquired.release = release;
  formatted = named("formatted");
  formatted.format = format;
  formatted.header = header;
  compared = named("compared");
  compared.compare = compare;
}

}  // namespace

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  the_host = host;
  make_reducers();
  make_jobs();
  plugin.size = sizeof plugin;
  plugin.abi = MRC_ABI;
  plugin.name = "failing";
  plugin.jobs = jobs;
  plugin.reducers = reducers;
  return &plugin;
}
