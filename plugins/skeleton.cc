// skeleton: counts lines by length and shows the longest of each class.
//
// A plugin for mrc to start from, in C++: a job with a mapper, a built-in reducer and its own
// reducer. mrc-plugin(3) explains the interface. It is a C interface: no exception may leave a
// function, and mrc creates, moves and frees states as bytes, without constructors.
//
//   make && mrc run ./skeleton.so sample.txt
#include "mrc_plugin.h"

#include <string_view>

namespace {

// ---- A reducer: the longest text ----------------------------------------------------------

// The state of a key. mrc fills a new state with zero bytes, "no text yet", and may move it.
struct Longest {
  char *data;  // memory from the arena of add, merge and load
  uint64_t size;
  uint64_t seen;  // 1 if there was a text: the longest may be empty

  std::string_view text() const { return {data, size}; }

  // Threads see the records in any order, so the result must not depend on it: of two texts of the
  // same length, the smaller one is kept. Texts are valid during the call only, so it is copied.
  void take(std::string_view other, mrc_arena *arena) {
    const bool better = !seen || other.size() > size || (other.size() == size && other < text());
    if (!better) return;
    if (other.size() > size) data = static_cast<char *>(arena->allocate(arena, other.size()));
    other.copy(data, other.size());
    size = other.size();
    seen = 1;
  }
};

// Folds the values of n records into the states of their keys. MRC_STATE finds this reducer's state
// among those of the job; part->value is the column of its values.
void add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
         mrc_arena *arena) {
  for (int64_t i = 0; i < n; ++i) {
    const mrc_text text = mrc_word_text(mrc_value(values, i, part->value));
    if (text.data == nullptr) continue;  // the value is missing
    MRC_STATE(Longest, part, states[i])->take({text.data, text.size}, arena);
  }
}

// Merges the states that several threads made for the same keys.
void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
           mrc_arena *arena) {
  for (int64_t i = 0; i < n; ++i) {
    const Longest *other = MRC_STATE(Longest, part, from[i]);
    if (other->seen) MRC_STATE(Longest, part, into[i])->take(other->text(), arena);
  }
}

// If memory is short, mrc moves states to a file: save writes the contents of a state, load
// restores them into a new one.
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

// The column of the output: writes the state as text.
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

// The data that the functions of the job share. open makes it from the options of --set.
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
  return 0;  // or: return host->fail("the reason");
}
void close(void *self) { delete static_cast<Settings *>(self); }

// Many threads call this at the same time, each with up to 1,024 records. For each line, it emits a
// key, the smallest length of its class, and a value, the line.
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

// The columns of the output: the number of lines, by a built-in reducer, and the longest line.
const mrc_reduction reductions[] = {{.builtin = "count"}, {.reducer = &longest, .value = 0}};

const mrc_job job = {
    .size = sizeof(mrc_job),
    .shape = MRC_LINES,  // the input of map
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

// The only symbol that mrc looks up.
const mrc_plugin *mrc_plugin_v1(const mrc_host *) { return &plugin; }
