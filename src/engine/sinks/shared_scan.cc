// Several programs read the same records: a chunk is decoded once, with the fields that any of them
// uses, and each program groups the batch before the next one is decoded.
#include "engine/inner/run.h"
#include "fields/decoded.h"
#include "output/output.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>

namespace mrc {
namespace {

// Keeps in memory what the answer needs of the rows of a program.
class Text : public OutputTarget {
 public:
  Text(const SharedAnswer &answer, size_t program) : answer_(answer), program_(program) {}

  Status write(Bytes bytes) override {
    answer_.keep(program_, bytes, &text_);
    return Status::ok();
  }
  bool reader_left() override { return false; }
  std::string take() { return std::move(text_); }

 private:
  const SharedAnswer &answer_;
  const size_t program_;
  std::string text_;
};

// Passes on what the programs report about a batch. Several programs may report a value.
class SharedBad : public BadRecordSink {
 public:
  explicit SharedBad(BadRecordSink *bad) : bad_(bad) {}

  // Decoded records are well-formed, so the key of a program does not fit its bucket.
  void take(const Chunk &, const BadRecord &bad) override {
    values_.push_back({bad.record, bad.record, bad.reason});
  }
  void take_value(const Chunk &, const BadField &bad) override { values_.push_back(bad); }

  // Called after each batch. Several programs may give reasons for a value; the first is reported.
  void pass_on(const Chunk &chunk) {
    const auto place = [](const BadField &bad) {
      return std::tuple(bad.record.data(), bad.value.data());
    };
    std::ranges::stable_sort(values_, {}, place);
    const auto repeated = std::ranges::unique(values_, {}, place);
    values_.erase(repeated.begin(), repeated.end());
    for (const BadField &bad : values_) bad_->take_value(chunk, bad);
    values_.clear();
  }

 private:
  BadRecordSink *bad_;
  std::vector<BadField> values_;
};

// One of the programs, with a run of its own, which has no input.
struct Member {
  Member(const Program &program, Run *all);

  Plan plan;
  std::unique_ptr<Run> run;
  std::unique_ptr<StageSink> sink;
};

// Only the program that has all fields knows where they were found (FieldName::path).
size_t column_of(const FieldName &name, const std::vector<FieldName> &all) {
  const auto is_it = [&](const FieldName &other) {
    return other.text == name.text && other.number == name.number && other.whole == name.whole;
  };
  return static_cast<size_t>(std::ranges::find_if(all, is_it) - all.begin());
}

std::shared_ptr<const InputReaders> readers_of(const Program &program, const WantedFields &all,
                                               i64 sources) {
  const WantedFields wanted = program.map.fields.wanted();
  std::vector<size_t> columns;
  for (const FieldName &name : wanted.names()) columns.push_back(column_of(name, all.names()));
  auto readers = std::make_shared<InputReaders>(sources, wanted.names());
  readers->set_all(make_decoded_reader(std::move(columns)));
  return readers;
}

Member::Member(const Program &program, Run *all) : plan(all->plan) {
  const i64 programs = std::ssize(all->program.shared->programs);
  plan.readers =
      readers_of(program, all->program.map.fields.wanted(), std::ssize(all->plan.sources));
  plan.memory /= programs + 1;
  plan.streams = 0;  // the sources are read by the scan only
  plan.decisions.clear();
  program.stage->make(program)->plan(&plan);
  run = std::make_unique<Run>(program, plan, all->observer);
}

class SharedSink : public StageSink {
 public:
  explicit SharedSink(Run *run) : run_(*run) {}

  Status make_members() {
    for (const auto &program : run_.program.shared->programs) {
      auto member = std::make_unique<Member>(*program, &run_);
      auto sink = member->run->stage->make_sink(member->run.get());
      if (!sink.is_ok()) return sink.status();
      member->sink = std::move(*sink);
      members_.push_back(std::move(member));
    }
    return Status::ok();
  }

  Status open() override {
    return each([](StageSink *sink) { return sink->open(); });
  }
  void begin(ChunkSource *source) override {
    for (const auto &member : members_) member->sink->begin(source);
  }
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override {
    return std::make_unique<SharedHand>(*this, worker, bad);
  }
  void stop() override {
    for (const auto &member : members_) member->sink->stop();
  }

