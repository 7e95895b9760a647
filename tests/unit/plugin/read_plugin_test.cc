#include "plugin/read_plugin.h"

#include "mrc_reader.h"

#include <gtest/gtest.h>

#include <functional>

// What is not set is zero: that is what the interface promises.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace mrc {
namespace {

using std::string;

void add(const mrc_part *, mrc_state *const *, mrc_values, int64_t, mrc_arena *) {}
void merge(const mrc_part *, mrc_state *const *, mrc_state *const *, int64_t, mrc_arena *) {}
int64_t number(const mrc_part *, const mrc_state *) { return 0; }
double real(const mrc_part *, const mrc_state *) { return 0; }
int map(void *, void *, const mrc_records *, mrc_emitter *) { return 0; }
int split_of(void *, mrc_inputs, mrc_splits *) { return 0; }
int open_input(const mrc_host *, const char *, mrc_fields *, void **) { return 0; }
int begin(void *, const mrc_split *, const mrc_wanted *, void **) { return 0; }
int read_rows(void *, void *, uint64_t *, int64_t *) { return 0; }

constexpr mrc_type kInteger[] = {MRC_INTEGER}, kReals[] = {MRC_REAL, MRC_REAL};

// A plugin without a fault, until a test puts one in.
struct Sample {
  mrc_column column = {.name = "n", .integer = number};
  mrc_reducer reducer = {.size = sizeof(mrc_reducer),
                         .name = "r",
                         .state_bytes = 8,
                         .add = add,
                         .merge = merge,
                         .columns = {&column, 1, sizeof column},
                         .values = kInteger,
                         .value_count = 1};
  mrc_reduction reduction = {.reducer = &reducer};
  mrc_option options[2] = {
      {.name = "a", .type = MRC_INTEGER, .initial = "3", .help = "a", .least = 1, .most = 9},
      {.name = "b", .type = MRC_REAL, .initial = "0.5", .help = "b"}};
  mrc_job job = {.size = sizeof(mrc_job),
                 .name = "j",
                 .options = {options, 2, sizeof *options},
                 .key_type = MRC_TEXT,
                 .values = kInteger,
                 .value_count = 1,
                 .reductions = {&reduction, 1, sizeof reduction},
                 .map = map};
  const mrc_job *jobs[3] = {&job};
  const mrc_reducer *reducers[3] = {&reducer};
  mrc_reader reader = {
      .size = sizeof(mrc_reader), .open = open_input, .begin = begin, .read = read_rows};
  mrc_plugin plugin = {.size = sizeof(mrc_plugin),
                       .abi = MRC_ABI,
                       .name = "p",
                       .jobs = jobs,
                       .reducers = reducers,
                       .reader = &reader};

