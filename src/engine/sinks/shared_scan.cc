// Several programs read the same records: a chunk is decoded once, with the fields that any of them
// uses, and each program groups the batch before the next one is decoded.
//
// With --state, a tile has the blocks of one program after the other. A mark after them says whose
// they are.
#include "engine/inner/kept_inputs.h"
#include "engine/inner/run.h"
#include "engine/sinks/grouping.h"
#include "fields/decoded.h"
#include "output/output.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>

namespace mrc {
namespace {

// Keeps in memory what the answer needs of the rows of a program, and passes on what the next
// program reads.
class Text : public OutputTarget {
 public:
  // `next`: takes what is handed on; null: nothing is.
  Text(const SharedAnswer &answer, size_t program, StageRecords *next = nullptr)
      : answer_(answer), program_(program), next_(next) {}

  Status write(Bytes bytes) override {
    handed_.clear();
    answer_.keep(program_, bytes, &text_, &handed_);
    return next_ == nullptr ? Status::ok() : next_->write(handed_);
  }
  bool reader_left() override { return false; }
  std::string take() { return std::move(text_); }

 private:
  const SharedAnswer &answer_;
  const size_t program_;
  StageRecords *const next_;
  std::string text_, handed_;
};

// Passes on errors of a run within another one.
class ErrorsOnly : public Observer {
 public:
  explicit ErrorsOnly(Observer *observer) : observer_(observer) {}

  void complain(const std::string &message) override { observer_->complain(message); }
  void progress(i64, i64) override {}
  void writing() override {}

 private:
  Observer *const observer_;
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

// Calls call(each) until one returns an error.
template <typename List, typename Call>
Status each_of(const List &list, Call call) {
  for (const auto &each : list) {
    if (Status status = call(each.get()); !status.is_ok()) return status;
  }
  return Status::ok();
}

// Decodes the chunks of a worker.
class SharedBatches {
 public:
  SharedBatches(const Run &run, BadRecordSink *bad)
      : bad_(bad), scan_(run.program.map.fields.wanted(), *run.readers, bad) {}

  // For what programs report.
  BadRecordSink *bad() { return &bad_; }
  // Calls take(chunk) for each batch, which the chunk has in decoded form.
  template <typename Take>
  Status each(Chunk chunk, i64 *records, Take take) {
    Status status = Status::ok();
    *records += scan_.each(chunk, [&] {
      const SelectedRecords &batch = *scan_.batch();
      if (batch.selected == 0) return true;
      const DecodedRecords decoded{batch,
                                   {batch.selection.data(), static_cast<size_t>(batch.selected)}};
      chunk.decoded = &decoded;
      status = take(chunk);
      bad_.pass_on(chunk);
      return status.is_ok();
    });
    return status;
  }

 private:
  SharedBad bad_;
  RecordScan scan_;
};

// The results of one worker in a tile, by program.
struct SharedTile : TileProduct {
  TileProducts parts;
};

// The groups of all programs of a worker.
class SharedProduct : public Product {
 public:
  SharedProduct(const Run &run, BadRecordSink *bad) : batches_(run, bad) {}
  void add(Products *program, i64 worker) {
    products_.push_back(program->make_product(worker, batches_.bad(), nullptr));
  }

  Status take(const Chunk &chunk, i64 *records) override {
    return batches_.each(chunk, records, [&](const Chunk &decoded) {
      i64 selected = 0;
      return each_of(products_,
                     [&](Product *product) { return product->take(decoded, &selected); });
    });
  }
  Status hand_over(bool whole) override {
    return each_of(products_, [&](Product *product) { return product->hand_over(whole); });
  }
  // No conduct of such a job saves parts, see conducts.inc.
  Result<std::shared_ptr<SavedPart>> save(bool *) override { return std::shared_ptr<SavedPart>(); }
  void begin_tile() override {
    for (const auto &product : products_) product->begin_tile();
  }
  Result<std::unique_ptr<TileProduct>> end_tile() override {
    auto tile = std::make_unique<SharedTile>();
    for (const auto &product : products_) {
      Result<std::unique_ptr<TileProduct>> part = product->end_tile();
      if (!part.is_ok()) return part.status();
      tile->parts.push_back(std::move(*part));
    }
    return std::unique_ptr<TileProduct>(std::move(tile));
  }

