// skeleton: lines by their length, how many there are, and the longest of each class.
//
// A plugin for mrc in C++, to begin from: a job with a mapper, a built-in reducer and one of
// its own. The interface is explained in mrc-plugin(3). It is C: no exception may leave a
// function, and a state is bytes that mrc makes, moves and forgets, without constructors.
//
//   make && mrc run ./skeleton.so sample.txt
#include "mrc_plugin.h"

#include <string_view>

namespace {

// ---- A reducer: the longest text ----------------------------------------------------------

// The state of a key. mrc makes it of zero bytes, "no text yet", and may move it.
struct Longest {
  char *data;  // memory of the arena that add, merge and load are given
  uint64_t size;
  uint64_t seen;  // whether there was a text at all: the longest may be empty

  std::string_view text() const { return {data, size}; }

  // The order of records is not known (threads!): of texts of the same length the smaller one
  // is kept. Texts are gone when the call is over, so it is copied.
  void take(std::string_view other, mrc_arena *arena) {
    const bool better = !seen || other.size() > size || (other.size() == size && other < text());
    if (!better) return;
    if (other.size() > size) data = static_cast<char *>(arena->allocate(arena, other.size()));
    other.copy(data, other.size());
    size = other.size();
    seen = 1;
  }
};

// MRC_STATE finds the reducer's own state among those of the job; part->value is the column of
// its values.
void add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
         mrc_arena *arena) {
  for (int64_t i = 0; i < n; ++i) {
    const mrc_text text = mrc_word_text(mrc_value(values, i, part->value));
    if (text.data == nullptr) continue;  // the value is missing
    MRC_STATE(Longest, part, states[i])->take({text.data, text.size}, arena);
  }
}

// What several threads have found for the same keys becomes one.
void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
           mrc_arena *arena) {
  for (int64_t i = 0; i < n; ++i) {
    const Longest *other = MRC_STATE(Longest, part, from[i]);
    if (other->seen) MRC_STATE(Longest, part, into[i])->take(other->text(), arena);
  }
}

// What is in a state that has memory of its own, for when it goes to a file; and back.
void save(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const Longest *own = MRC_CONST_STATE(Longest, part, state);
  out->write(out, &own->seen, sizeof own->seen);
  out->write(out, own->data, own->size);
}
void load(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena) {
  Longest *own = MRC_STATE(Longest, part, state);
  uint64_t seen;
  memcpy(&seen, saved.data, sizeof seen);
  if (seen) own->take({saved.data + sizeof seen, saved.size - sizeof seen}, arena);
}

// What is shown of a state.
void show(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const Longest *own = MRC_CONST_STATE(Longest, part, state);
  out->write(out, own->data, own->size);
}

const mrc_column columns[] = {{.name = "longest", .text = show}};
const mrc_type text_value[] = {MRC_TEXT};

const mrc_reducer longest = {
    .size = sizeof(mrc_reducer),
    .name = "longest",
    .summary = "the longest text",
    .state_bytes = sizeof(Longest),
    .add = add,
    .merge = merge,
    .save = save,
    .load = load,
    .columns = MRC_ARRAY(columns),
    .values = text_value,
    .value_count = 1,
};

// ---- A job --------------------------------------------------------------------------------

// What the job's functions share: made by open, from what the user says by --set.
struct Settings {
  int64_t base;
};

const mrc_option options[] = {{.name = "base",
                               .type = MRC_INTEGER,
                               .initial = "10",
                               .help = "classes of lengths are powers of it",
                               .least = 2,
                               .most = 1000}};

int open(const mrc_host *, mrc_settings values, void **self) {
  *self = new Settings{mrc_setting_at(values, 0)->integer};
  return 0;  // or: return host->fail("why not");
}
void close(void *self) { delete static_cast<Settings *>(self); }

// Up to 1,024 records at a time; many threads call this at once. For each line a key is emitted,
// the smallest length of its class, and a value for it: the line.
int map(void *self, void *, const mrc_records *records, mrc_emitter *out) {
  const int64_t base = static_cast<const Settings *>(self)->base;
  for (int64_t i = 0; i < records->count; ++i) {
    const mrc_text line = records->records[i];
    const auto size = static_cast<int64_t>(line.size);
    int64_t least = size > 0 ? 1 : 0;
    while (least > 0 && size / base >= least) least *= base;
    mrc_emit_integer(out, least)[0] = mrc_emit_text(out, line);
  }
  return 0;
}

// The columns of the answer: how many lines, by a reducer that mrc has, and the longest.
const mrc_reduction reductions[] = {{.builtin = "count"}, {.reducer = &longest, .value = 0}};

const mrc_job job = {
    .size = sizeof(mrc_job),
    .shape = MRC_LINES,  // what map gets
    .name = "skeleton",
    .summary = "count lines by their length, and show the longest",
    .manual =
        "Reads lines of text. For each class of lengths (1 to 9 bytes, 10 to 99, ...) prints\n"
        "the smallest length, how many lines there are, and the longest of them.",
    .options = MRC_ARRAY(options),
    .key_type = MRC_INTEGER,
    .key_name = "length",
    .values = text_value,
    .value_count = 1,
    .reductions = MRC_ARRAY(reductions),
    .open = open,
    .close = close,
    .map = map,
};

const mrc_job *const jobs[] = {&job, nullptr};
const mrc_reducer *const reducers[] = {&longest, nullptr};

const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "skeleton",
    .version = "1.0",
    .summary = "lines by their length",
    .jobs = jobs,
    .reducers = reducers,  // mrc stats -a longest:FIELD
};

}  // namespace

// The one symbol that mrc looks for.
const mrc_plugin *mrc_plugin_v1(const mrc_host *) { return &plugin; }
