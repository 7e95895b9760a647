// Plugins of mrc in C++20, without pointers to states, casts or sizes. mrc-plugin(3) explains what
// jobs and reducers are; mrc_plugin.h is the C interface below this header.
//
//   #include <mrc.hpp>
//
//   struct Longest {                                        // a reducer: the state of a key
//     static constexpr const char *name = "longest", *summary = "the length of the longest text";
//     int64_t bytes;
//     void add(std::string_view text) { bytes = std::max(bytes, int64_t(text.size())); }
//     void merge(const Longest &other) { bytes = std::max(bytes, other.bytes); }
//     int64_t result() const { return bytes; }
//   };
//   MRC_PLUGIN("longest", "1.0", "longest texts", mrc::jobs<>, mrc::reducers<Longest>)
//
// A reducer is a struct that can be copied as bytes, whose zero bytes are a new state:
//   add(VALUES..., [Memory])   takes the values of a record: mrc stats -a 'NAME(X, Y)'. Their types
//   are int64_t, double and
//                              std::string_view; records in which one is missing are left out,
//                              unless its type is std::optional of these. Texts are valid during
//                              the call: Memory copies them.
//   merge(const STATE &, [Memory])   takes what another thread has added
//   save(Out) const, load(std::string_view, Memory)   for states with memory: all of it as bytes
//   result() const             int64_t, double, std::string_view, std::string or std::optional of
//                              these; or result(Out) const, which writes the text
//   columns                    instead of result, for several: an array of
//   mrc::column<&STATE::f>("f")
//
// A job is a class that is made from (const mrc::Settings &) or from nothing:
//   name, summary, manual, options, key_name, shape, record_bytes   as in mrc_job
//   Key                        int64_t or std::string_view, which is the default
//   Values                     std::tuple of what is emitted with a key; the default is none
//   reductions                 an array of mrc::builtin("sum", COLUMN) and mrc::by<STATE>(COLUMN)
//   map(RECORD, mrc::Emitter<JOB> &) const   for each record. With a Worker, which is a struct that
//                              each thread has of its own, map(RECORD, Worker &, Emitter &) const
//                              and end(Worker &, Emitter &) const.
//   fields                     an array of names or expressions, as in mrc stats -k. Then mrc reads
//                              the records, and their values are the arguments of map in place of
//                              RECORD: map(FIELDS..., Emitter &) const. Their types are those of
//                              add, and mrc::Time; records in which one is missing are left out,
//                              unless its type is std::optional. Emitter::record() is all of one.
//   order(mrc::Row, mrc::Out) const, format(mrc::Row, mrc::Out) const, header(mrc::Out) const
//   bool round(int64_t number, mrc::Rows)   true: another round follows
//
// Exceptions end the job with their text; those of add, merge, save, load, order and format end
// the process, as a fault there does.
#pragma once