 private:
  SharedBatches batches_;
  std::vector<std::unique_ptr<Product>> products_;
};

// A mark is a block with an empty record, whose partition is the number of the program.
constexpr int kBitsOfMark = 32;  // no other block has so many

bool is_mark(const BlockInfo &block) { return block.partition_bits == kBitsOfMark; }

Status add_mark(size_t program, SealedRun *run, SealedBlocks *mark) {
  std::string payload;
  append_record({}, {.is_state = true}, &payload);
  const BlockInfo what{.order = RunOrder::key,
                       .partition_bits = kBitsOfMark,
                       .partition = static_cast<i64>(program),
                       .records = 1};
  return run->write([&](RunWriter *writer) { return writer->add_block(what, payload); }, mark);
}

// Returns the tiles with the blocks of one program.
std::vector<KeptStretch> tiles_of(size_t program, std::span<const KeptStretch> tiles) {
  std::vector<KeptStretch> own;
  for (const KeptStretch &tile : tiles) {
    KeptStretch &of = own.emplace_back(KeptStretch{tile.portion, tile.origin});
    auto begin = tile.blocks.begin();
    for (auto at = begin; at != tile.blocks.end(); ++at) {
      if (!is_mark(at->info)) continue;
      if (at->info.partition == static_cast<i64>(program)) of.blocks.assign(begin, at);
      begin = at + 1;
    }
  }
  return own;
}

// One of the programs, with a run of its own, which has no input.
struct Member {
  Member(const Program &program, Run *all);

  Plan plan;
  std::unique_ptr<Run> run;
  std::unique_ptr<StageSink> sink;
  Products *products = nullptr;  // the sink
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
  if (plan.state) plan.memory /= 2;  // tiles wait for the parts of other workers
  program.stage->make(program)->plan(&plan);
  if (plan.state) {
    plan.state = nullptr;  // that of all programs keeps their tiles
    plan.most_shared_bytes = 0;
  }
  run = std::make_unique<Run>(program, plan, all->observer);
}

class SharedSink : public StageSink, public Products {
 public:
  explicit SharedSink(Run *run) : run_(*run), next_(run->program.shared->next) {
    constexpr i64 kShare = 8;  // memory divided by this is for the next program's records
    handed_.keep_within(run->plan.memory / kShare, run->plan.tmpdir);
  }

  Status make_members() {
    for (const auto &program : run_.program.shared->programs) {
      auto member = std::make_unique<Member>(*program, &run_);
      auto sink = std::make_unique<GroupingSink>(member->run.get());
      member->products = sink.get();
      member->sink = std::move(sink);
      members_.push_back(std::move(member));
    }
    return Status::ok();
  }

  Status open() override {
    kept_ = make_conduct(&run_, this);
    if (run_.plan.state) {
      for (const KeptTile &tile : run_.plan.state->known_tiles()) known_bad_ += tile.bad_records;
    }
    Status status = each([](StageSink *sink) { return sink->open(); });
    return status.is_ok() && kept_ ? kept_->open() : status;
  }
  void begin(ChunkSource *source) override {
    if (kept_) return kept_->begin(source);
    for (const auto &member : members_) member->sink->begin(source);
  }
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override {
    if (kept_) return kept_->make_hand(worker, bad);
    return std::make_unique<SharedHand>(*this, worker, bad);
  }
  void stop() override {
    if (kept_) return kept_->stop();
    for (const auto &member : members_) member->sink->stop();
  }
  Status end(Report *) override { return kept_ ? kept_->end() : Status::ok(); }
  Status reduce() override { return kept_ ? kept_->adopt() : Status::ok(); }

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
    if (next_) {
      Result<SharedRows> rows = rows_of_next(all.size());
      if (!rows.is_ok()) return rows.status();
      all.push_back(std::move(*rows));
    }
    return Answer{.write = [this, all = std::move(all)](OutputFile *to) {
      Report report = run_.report;
      report.bad_records += known_bad_;
      return run_.program.shared->answer->write(all, report, to);
    }};
  }