  // The programs are reduced one after the other, each on all CPUs, and then give their memory
  // back.
  Result<Answer> finish() override {
    std::vector<SharedRows> all;
    for (auto &member : members_) {
      Result<SharedRows> rows = rows_of(member.get(), all.size());
      if (!rows.is_ok()) return rows.status();
      all.push_back(std::move(*rows));
      member.reset();
    }
    return Answer{.write = [this, all = std::move(all)](OutputFile *to) {
      return run_.program.shared->answer->write(all, run_.report, to);
    }};
  }

 private:
  // Decodes chunks, and has the hands of all programs take the batches.
  class SharedHand : public Hand {
   public:
    SharedHand(const SharedSink &sink, i64 worker, BadRecordSink *bad)
        : bad_(bad), scan_(sink.run_.program.map.fields.wanted(), *sink.run_.readers, bad) {
      for (const auto &member : sink.members_) {
        hands_.push_back(member->sink->make_hand(worker, &bad_));
      }
    }

    Status begin_unit(const Unit &unit) override {
      return each([&](Hand *hand) { return hand->begin_unit(unit); });
    }
    Status take(const Chunk &chunk, i64 *records) override {
      Status status = Status::ok();
      *records += scan_.each(chunk, [&] {
        status = share(chunk);
        return status.is_ok();
      });
      return status;
    }
    Status end_unit(const Unit &unit) override {
      return each([&](Hand *hand) { return hand->end_unit(unit); });
    }
    Status seal(bool whole) override {
      Status first = Status::ok();
      for (const auto &hand : hands_) {  // each ends what it has begun
        Status status = hand->seal(whole && first.is_ok());
        if (first.is_ok()) first = std::move(status);
      }
      return first;
    }

   private:
    Status share(Chunk chunk) {
      const SelectedRecords &batch = *scan_.batch();
      if (batch.selected == 0) return Status::ok();
      const DecodedRecords decoded{batch,
                                   {batch.selection.data(), static_cast<size_t>(batch.selected)}};
      chunk.decoded = &decoded;
      i64 records = 0;
      Status status = each([&](Hand *hand) { return hand->take(chunk, &records); });
      bad_.pass_on(chunk);
      return status;
    }
    template <typename Call>
    Status each(Call call) {
      for (const auto &hand : hands_) {
        if (Status status = call(hand.get()); !status.is_ok()) return status;
      }
      return Status::ok();
    }

    SharedBad bad_;
    RecordScan scan_;
    std::vector<std::unique_ptr<Hand>> hands_;
  };

  Result<SharedRows> rows_of(Member *member, size_t program) {
    Run &run = *member->run;
    Text text(*run_.program.shared->answer, program);
    run.output = OutputFile::to(&text);
    Status status = member->sink->end(&run.report);
    if (status.is_ok()) status = member->sink->reduce();
    if (status.is_ok()) status = write_answer(&run, member->sink.get());
    if (!status.is_ok()) return status;
    add_counts(run.report);
    return SharedRows{text.take(), run.report.rows, run.report.keys - run.report.dropped_keys};
  }

  void add_counts(const Report &of) {
    Report &all = run_.report;
    all.keys += of.keys;
    all.rows += of.rows;
    if (all.bad_results == 0) all.first_bad_result = of.first_bad_result;
    all.bad_results += of.bad_results;
  }

  template <typename Call>
  Status each(Call call) {
    for (const auto &member : members_) {
      if (Status status = call(member->sink.get()); !status.is_ok()) return status;
    }
    return Status::ok();
  }

  Run &run_;
  std::vector<std::unique_ptr<Member>> members_;
};

class SharedStage : public Stage {
 public:
  explicit SharedStage(const Program &) {}

  i64 record_bytes() const override { return 0; }
  void plan(Plan *plan) const override {
    plan->decisions.push_back({"scan", "shared", "records are decoded once for all programs"});
  }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    auto sink = std::make_unique<SharedSink>(run);
    if (Status status = sink->make_members(); !status.is_ok()) return status;
    return std::unique_ptr<StageSink>(std::move(sink));
  }
};

}  // namespace

constinit const StageType kSharedStage = make_stage_type<SharedStage>("shared", Makes::report);

}  // namespace mrc
