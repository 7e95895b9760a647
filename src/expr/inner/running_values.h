// Values of earlier records, which outlive their chunks.
#pragma once

#include "base/number.h"

#include <string>
#include <utility>
#include <vector>

namespace mrc {

class EarlierNumber {
 public:
  // Returns a number that lives until the next call of set(); kNoNumber if there is none.
  Number get() const { return is_wide_ ? as_number(wide_) : narrow_; }
  void set(Number number) {
    is_wide_ = is_number(number) && !is_narrow(number);
    narrow_ = is_number(number) ? number : kNoNumber;
    if (is_wide_) wide_ = wide_number(number);
  }

 private:
  Number narrow_ = kNoNumber;
  bool is_wide_ = false;
  WideNumber wide_;
};

class EarlierText {
 public:
  bool is_there() const { return is_there_; }
  Bytes get() const { return text_; }
  char mark() const { return mark_; }
  // `mark` is that of RunningInput.
  void set(Bytes text, char mark) {
    mark_ = mark;
    is_there_ = text.data() != nullptr;
    text_.assign(text);
  }
  // Returns the growth of memory since the last call.
  i64 grown_bytes() {
    const i64 bytes = text_.capacity() > kInline ? static_cast<i64>(text_.capacity()) : 0;
    return bytes - std::exchange(told_, bytes);
  }
  // Returns the memory that grown_bytes() has told of.
  i64 told_bytes() const { return told_; }

 private:
  static constexpr size_t kInline = 15;  // capacity of a string that has no memory of its own

  bool is_there_ = false;
  char mark_ = ' ';
  i64 told_ = 0;
  std::string text_;
};

// The last texts of a group, up to a number.
class LastTexts {
 public:
  // Returns the text of `distance` records ago, or one that is missing. REQUIRES: `distance` never
  // changes
  EarlierText &oldest(size_t distance) {
    if (texts_.size() < distance) {
      grown_ += sizeof(EarlierText);
      next_ = texts_.size();
      return texts_.emplace_back();
    }
    if (++next_ >= distance) next_ = 0;
    return texts_[next_];
  }
  void replace(EarlierText *text, Bytes by, char mark) {
    text->set(by, mark);
    grown_ += text->grown_bytes();
  }
  i64 grown_bytes() { return std::exchange(grown_, 0); }

 private:
  std::vector<EarlierText> texts_;
  size_t next_ = 0;
  i64 grown_ = 0;
};

// Numbers of records that follow one another, and their exact sum.
class Frame {
 public:
  // A number that is missing counts as a record only.
  void add(Number number, Number time, Arena *arena);
  bool is_empty() const { return first_ == records_.size(); }
  // REQUIRES: !is_empty()
  Number last_time() const { return records_.back().time.get(); }
  // Drops all records but the last ones.
  void keep_last(i64 records, Arena *arena);
  // Drops the records up to this time. REQUIRES: times do not go back
  void drop_until(Number time, Arena *arena);
  // Number of records whose number is there.
  i64 count() const { return count_; }
  // REQUIRES: count() > 0
  Number sum(Arena *arena);
  i64 grown_bytes();

 private:
  void drop_first(Arena *arena);

  struct Record {
    EarlierNumber number, time;
  };
  std::vector<Record> records_;
  size_t first_ = 0;  // the records before it are dropped
  i64 count_ = 0;
  EarlierNumber sum_;
  bool is_exact_ = true;  // the sum is that of decimals
  i64 told_ = 0;
};

}  // namespace mrc