  // For the conduct that keeps tiles:
  std::unique_ptr<Product> make_product(i64 worker, BadRecordSink *bad, PartFiles *) override {
    auto product = std::make_unique<SharedProduct>(run_, bad);
    for (const auto &member : members_) product->add(member->products, worker);
    return product;
  }
  Status adopt(SavedParts, SavedParts) override { return Status::ok(); }  // there are none
  RecordShape kept_shape() const override { return {0, RecordShape::kVaries}; }
  Status seal(TileProducts tiles, u64 origin, SealedRun *run, SealedBlocks *written) override {
    return write_each(run, written, [&](size_t program, SealedBlocks *own) {
      TileProducts parts;
      for (const auto &tile : tiles) {
        parts.push_back(std::move(static_cast<SharedTile *>(tile.get())->parts[program]));
      }
      return products_of(program).seal(std::move(parts), origin, run, own);
    });
  }
  Status merge(std::span<const KeptStretch> tiles, u64 origin, SealedRun *run,
               SealedBlocks *written) override {
    return write_each(run, written, [&](size_t program, SealedBlocks *own) {
      return products_of(program).merge(tiles_of(program, tiles), origin, run, own);
    });
  }
  Status load(std::span<const KeptStretch> tiles) override {
    for (size_t program = 0; program < members_.size(); ++program) {
      Status status = products_of(program).load(tiles_of(program, tiles));
      if (!status.is_ok()) return status;
    }
    return Status::ok();
  }

 private:
  // Decodes chunks, and has the hands of all programs take the batches.
  class SharedHand : public Hand {
   public:
    SharedHand(const SharedSink &sink, i64 worker, BadRecordSink *bad) : batches_(sink.run_, bad) {
      for (const auto &member : sink.members_) {
        hands_.push_back(member->sink->make_hand(worker, batches_.bad()));
      }
    }

    Status begin_unit(const Unit &unit) override {
      return each_of(hands_, [&](Hand *hand) { return hand->begin_unit(unit); });
    }
    Status take(const Chunk &chunk, i64 *records) override {
      return batches_.each(chunk, records, [&](const Chunk &decoded) {
        i64 selected = 0;
        return each_of(hands_, [&](Hand *hand) { return hand->take(decoded, &selected); });
      });
    }
    Status end_unit(const Unit &unit) override {
      return each_of(hands_, [&](Hand *hand) { return hand->end_unit(unit); });
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
    SharedBatches batches_;
    std::vector<std::unique_ptr<Hand>> hands_;
  };

  // Has write(program, blocks) write the blocks of each program, and marks them. The blocks of a
  // tile are adjacent, so tiles are written one after the other.
  template <typename Write>
  Status write_each(SealedRun *run, SealedBlocks *written, Write write) {
    const std::lock_guard lock(writes_);
    *written = {};
    for (size_t program = 0; program < members_.size(); ++program) {
      SealedBlocks own, mark;
      Status status = write(program, &own);
      if (!status.is_ok()) return status;
      if (own.count == 0) continue;
      if (status = add_mark(program, run, &mark); !status.is_ok()) return status;
      if (written->count == 0) written->first = own.first;
      written->count += own.count + mark.count;
      written->keys += own.keys;
    }
    return Status::ok();
  }
  Products &products_of(size_t program) const { return *members_[program]->products; }

  Result<SharedRows> rows_of(Member *member, size_t program) {
    Run &run = *member->run;
    Text text(*run_.program.shared->answer, program,
              next_ && next_->of == program ? &handed_ : nullptr);
    run.output = OutputFile::to(&text);
    Status status = member->sink->end(&run.report);
    if (status.is_ok()) status = member->sink->reduce();
    if (status.is_ok()) status = write_answer(&run, member->sink.get());
    if (!status.is_ok()) return status;
    add_counts(run.report);
    return rows_in(&text, run.report);
  }
  static SharedRows rows_in(Text *text, const Report &report) {
    return SharedRows{text->take(), report.rows, report.keys - report.dropped_keys};
  }

  // The members have given back their memory.
  Result<SharedRows> rows_of_next(size_t program) {
    Text text(*run_.program.shared->answer, program);
    ErrorsOnly errors(run_.observer);
    const Plan plan = make_plan(*next_->program, nullptr, &handed_);
    if (!plan.problem.is_ok()) return plan.problem;
    const Result<Report> report = mrc::run(*next_->program, plan, &errors, OutputFile::to(&text));
    if (!report.is_ok()) return report.status();
    run_.report.rows += report->rows;
    return rows_in(&text, *report);
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
    return each_of(members_, [&](Member *member) { return call(member->sink.get()); });
  }

  Run &run_;
  std::vector<std::unique_ptr<Member>> members_;
  std::unique_ptr<Conduct> kept_;  // null: nothing is kept
  const std::optional<SharedNext> &next_;
  StageRecords handed_{"rows of a panel", nullptr};  // what it reads
  i64 known_bad_ = 0;  // malformed records of what earlier runs have kept
  std::mutex writes_;
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