  Result<std::shared_ptr<const Plugin>> read() const {
    return PluginReader(&plugin, "p.so").read();
  }
};

string fault_of(const std::function<void(Sample *)> &put_in) {
  Sample sample;
  put_in(&sample);
  const auto plugin = sample.read();
  return plugin.is_ok() ? "" : plugin.status().message();
}
#define FAULT(...) fault_of([](Sample *s) { __VA_ARGS__; })

TEST(PluginReader, TakesASoundPlugin) {
  Sample sample;
  const auto plugin = sample.read();
  ASSERT_TRUE(plugin.is_ok()) << plugin.status().message();
  const mrc_job &job = *(*plugin)->jobs()[0];
  EXPECT_STREQ(job.options.at[1].name, "b");
  // A reducer that is named twice is one.
  EXPECT_EQ(job.reductions.at[0].reducer, (*plugin)->reducers()[0]);
}

// As with a header in which a column is larger, or an option in ours.
TEST(PluginReader, StridesArraysByTheirOwnSizes) {
  struct Larger {
    mrc_column column;
    int64_t added = 0;
  };
  Larger columns[2] = {{{.name = "n", .integer = number}}, {{.name = "m", .real = real}}};
  Sample sample;
  sample.reducer.columns = {&columns[0].column, 2, sizeof(Larger)};
  const auto plugin = sample.read();
  ASSERT_TRUE(plugin.is_ok()) << plugin.status().message();
  const mrc_columns &copies = (*plugin)->reducers()[0]->columns;
  EXPECT_EQ(copies.bytes, sizeof(mrc_column));
  EXPECT_STREQ(copies.at[1].name, "m");
  EXPECT_EQ(copies.at[1].real, &real);
  columns[1].added = 1;
  EXPECT_FALSE(sample.read().is_ok());
}

TEST(PluginReader, RefusesPluginsWithoutAnything) {
  EXPECT_EQ(FAULT(s->plugin.name = nullptr), "has no name");
  EXPECT_EQ(FAULT(s->jobs[0] = nullptr; s->plugin.reducers = nullptr), "");
  EXPECT_EQ(FAULT(s->jobs[0] = nullptr; s->plugin.reducers = nullptr; s->plugin.reader = nullptr),
            "offers neither jobs, nor reducers, nor a reader");
  EXPECT_EQ(FAULT(s->plugin.size = 40),
            "mrc_plugin says that its size is 40; it is at least 48: begin it with sizeof of its "
            "type");
  EXPECT_EQ(FAULT(s->plugin.abi = 0),
            "has version 0 of the plugin interface; this mrc has 1: build it again");
}

int open_reducer(const mrc_host *, mrc_settings, void **) { return 0; }

// The job of the sample has another reducer then.
void put_in_parameters(Sample *s) {
  s->jobs[0] = nullptr;
  s->reducer.parameters = {s->options, 2, sizeof *s->options};
  s->reducer.open = open_reducer;
}

TEST(PluginReader, TakesReducersWithParameters) {
  Sample sample;
  put_in_parameters(&sample);
  const auto plugin = sample.read();
  ASSERT_TRUE(plugin.is_ok()) << plugin.status().message();
  EXPECT_STREQ((*plugin)->reducers()[0]->parameters.at[1].name, "b");
  sample.reducer.size = 136;  // that of the first header
  const auto old = sample.read();
  ASSERT_TRUE(old.is_ok()) << old.status().message();
  EXPECT_EQ((*old)->reducers()[0]->parameters.count, 0U);
  EXPECT_EQ((*old)->reducers()[0]->open, nullptr);
}

TEST(PluginReader, RefusesParametersThatCannotBeGiven) {
  EXPECT_EQ(FAULT(put_in_parameters(s); s->reducer.open = nullptr),
            "reducer r has parameters, but no open, which would take them");
  EXPECT_EQ(FAULT(put_in_parameters(s); s->options[1].initial = nullptr),
            "reducer r: parameter b has no default, and one before it has");
  EXPECT_EQ(FAULT(put_in_parameters(s); s->options[1].name = "a"),
            "reducer r: parameter a is there twice");
  EXPECT_EQ(FAULT(put_in_parameters(s); s->options[0].initial = "10"),
            "reducer r: parameter a has an initial value beyond its limits");
  EXPECT_EQ(FAULT(s->jobs[0] = nullptr; s->reducer.close = [](void *) {}),
            "reducer r has close, but no open");
  EXPECT_EQ(FAULT(s->reducer.open = open_reducer),
            "job j: reducer r has open, which mrc stats calls; the job has its own");
}

TEST(PluginReader, RefusesNamesThatCannotBeTyped) {
  EXPECT_EQ(FAULT(s->job.name = nullptr), "a job's name is missing");
  EXPECT_EQ(FAULT(s->job.name = "-x"),
            "a job's name has other characters than letters, digits, _ and -");
  EXPECT_EQ(FAULT(s->reducer.name = "a b"),
            "job j: reduction 0: a reducer's name has other characters than letters, "
            "digits, _ and -");
  EXPECT_EQ(FAULT(s->jobs[1] = s->jobs[0]), "has two jobs \"j\"");
  EXPECT_EQ(FAULT(s->reducers[1] = s->reducers[0]), "has two reducers \"r\"");
}

TEST(PluginReader, RefusesReducersThatCannotWork) {
  const string r = "job j: reduction 0: reducer r ";
  EXPECT_EQ(FAULT(s->reducer.add = nullptr), r + "has no add");
  EXPECT_EQ(FAULT(s->reducer.merge = nullptr), r + "has no merge, and is not MRC_ORDERED");
  EXPECT_EQ(FAULT(s->reducer.merge = nullptr; s->reducer.flags = MRC_ORDERED), "");
  EXPECT_EQ(FAULT(s->reducer.flags = 6), r + "has flags that this mrc does not know");
  EXPECT_EQ(FAULT(s->reducer.state_bytes = 0),
            r + "has state_bytes 0; they are a multiple of 8, and at most 1 MiB");
  EXPECT_EQ(FAULT(s->reducer.state_bytes = 12),
            r + "has state_bytes 12; they are a multiple of 8, and at most 1 MiB");
  EXPECT_EQ(FAULT(s->reducer.save = [](auto, auto, auto) {}),
            r + "has one of save and load, but not the other");
  EXPECT_EQ(FAULT(s->reducer.reduce = [](auto, auto, auto, auto) {}),
            r + "has reduce, which is in place of add and merge, and one of them");
  EXPECT_EQ(FAULT(s->reducer.combine = [](auto, auto, auto, auto) { return int64_t{}; }),
            r + "has combine, but no reduce");
  EXPECT_EQ(FAULT(s->reducer.columns.count = 0), r + "has no columns");
  EXPECT_EQ(FAULT(s->reducer.columns.at = nullptr),
            "job j: reduction 0: reducer r: an array of 1 is NULL");
  EXPECT_EQ(FAULT(s->column.real = real),
            "job j: reduction 0: reducer r: column 0 has 2 of the functions integer, real and "
            "text; it needs one");
  EXPECT_EQ(FAULT(s->column.name = ""), "job j: reduction 0: reducer r: column 0 has no name");
}

TEST(PluginReader, RefusesValuesThatReducersDoNotWant) {
  EXPECT_EQ(FAULT(s->job.values = kReals),
            "job j: value 0 is MRC_REAL, and reducer r wants MRC_INTEGER");
  EXPECT_EQ(FAULT(s->reduction.value = 1),
            "job j: reducer r takes 1 from value 1, and there are 1");
  EXPECT_EQ(FAULT(s->reduction.reducer = nullptr),
            "job j: reduction 0 needs either a reducer or the name of a built-in one");
  EXPECT_EQ(FAULT(s->reduction.reducer = nullptr; s->reduction.builtin = "mode"),
            "job j: reduction 0: there is no built-in reducer \"mode\"; there are count, sum, min "
            "and max");
}

TEST(PluginReader, RefusesFieldsThatNoMapCanGet) {
  static constexpr mrc_field kFields[] = {{"user", MRC_TEXT}, {"time", MRC_TIME}};
  static constexpr mrc_field kUnknown[] = {{"user", 4}}, kNameless[] = {{"", MRC_TEXT}};
  EXPECT_EQ(FAULT(s->job.shape = MRC_ROWS; s->job.fields = MRC_ARRAY(kFields)), "");
  EXPECT_EQ(FAULT(s->job.shape = MRC_ROWS), "job j has the shape MRC_ROWS, but no fields");
  EXPECT_EQ(FAULT(s->job.fields = MRC_ARRAY(kFields)),
            "job j has fields, but not the shape MRC_ROWS");
  EXPECT_EQ(FAULT(s->job.shape = MRC_ROWS; s->job.fields = MRC_ARRAY(kUnknown)),
            "job j: field 0 has an unknown type");
  EXPECT_EQ(FAULT(s->job.shape = MRC_ROWS; s->job.fields = MRC_ARRAY(kNameless)),
            "job j: field 0 has no name");
  EXPECT_EQ(FAULT(s->job.shape = MRC_ROWS; s->job.fields = MRC_ARRAY(kFields); s->job.map = nullptr;
                  s->job.value_count = 0; s->job.reductions.count = 0),
            "job j has fields, but no map, which would get them");
  EXPECT_EQ(FAULT(static constexpr mrc_type kTimes[] = {MRC_TIME}; s->job.values = kTimes),
            "job j has a value of an unknown type");
}

TEST(PluginReader, RefusesJobsThatCannotWork) {
  EXPECT_EQ(FAULT(s->job.shape = 6), "job j has an unknown shape");
  EXPECT_EQ(FAULT(s->job.shape = MRC_SPLITS), "job j has the shape MRC_SPLITS, but no split");
  EXPECT_EQ(FAULT(s->job.split = split_of), "job j has split, but not the shape MRC_SPLITS");
  EXPECT_EQ(FAULT(s->job.shape = MRC_FIXED),
            "job j has record_bytes, or has the shape MRC_FIXED: one belongs to the other");
  EXPECT_EQ(FAULT(s->job.key_type = MRC_REAL),
            "job j has a key_type that is neither MRC_TEXT nor MRC_INTEGER");
  EXPECT_EQ(FAULT(s->job.map = nullptr), "job j has no map, which would make its values");
  EXPECT_EQ(FAULT(s->job.header = [](auto, auto) {}), "job j has header, but no format");
}

TEST(PluginReader, RefusesReadersThatCannotWork) {
  EXPECT_EQ(FAULT(s->reader.open = nullptr), "the reader has no open");
  EXPECT_EQ(FAULT(s->reader.begin = nullptr), "the reader has no begin");
  EXPECT_EQ(FAULT(s->reader.read = nullptr), "the reader has no read");
  EXPECT_EQ(FAULT(s->reader.flags = 2), "the reader has flags that this mrc does not know");
  EXPECT_EQ(FAULT(s->reader.size = 8),
            "the reader says that its size is 8; it is at least 64: begin it with sizeof of its "
            "type");
}

// A plugin of the first header has a struct without a reader.
TEST(PluginReader, TakesNoReaderFromAStructThatHasNone) {
  Sample sample;
  sample.plugin.size = 48;
  EXPECT_EQ((*sample.read())->reader(), nullptr);
}

TEST(PluginReader, RefusesOptionsThatCannotBeSet) {
  EXPECT_EQ(FAULT(s->options[1].name = "a"), "job j: option a is there twice");
  EXPECT_EQ(FAULT(s->options[1].help = nullptr), "job j: option b has no help");
  EXPECT_EQ(FAULT(s->options[1].initial = "half"),
            "job j: option b has an initial value that is no number");
  EXPECT_EQ(FAULT(s->options[0].initial = "10"),
            "job j: option a has an initial value beyond its limits");
}

}  // namespace
}  // namespace mrc
