// Lists all fields of the records, without reading their values.
#include "base/setting_name.h"
#include "engine/inner/plan_steps.h"
#include "engine/inner/run.h"
#include "expr/record_scan.h"
#include "fields/found_fields.h"

#include <fmt/format.h>

#include <map>
#include <memory>

namespace mrc {
namespace {

class FieldListSink : public StageSink {
 public:
  explicit FieldListSink(Run *run) : run_(*run) {}

  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    return std::make_unique<ListingHand>(this, bad);
  }
  Status end(Report *report) override {
    Result<std::vector<FoundField>> columns = found_.columns();
    if (!columns.is_ok()) return columns.status();
    report->found_fields = std::move(*columns);
    return Status::ok();
  }
  bool answers() const override { return false; }

 private:
  class ListingHand : public Hand {
   public:
    ListingHand(FieldListSink *sink, BadRecordSink *bad)
        : sink_(*sink),
          readers_(*sink->run_.readers),
          scan_(sink->run_.program.map.fields.wanted(), readers_, bad) {}

    Status take(const Chunk &chunk, i64 *records) override {
      const Dialect *dialect = readers_.dialect(chunk.source);
      if (dialect == nullptr) return Status::ok();
      FieldFinder *finder = finder_of(dialect);
      if (finder == nullptr) return cannot_list(*dialect, chunk);
      *records += scan_.each(chunk, [&] {
        add_batch(chunk, finder);
        return true;
      });
      return Status::ok();
    }
    Status seal(bool) override {
      std::lock_guard lock(sink_.run_.mutex);
      for (const auto &[dialect, finder] : finders_) {
        if (finder != nullptr) finder->move_to(&sink_.found_);
      }
      return Status::ok();
    }

   private:
    FieldFinder *finder_of(const Dialect *dialect) {
      const auto [found, is_new] = finders_.try_emplace(dialect);
      if (is_new) found->second = make_field_finder(*dialect);
      return found->second.get();
    }
    Status cannot_list(const Dialect &dialect, const Chunk &chunk) const {
      const Source &source = sink_.run_.plan.sources[static_cast<size_t>(chunk.source)];
      return Status::error(
          fmt::format("{}: records of {} may have any fields; name those that are wanted by {}",
                      source.name(), dialect.format->name, setting_name("key")));
    }
    void add_batch(const Chunk &chunk, FieldFinder *finder) {
      for (size_t i = 0; i < static_cast<size_t>(batch_.size); ++i) {
        const Bytes record = batch_.records[i];
        finder->add(record,
                    position_of(chunk.source, chunk.offset + (record.data() - chunk.bytes.data())));
      }
    }

    FieldListSink &sink_;
    const InputReaders &readers_;
    RecordScan scan_;
    const SelectedRecords &batch_ = *scan_.batch();
    std::map<const Dialect *, std::unique_ptr<FieldFinder>> finders_;
  };

  Run &run_;
  FoundFields found_;
};

class FieldListStage : public Stage {
 public:
  explicit FieldListStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return program_.map.record_bytes; }
  void plan(Plan *plan) const override { plan_order(program_, plan); }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return std::unique_ptr<StageSink>(std::make_unique<FieldListSink>(run));
  }

 private:
  const Program &program_;
};

}  // namespace

constinit const StageType kFieldListStage =
    make_stage_type<FieldListStage>("fields", Makes::verdict);

}  // namespace mrc
