// skeleton: counts lines by length and shows the longest of each class.
//
// A plugin for mrc to start from, in C++: a job with a mapper, a built-in reducer and its own
// reducer. The header says what they may have; mrc-plugin(3) explains what mrc does with them.
//
//   make && mrc run ./skeleton.so sample.txt
#include "mrc.hpp"

#include <cstdint>
#include <string_view>
#include <tuple>

// ---- A reducer: the longest text ----------------------------------------------------------

// The state of a key. mrc fills a new state with zero bytes, "no text yet", and may move it.
struct Longest {
  static constexpr const char *name = "longest", *summary = "the longest text";

  std::string_view text;  // memory of the state
  int64_t seen;           // 1 if there was a text: the longest may be empty

  // Threads see the records in any order, so the result must not depend on it: of two texts of the
  // same length, the smaller one is kept. Texts are valid during the call only, so it is copied.
  void add(std::string_view other, mrc::Memory memory) {
    const bool is_better =
        seen == 0 || other.size() > text.size() || (other.size() == text.size() && other < text);
    if (is_better) text = memory.copy(other);
    seen = 1;
  }
  // Takes what another thread has kept for the key.
  void merge(const Longest &other, mrc::Memory memory) {
    if (other.seen != 0) add(other.text, memory);
  }

  // If memory is short, mrc moves states to a file: save writes the contents of a state, load
  // restores them into a new one.
  void save(mrc::Out out) const {
    out.bytes(seen);
    out.write(text);
  }
  void load(std::string_view saved, mrc::Memory memory) {
    if (mrc::take<int64_t>(&saved) != 0) add(saved, memory);
  }

  // The column of the output.
  std::string_view result() const { return text; }
};

// ---- A job --------------------------------------------------------------------------------

class Skeleton {
 public:
  static constexpr const char *name = "skeleton";
  static constexpr const char *summary = "count lines by their length, and show the longest";
  static constexpr const char *manual =
      "Reads lines of text. For each class of lengths (1 to 9 bytes, 10 to 99, ...) prints\n"
      "the smallest length, how many lines there are, and the longest of them.";
  static constexpr mrc_option options[] = {{.name = "base",
                                            .type = MRC_INTEGER,
                                            .initial = "10",
                                            .help = "classes of lengths are powers of it",
                                            .least = 2,
                                            .most = 1000}};

  // map emits the smallest length of the line's class, and the line.
  using Key = int64_t;
  static constexpr const char *key_name = "length";
  using Values = std::tuple<std::string_view>;
  // The columns of the output: the number of lines, by a built-in reducer, and the longest line.
  static constexpr mrc_reduction reductions[] = {mrc::builtin("count"), mrc::by<Longest>()};

  // An exception ends the job with its text.
  explicit Skeleton(const mrc::Settings &settings) : base_(settings.integer(0)) {}

  // Many threads call this at the same time, for all lines.
  void map(std::string_view line, mrc::Emitter<Skeleton> &out) const {
    const auto size = static_cast<int64_t>(line.size());
    int64_t least = size > 0 ? 1 : 0;
    while (least > 0 && size / base_ >= least) least *= base_;
    out.emit(least, line);
  }

 private:
  const int64_t base_;
};

MRC_PLUGIN("skeleton", "1.0", "lines by their length", mrc::jobs<Skeleton>, mrc::reducers<Longest>)