#include "mrc_reducer.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace mrc {
inline namespace plugin_v1 {

// ---- Jobs --------------------------------------------------------------------------------------

// The values of --set, in the order of the job's options.
class Settings {
 public:
  explicit Settings(mrc_settings settings) : settings_(settings) {}
  int64_t integer(size_t i) const { return mrc_setting_at(settings_, i)->integer; }
  double real(size_t i) const { return mrc_setting_at(settings_, i)->real; }
  std::string_view text(size_t i) const { return view_of(mrc_setting_at(settings_, i)->text); }

 private:
  mrc_settings settings_;
};

// A built-in reducer of a job, and one of its own, of the value in this column. Its column gets
// the name, if there is one.
constexpr mrc_reduction builtin(const char *reducer, int64_t column = 0,
                                const char *name = nullptr) {
  return {.reducer = nullptr, .builtin = reducer, .value = column, .name = name};
}
template <class State>
constexpr mrc_reduction by(int64_t column = 0, const char *name = nullptr) {
  return {.reducer = &reducer<State>, .builtin = nullptr, .value = column, .name = name};
}

template <class Job>
struct KeyOf {
  using Type = std::string_view;
};
template <class Job>
  requires requires { typename Job::Key; }
struct KeyOf<Job> {
  using Type = typename Job::Key;
};
template <class Job>
struct ValuesOf {
  using Type = std::tuple<>;
};
template <class Job>
  requires requires { typename Job::Values; }
struct ValuesOf<Job> {
  using Type = typename Job::Values;
};
// The values of a field that is a time.
using Time = std::chrono::sys_time<std::chrono::nanoseconds>;
template <>
struct Word<Time> {
  static constexpr mrc_type type = MRC_TIME;
  static std::optional<Time> value(uint64_t word) {
    const std::optional<int64_t> since = Word<int64_t>::value(word);
    return since ? std::optional(Time(std::chrono::nanoseconds(*since))) : std::nullopt;
  }
};

// The fields that a job names, with the types of the arguments of map.
template <class Function>
struct ArgumentsOf;
template <class Job, class... All>
struct ArgumentsOf<void (Job::*)(All...) const> {
  using Types = std::tuple<std::remove_cvref_t<All>...>;
};
template <class Job>
struct FieldsOf {
  using Arguments = typename ArgumentsOf<decltype(&Job::map)>::Types;
  static constexpr size_t count = std::size(Job::fields);
  // The worker, if there is one, and the emitter are the last arguments.
  static constexpr bool has_worker = requires { typename Job::Worker; };
  static_assert(std::tuple_size_v<Arguments> == count + (has_worker ? 2 : 1),
                "map takes an argument for each of the job's fields");
  template <size_t i>
  using Type = std::tuple_element_t<i, Arguments>;
  template <size_t... I>
  static constexpr std::array<mrc_field, count> list(std::index_sequence<I...>) {
    return {mrc_field{Job::fields[I], Word<Type<I>>::type}...};
  }
  static constexpr std::array<mrc_field, count> at = list(std::make_index_sequence<count>());
};

template <class Tuple>
struct TypesOf;
template <class... Values>
struct TypesOf<std::tuple<Values...>> {
  using Type = Types<Values...>;
};

template <class Job>
class JobOf;

// Takes what map emits. Keys and texts are those of the record, or what keep returns.
template <class Job>
class Emitter {
 public:
  using Key = typename KeyOf<Job>::Type;
  static_assert(std::is_same_v<Key, int64_t> || std::is_same_v<Key, std::string_view>);

  explicit Emitter(mrc_emitter *out) : out_(out) {}

  template <class... Values>
  void emit(Key key, const Values &...values) {
    static_assert(sizeof...(Values) == std::tuple_size_v<typename ValuesOf<Job>::Type>,
                  "emit the values that the job's Values lists");
    put(key, std::index_sequence_for<Values...>(), values...);
  }
  // A copy that is valid until after the next emit.
  std::string_view keep(std::string_view text) { return view_of(mrc_keep(out_, text_of(text))); }
  // Skips a malformed record: this one, or a part of it. The reason is a constant.
  void bad(const char *reason) { bad(record_, reason); }
  void bad(std::string_view record, const char *reason) { mrc_bad(out_, text_of(record), reason); }
  // The record that map was called for.
  std::string_view record() const { return record_; }

 private:
  template <class Of>
  friend class JobOf;

  template <size_t... I, class... Values>
  void put(Key key, std::index_sequence<I...>, const Values &...values) {
    using Wanted = typename ValuesOf<Job>::Type;
    uint64_t *words;
    if constexpr (std::is_same_v<Key, int64_t>) {
      words = mrc_emit_integer(out_, key);
    } else {
      words = mrc_emit(out_, text_of(key));
    }
    ((words[I] = word(std::tuple_element_t<I, Wanted>(values))), ...);
  }
  uint64_t word(int64_t value) { return static_cast<uint64_t>(value); }
  uint64_t word(double value) { return mrc_real_word(value); }
  uint64_t word(std::string_view value) { return mrc_emit_text(out_, text_of(value)); }
  template <class Value>
  uint64_t word(const std::optional<Value> &value) {
    if (value) return word(*value);
    if constexpr (std::is_same_v<Value, std::string_view>) {
      return 0;
    } else if constexpr (std::is_same_v<Value, double>) {
      return word(std::numeric_limits<double>::quiet_NaN());
    } else {
      return word(MRC_NO_INTEGER);
    }
  }

  mrc_emitter *out_;
  std::string_view record_;
};

// A row of the answer.
class Row {
 public:
  explicit Row(const mrc_row *row, size_t cells) : row_(row), cells_(cells) {}
  std::string_view key() const { return view_of(row_->key); }
  int64_t integer() const { return row_->integer; }  // the key of a job with integer keys
  std::string_view cell(size_t i) const { return view_of(row_->cells[i]); }
  size_t cells() const { return cells_; }

 private:
  const mrc_row *row_;
  size_t cells_;
};

class Rows {
 public:
  explicit Rows(mrc_rows rows) : rows_(rows) {}
  size_t size() const { return rows_.count; }
  Row operator[](size_t i) const { return Row(mrc_row_at(rows_, i), rows_.cells); }

 private:
  mrc_rows rows_;
};

template <class Job>
class JobOf {
  static constexpr bool has_worker = requires { typename Job::Worker; };
  static constexpr bool has_fields = requires { Job::fields; };
  template <class Each>
  static int guarded(const Each &each) {
    try {
      each();
      return 0;
    } catch (const std::exception &error) {
      return host->fail(error.what());
    } catch (...) {
      return host->fail("an exception without a text");
    }
  }
  static Job &job(void *self) { return *static_cast<Job *>(self); }

  static int open(const mrc_host *, mrc_settings values, void **self) {
    return guarded([&] {
      if constexpr (std::is_constructible_v<Job, const Settings &>) {
        *self = new Job(Settings(values));
      } else {
        *self = new Job();
      }
    });
  }
  static void close(void *self) { delete static_cast<Job *>(self); }

  static int begin(void *, void **worker) {
    return guarded([&] {
      if constexpr (has_worker) *worker = new typename Job::Worker();
    });
  }
  static int end(void *self, void *worker, mrc_emitter *out) {
    return guarded([&] {
      if constexpr (has_worker) {
        const std::unique_ptr<typename Job::Worker> own(
            static_cast<typename Job::Worker *>(worker));
        Emitter<Job> emitter(out);
        if constexpr (requires(const Job &of) { of.end(*own, emitter); }) {
          std::as_const(job(self)).end(*own, emitter);
        }
      }
    });
  }
  // Calls map with a record, or with the values of its fields.
  template <class... Values>
  static void map_one(const Job &job, void *worker, Emitter<Job> *out, const Values &...values) {
    if constexpr (has_worker) {
      job.map(values..., *static_cast<typename Job::Worker *>(worker), *out);
    } else {
      job.map(values..., *out);
    }
  }
  template <size_t... I>
  static void map_row(const Job &job, void *worker, Emitter<Job> *out, const uint64_t *words,
                      std::index_sequence<I...>) {
    const std::tuple values(Word<typename FieldsOf<Job>::template Type<I>>::value(words[I])...);
    if ((std::get<I>(values) && ...)) map_one(job, worker, out, *std::get<I>(values)...);
  }
  static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
    return guarded([&] {
      const Job &own = job(self);
      Emitter<Job> emitter(out);
      const bool are_many = records->records != nullptr;
      for (int64_t i = 0; i < (are_many ? records->count : 1); ++i) {
        emitter.record_ = view_of(are_many ? records->records[i] : records->bytes);
        if constexpr (has_fields) {
          map_row(own, worker, &emitter, records->values.words + i * records->values.width,
                  std::make_index_sequence<FieldsOf<Job>::count>());
        } else {
          map_one(own, worker, &emitter, emitter.record_);
        }
      }
    });
  }

  static size_t cells() {
    size_t all = 0;
    if constexpr (requires { Job::reductions; }) {
      for (const mrc_reduction &one : Job::reductions) {
        all += one.reducer == nullptr ? 1 : one.reducer->columns.count;
      }
    }
    return all == 0 ? 1 : all;  // the count of the key
  }
  static void order(void *self, const mrc_row *row, mrc_out *out) {
    std::as_const(job(self)).order(Row(row, cells()), Out(out));
  }
  static void format(void *self, const mrc_row *row, mrc_out *out) {
    std::as_const(job(self)).format(Row(row, cells()), Out(out));
  }
  static void header(void *self, mrc_out *out) { std::as_const(job(self)).header(Out(out)); }
  static int round(void *self, int64_t number, mrc_rows rows) {
    bool again = false;
    const int status = guarded([&] { again = job(self).round(number, Rows(rows)); });
    return status != 0 ? status : again ? MRC_AGAIN : MRC_DONE;
  }

 public:
  static constexpr mrc_job made() {
    using Values = typename TypesOf<typename ValuesOf<Job>::Type>::Type;
    mrc_job made{};
    made.size = sizeof made;
    made.name = Job::name;
    made.summary = Job::summary;
    if constexpr (requires { Job::manual; }) made.manual = Job::manual;
    if constexpr (requires { Job::shape; }) made.shape = Job::shape;
    if constexpr (requires { Job::record_bytes; }) made.record_bytes = Job::record_bytes;
    if constexpr (requires { Job::options; }) made.options = MRC_ARRAY(Job::options);
    if constexpr (requires { Job::key_name; }) made.key_name = Job::key_name;
    made.key_type = Word<typename KeyOf<Job>::Type>::type;
    made.values = Values::at;
    made.value_count = Values::count;
    if constexpr (requires { Job::reductions; }) made.reductions = MRC_ARRAY(Job::reductions);
    made.open = open;
    made.close = close;
    if constexpr (has_worker) {
      made.begin = begin;
      made.end = end;
    }
    made.map = map;
    if constexpr (has_fields) {
      made.shape = MRC_ROWS;
      made.fields = {FieldsOf<Job>::at.data(), FieldsOf<Job>::count, sizeof(mrc_field)};
    }
    if constexpr (requires { &Job::order; }) made.order = order;
    if constexpr (requires { &Job::format; }) made.format = format;
    if constexpr (requires { &Job::header; }) made.header = header;
    if constexpr (requires { &Job::round; }) made.round = round;
    return made;
  }
};

