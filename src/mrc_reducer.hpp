// Reducers of plugins in C++: the part of mrc.hpp below jobs. mrc.hpp tells what a reducer may
// have.
#pragma once

#include "mrc_plugin.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace mrc {
// The version keeps the names of plugins apart from those of mrc.
inline namespace plugin_v1 {

inline mrc_text text_of(std::string_view text) {
  return {text.data() == nullptr ? "" : text.data(), text.size()};
}
inline std::string_view view_of(mrc_text text) { return {text.data, text.size}; }

// Memory of a state: it lasts as long as the state, and is never given back before.
class Memory {
 public:
  explicit Memory(mrc_arena *arena) : arena_(arena) {}
  std::string_view copy(std::string_view text) const {
    char *copied = static_cast<char *>(arena_->allocate(arena_, text.size()));
    text.copy(copied, text.size());
    return {copied, text.size()};
  }
  // Zeroed room for n values.
  template <class Value>
  Value *array(size_t n) const {
    static_assert(std::is_trivially_copyable_v<Value> && alignof(Value) <= 8);
    auto *first = static_cast<Value *>(arena_->allocate(arena_, n * sizeof(Value)));
    std::uninitialized_value_construct_n(first, n);
    return first;
  }

 private:
  mrc_arena *arena_;
};

// Takes bytes, in order.
class Out {
 public:
  explicit Out(mrc_out *out) : out_(out) {}
  void write(std::string_view text) const { out_->write(out_, text.data(), text.size()); }
  void write(int64_t number) const { write(std::string_view(std::to_string(number))); }
  // The bytes of a value, for save.
  template <class Value>
  void bytes(const Value &value) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    out_->write(out_, &value, sizeof value);
  }

 private:
  mrc_out *out_;
};

// Takes a value from the front of bytes that Out::bytes wrote.
template <class Value>
Value take(std::string_view *bytes) {
  static_assert(std::is_trivially_copyable_v<Value>);
  Value value{};
  std::memcpy(&value, bytes->data(), std::min(sizeof value, bytes->size()));
  bytes->remove_prefix(std::min(sizeof value, bytes->size()));
  return value;
}

// The host, from when the plugin is loaded.
inline const mrc_host *host = nullptr;
inline void note(const std::string &text) { host->note(text.c_str()); }

// ---- Values ------------------------------------------------------------------------------------

// How a C++ type is in a word of mrc.
template <class Value>
struct Word;

template <>
struct Word<int64_t> {
  static constexpr mrc_type type = MRC_INTEGER;
  static std::optional<int64_t> value(uint64_t word) {
    const auto integer = static_cast<int64_t>(word);
    return integer == MRC_NO_INTEGER ? std::nullopt : std::optional(integer);
  }
};
template <>
struct Word<double> {
  static constexpr mrc_type type = MRC_REAL;
  static std::optional<double> value(uint64_t word) {
    const double real = mrc_word_real(word);
    return real != real ? std::nullopt : std::optional(real);
  }
};
template <>
struct Word<std::string_view> {
  static constexpr mrc_type type = MRC_TEXT;
  static std::optional<std::string_view> value(uint64_t word) {
    const mrc_text text = mrc_word_text(word);
    return text.data == nullptr ? std::nullopt : std::optional(view_of(text));
  }
};
template <class Value>
struct Word<std::optional<Value>> {
  static constexpr mrc_type type = Word<Value>::type;
  static std::optional<std::optional<Value>> value(uint64_t word) {
    return std::optional(Word<Value>::value(word));
  }
};

// The types that a list of words has, as mrc wants them. The array is never empty.
template <class... Values>
struct Types {
  static constexpr size_t count = sizeof...(Values);
  static constexpr mrc_type at[] = {Word<Values>::type..., MRC_TEXT};
  using Tuple = std::tuple<Values...>;
};

// ---- Reducers ----------------------------------------------------------------------------------

// The values of `add`, without the memory after them.
template <class Function>
struct Taken;
template <class State, class... Arguments>
struct Taken<void (State::*)(Arguments...)> {
  template <class Done, class... Left>
  struct Split;
  template <class... Done>
  struct Split<Types<Done...>> {
    using Values = Types<Done...>;
    static constexpr bool memory = false;
  };
  template <class... Done>
  struct Split<Types<Done...>, Memory> {
    using Values = Types<Done...>;
    static constexpr bool memory = true;
  };
  template <class... Done, class First, class... Left>
  struct Split<Types<Done...>, First, Left...> : Split<Types<Done..., First>, Left...> {};
  using All = Split<Types<>, std::remove_cvref_t<Arguments>...>;
  using Values = typename All::Values;
  static constexpr bool memory = All::memory;
};

template <class Value>
struct Unwrapped {
  using Type = Value;
  static constexpr bool is_optional = false;
};
template <class Value>
struct Unwrapped<std::optional<Value>> {
  using Type = Value;
  static constexpr bool is_optional = true;
};

