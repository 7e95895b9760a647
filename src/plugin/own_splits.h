// plugin: splits that a job makes of whole inputs, instead of those of split.h.
#pragma once

#include "input/input.h"
#include "input/whole_input.h"
#include "plugin/plugin_job.h"
#include "split/chunk_source.h"

#include <atomic>
#include <optional>
#include <vector>

namespace mrc {

// All inputs of a run, and the splits that the job makes of them in each round.
class OwnSplits : public ChunkSource {
 public:
  // Opens the inputs. All arguments must outlive the result. An input that cannot be read is an
  // error, because the job needs all of them. There is an input for each argument: standard input,
  // if named again, is an empty one.
  static Result<std::unique_ptr<OwnSplits>> open(const PluginSession &job,
                                                 const std::vector<Source> &sources, i64 arguments);

  // Asks the job for splits; workers then claim them from the first.
  Status begin_round();
  i64 size() const { return std::ssize(splits_); }
  const mrc_split &split(i64 number) const { return splits_[static_cast<size_t>(number)]; }

  std::unique_ptr<ChunkSource::Reader> make_reader(i64 worker) override;
  void cancel() override { next_.store(size()); }
  // Splits may belong to any inputs in any order.
  bool all_claimed_before(i64) const override { return false; }

  // Each split is a unit of one chunk.
  class Reader : public ChunkSource::Reader {
   public:
    explicit Reader(OwnSplits *splits) : splits_(*splits) {}
    ~Reader() override { release(); }
    Reader(const Reader &) = delete;
    Result<std::optional<Unit>> claim() override;
    Result<std::optional<Chunk>> next() override;

   private:
    Result<Bytes> acquire(const mrc_split &split);
    void release();

    OwnSplits &splits_;
    i64 claimed_ = -1;                     // claimed and not handed out yet
    const mrc_split *acquired_ = nullptr;  // its bytes come from the job's `acquire`
    mrc_text bytes_ = {};
    i64 open_ = -1;  // index of the open source
    InputFile file_;
    Pages buffer_;
    std::unique_ptr<Window> window_;
  };

 private:
  OwnSplits(const PluginSession &job, const std::vector<Source> &sources)
      : job_(job), sources_(sources) {}
  Status check(const mrc_split &split, i64 number) const;

  const PluginSession &job_;
  const std::vector<Source> &sources_;
  struct Input {
    std::string name;
    Bytes bytes;
    i64 source;
  };
  const Input &input_of(const mrc_split &split) const {
    return inputs_[static_cast<size_t>(split.input)];
  }
  std::vector<Input> inputs_;       // by argument
  std::vector<WholeInput> wholes_;  // by source
  std::vector<mrc_split> splits_;
  std::atomic<i64> next_{0};
};

}  // namespace mrc