template <class Job>
inline constexpr mrc_job job = JobOf<Job>::made();

// The lists of a plugin, for MRC_PLUGIN.
template <class... Jobs>
inline constexpr const mrc_job *jobs[] = {&job<Jobs>..., nullptr};
template <class... States>
inline constexpr const mrc_reducer *reducers[] = {&reducer<States>..., nullptr};
struct Lists {
  const mrc_job *const *jobs;
  const mrc_reducer *const *reducers;
};
constexpr Lists lists(const mrc_job *const *jobs, const mrc_reducer *const *reducers = nullptr) {
  return {jobs, reducers};
}

}  // namespace plugin_v1
}  // namespace mrc

// The plugin, once, outside of namespaces. The lists have commas, so they are the rest.
#define MRC_PLUGIN(plugin_name, plugin_version, plugin_summary, ...)                        \
  const mrc_plugin *mrc_plugin_v1(const mrc_host *loads) {                                  \
    static constexpr auto kLists = mrc::lists(__VA_ARGS__);                                 \
    static constexpr mrc_plugin kPlugin = {sizeof(mrc_plugin), MRC_ABI,        plugin_name, \
                                           plugin_version,     plugin_summary, kLists.jobs, \
                                           kLists.reducers,    nullptr};                    \
    mrc::host = loads;                                                                      \
    return &kPlugin;                                                                        \
  }