// The three functions of a column, of which a result's type chooses one.
template <class State, auto member>
struct Shown {
  static const State &own(const mrc_part *part, const mrc_state *state) {
    return *MRC_CONST_STATE(State, part, state);
  }
  static int64_t integer(const mrc_part *part, const mrc_state *state) {
    const std::optional<int64_t> value = (own(part, state).*member)();
    return value.value_or(MRC_NO_INTEGER);
  }
  static double real(const mrc_part *part, const mrc_state *state) {
    const std::optional<double> value = (own(part, state).*member)();
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  static void text(const mrc_part *part, const mrc_state *state, mrc_out *out) {
    if constexpr (std::is_invocable_v<decltype(member), const State &, Out>) {
      (own(part, state).*member)(Out(out));
    } else {
      const auto value = (own(part, state).*member)();
      if constexpr (Unwrapped<std::remove_cvref_t<decltype(value)>>::is_optional) {
        if (value) Out(out).write(std::string_view(*value));
      } else {
        Out(out).write(std::string_view(value));
      }
    }
  }
  static constexpr mrc_column column(const char *name) {
    if constexpr (std::is_invocable_v<decltype(member), const State &, Out>) {
      return {.name = name, .integer = nullptr, .real = nullptr, .text = text};
    } else {
      using Result = std::remove_cvref_t<std::invoke_result_t<decltype(member), const State &>>;
      using Type = typename Unwrapped<Result>::Type;
      if constexpr (std::integral<Type>) {
        return {.name = name, .integer = integer, .real = nullptr, .text = nullptr};
      } else if constexpr (std::floating_point<Type>) {
        return {.name = name, .integer = nullptr, .real = real, .text = nullptr};
      } else {
        return {.name = name, .integer = nullptr, .real = nullptr, .text = text};
      }
    }
  }
};

template <class Member>
struct Class;
template <class Result, class State, class... Arguments>
struct Class<Result (State::*)(Arguments...) const> {
  using Type = State;
};

// A column of a reducer with several: mrc::column<&Range::low>("low").
template <auto member>
constexpr mrc_column column(const char *name) {
  return Shown<typename Class<decltype(member)>::Type, member>::column(name);
}

template <class State>
class ReducerOf {
  static_assert(std::is_trivially_copyable_v<State> && std::is_standard_layout_v<State> &&
                    alignof(State) <= 8,
                "mrc moves states as bytes");
  using Add = Taken<decltype(&State::add)>;
  static constexpr bool saves = requires(const State &state, Out out) { state.save(out); };
  static_assert(!Add::memory || saves,
                "a state with memory needs save and load: its bytes alone do not hold it");

  static State &own(const mrc_part *part, mrc_state *state) {
    return *MRC_STATE(State, part, state);
  }

  template <size_t... I>
  static void add_one(const mrc_part *part, State &state, const uint64_t *words, mrc_arena *arena,
                      std::index_sequence<I...>) {
    using Values = typename Add::Values::Tuple;
    const std::tuple values{
        Word<std::tuple_element_t<I, Values>>::value(words[part->value + I])...};
    if (!(std::get<I>(values).has_value() && ...)) return;
    if constexpr (Add::memory) {
      state.add(*std::get<I>(values)..., Memory(arena));
    } else {
      state.add(*std::get<I>(values)...);
    }
  }
  static void add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                  mrc_arena *arena) {
    for (int64_t i = 0; i < n; ++i) {
      add_one(part, own(part, states[i]), values.words + i * values.width, arena,
              std::make_index_sequence<Add::Values::count>());
    }
  }
  static void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                    mrc_arena *arena) {
    for (int64_t i = 0; i < n; ++i) {
      State &state = own(part, into[i]);
      const State &other = own(part, from[i]);
      if constexpr (requires { state.merge(other, Memory(arena)); }) {
        state.merge(other, Memory(arena));
      } else {
        state.merge(other);
      }
    }
  }
  static void save(const mrc_part *part, const mrc_state *state, mrc_out *out) {
    MRC_CONST_STATE(State, part, state)->save(Out(out));
  }
  static void load(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena) {
    own(part, state).load(view_of(saved), Memory(arena));
  }

  static constexpr auto columns() {
    if constexpr (requires { State::columns; }) {
      return std::to_array(State::columns);
    } else {
      return std::array{Shown<State, &State::result>::column(State::name)};
    }
  }
  static constexpr auto kColumns = columns();

 public:
  static constexpr mrc_reducer made() {
    mrc_reducer made{};
    made.size = sizeof made;
    made.name = State::name;
    made.summary = State::summary;
    made.state_bytes = (sizeof(State) + 7) / 8 * 8;
    made.add = add;
    made.merge = merge;
    if constexpr (saves) {
      made.save = save;
      made.load = load;
    }
    made.columns = {kColumns.data(), kColumns.size(), sizeof(mrc_column)};
    made.values = Add::Values::at;
    made.value_count = Add::Values::count;
    return made;
  }
};

template <class State>
inline constexpr mrc_reducer reducer = ReducerOf<State>::made();

}  // namespace plugin_v1
}  // namespace mrc
