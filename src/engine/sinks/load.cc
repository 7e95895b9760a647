// Loads records into a directory (kept/loads.h): sorts them by folder, sort key and position, and
// writes a file for each folder. Then the manifest of the directory lists the files and what of the
// inputs is in them.
#include "base/setting_name.h"
#include "base/signals.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/plan_steps.h"
#include "engine/inner/sealed_tiles.h"
#include "engine/sinks/load_files.h"
#include "engine/sinks/load_rows.h"
#include "engine/sinks/worker_rows.h"
#include "fields/headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace mrc {
namespace {

Order order_of_loaded(const Program &program, const Plan &plan) {
  Order order = program.sort->order();
  order.common = plan.common_prefix;
  order.merge_tree = program.switches.merge_tree;
  return order;
}

// Returns an error if records have a field that the files would lose.
Status check_columns(const LoadSpec &load, const Dialect &dialect) {
  std::vector<std::string> lost = dialect.names;
  for (const Dialect &around : dialect.around) {
    lost.insert(lost.end(), around.names.begin(), around.names.end());
  }
  std::erase_if(lost, [&](const std::string &name) {
    const auto is_it = [&](const FieldExpr &key) { return key.field.text == name; };
    return name.empty() || std::ranges::any_of(load.text.fields.keys, is_it) ||
           std::ranges::find(load.names, name) != load.names.end();
  });
  if (lost.empty()) return Status::ok();
  return Status::error(
      fmt::format("an input has the field \"{}\", and the first one does not; name the fields to "
                  "load by {}",
                  lost.front(), setting_name("key")));
}

// Returns an error if records of these dialects cannot be in the files as they are, or not all.
Status check_readings(const LoadSpec &load, const std::vector<Dialect> &dialects) {
  const bool is_whole = load.text.fields.keys.empty();
  for (const Dialect &dialect : dialects) {
    if (dialect.empty) continue;
    const Status status = load.has_all_fields ? check_columns(load, dialect) : Status::ok();
    if (!status.is_ok()) return status;
    if (!is_whole) continue;
    if (has_headers(dialect)) {
      return Status::error(
          "the headers among the lines name their fields, and sorted lines would lose them; use " +
          setting_name("to") + " csv");
    }
    if (reads_alike(dialect, dialects.front()) || dialects.front().empty) continue;
    return Status::error(fmt::format(
        "one file would have records of the formats {} and {}, or of other fields; load them into "
        "directories of their own, or use {} csv",
        dialects.front().format->name, dialect.format->name, setting_name("to")));
  }
  return Status::ok();
}

class LoadSink : public StageSink, public RowProducts {
 public:
  explicit LoadSink(Run *run)
      : RowProducts(run, {.order = order_of_loaded(run->program, run->plan),
                          .layout = load_layout(),
                          .tmpdir = run->plan.tmpdir,
                          .share = run->worker_share()}),
        load_(*run->program.load),
        inputs_(*run->plan.state),
        writer_(make_record_writer(load_.text)),
        folders_(load_) {}

  Status open() override {
    run_.report.known_bytes = inputs_.known_bytes();
    return Status::ok();
  }
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override {
    return std::make_unique<LoadHand>(this, worker, bad);
  }
  Result<Answer> finish() override {
    Status status = check_readings(load_, run_.readers->dialects());
    if (status.is_ok()) status = check_portions();
    if (!status.is_ok()) return status;
    return Answer{.write = [this](OutputFile *) { return write(); }};
  }

 private:
  class LoadHand : public PlainHand {
   public:
    LoadHand(LoadSink *sink, i64 worker, BadRecordSink *bad)
        : LoadHand(sink, worker,
                   std::make_unique<CountedBad>(bad, sink->run_.program.map.terminator)) {}

    Status take(const Chunk &chunk, i64 *records) override {
      Portion portion = portion_of(chunk, sink_.inputs_.hash(), ends_);
      Status status = PlainHand::take(chunk, &portion.records);
      *records += portion.records;
      bad_->move_to(&portion, &flaws_);
      add_portion(portion, &portions_);
      return status.is_ok() ? sink_.folders_.check() : status;
    }
    Status seal(bool whole) override {
      {
        const std::lock_guard lock(sink_.run_.mutex);
        std::ranges::move(portions_, std::back_inserter(sink_.portions_));
      }
      return PlainHand::seal(whole);
    }

   private:
    LoadHand(LoadSink *sink, i64 worker, std::unique_ptr<CountedBad> bad)
        : PlainHand(sink->make_product(worker, bad.get(), nullptr)),
          sink_(*sink),
          bad_(std::move(bad)),
          ends_(ends_of_records(sink->run_.program, *sink->run_.stage)) {}

    LoadSink &sink_;
    const std::unique_ptr<CountedBad> bad_;
    const CutBytes ends_;
    std::vector<Portion> portions_;
    KeptFlaws flaws_;  // unused: a state keeps only the counts
  };

  std::unique_ptr<ChunkRows> make_rows_of(BadRecordSink *bad) override {
    return std::make_unique<LoadRows>(run_.program, *writer_, rows_.order(), *run_.readers,
                                      &folders_, bad);
  }

  // Returns an error unless each source was read from where it is known to its end: what is loaded
  // cannot be taken back.
  Status check_portions() {
    portions_ = joined(std::move(portions_));
    std::vector<i64> portions_of(run_.plan.sources.size());
    for (const Portion &portion : portions_) {
      const auto i = static_cast<size_t>(portion.source);
      const Source &source = run_.plan.sources[i];
      const bool is_whole = portion.begin == source.known && ++portions_of[i] == 1 &&
                            (source.stream || portion.end == source.end);
      if (!is_whole || run_.damaged.contains(source.path)) {
        return Status::error(source.name() +
                             ": was not read to its end, so nothing is loaded; leave it out");
      }
      if (portion.begin > 0 && inputs_.has_open_end(portion.source)) {
        return Status::error(source.name() +
                             ": has grown after a record without an end, which is loaded already; "
                             "load the rest from a file of its own");
      }
    }
    if (!run_.damaged.empty()) {
      return Status::error(*run_.damaged.begin() +
                           ": was not read to its end, so nothing is loaded; leave it out");
    }
    return Status::ok();
  }

  Status write() {
    FileSet files(load_.directory);
    Status status = write_files(&files);
    if (status.is_ok()) status = files.sync(&run_.pool);
    if (!status.is_ok()) return status;
    run_.timer.begin("commit");
    for (const Portion &portion : portions_) inputs_.add_loaded(portion);
    status = inputs_.note_inputs(run_.plan.sources, readings_of(run_), unfinished_sources());
    if (!status.is_ok()) return status;
    const EndIsHeld held;  // a signal leaves all of the load, or nothing
    files.keep();          // before the manifest lists them
    return inputs_.commit();
  }

  // Returns the sources that have more bytes than are loaded, such as a last line that does not
  // end: the next load looks at them even if they stay as they are.
  std::set<i64> unfinished_sources() const {
    std::set<i64> all;
    for (i64 i = 0; i < std::ssize(run_.plan.sources); ++i) {
      const Source &source = run_.plan.sources[static_cast<size_t>(i)];
      if (source.is_known || source.stream) continue;
      const Result<Source> now = examine(source.path);
      if (!now.is_ok() || now->end > source.end) all.insert(i);
    }
    return all;
  }

  Status write_files(FileSet *files) {
    // The rows are sorted, but their text is not made by this formatter.
    Result<Answer> answer =
        answer_of(&rows_, make_record_formatter(run_.program.shape, rows_.layout()), &run_);
    if (!answer.is_ok()) return answer.status();
    run_.timer.begin("write");
    Result<std::unique_ptr<InputReaders>> readers = readers_of_files();
    if (!readers.is_ok()) return readers.status();
    LoadFiles to(run_, {inputs_.name_of_load(run_.plan.sources), header(), readers->get()},
                 answer->rows.get(), files);
    Status status = to.write(&run_.pool);
    std::vector<LoadedFile> loaded = to.take_files();
    run_.report.loaded_files = std::ssize(loaded);
    run_.report.loaded_partitions = folders_.size();
    for (const LoadedFile &file : loaded) run_.report.rows += file.records;
    if (status.is_ok() && !loaded.empty()) inputs_.add_files(std::move(loaded));
    return status;
  }

  // Returns what begins each file.
  std::string header() const {
    std::string text;
    writer_->append_header(&text);
    const i64 source = run_.readers->first_with_header();
    const bool is_whole = load_.text.fields.keys.empty();
    if (is_whole && source >= 0) {
      append_record_header(*run_.readers->dialect(source), run_.program.shape, &text);
    }
    return text;
  }

  // Returns what reads the records of the files, for their indexes; null: nothing is to be indexed.
  Result<std::unique_ptr<InputReaders>> readers_of_files() const {
    const std::vector<IndexedField> &fields = run_.program.ranges.fields;
    const bool has_records = !run_.readers->dialects().empty();
    if (fields.empty() || !has_records) return std::unique_ptr<InputReaders>();
    std::vector<FieldName> names;
    for (const IndexedField &field : fields) names.push_back(field.name);
    auto readers = std::make_unique<InputReaders>(1, names);
    const Result<Dialect> dialect = dialect_of_files();
    Status status = dialect.is_ok() ? readers->set(0, *dialect) : dialect.status();
    if (!status.is_ok()) return status;
    return readers;
  }
  Result<Dialect> dialect_of_files() const {
    if (load_.text.fields.keys.empty()) {
      const std::vector<Dialect> all = run_.readers->dialects();
      const auto found = std::ranges::find(all, false, &Dialect::empty);
      return found == all.end() ? Dialect{} : *found;
    }
    const OutputFormat *format = load_.text.shape.format;
    if (format == &OutputFormat::json) return sniff_text({.format = &LineFormat::json}, "{}\n");
    return sniff_text({.format = &LineFormat::csv, .delimiter = ',', .header = true}, header());
  }
  static Result<Dialect> sniff_text(const FormatSpec &spec, std::string text) {
    const size_t size = text.size();
    text.append(kPadding, '\0');
    return sniff(spec, Bytes(text).substr(0, size), false);
  }

  const LoadSpec &load_;
  StateInputs &inputs_;
  const std::unique_ptr<RecordWriter> writer_;
  LoadFolders folders_;
  std::vector<Portion> portions_;  // portions of the inputs, which are loaded
};

class LoadStage : public Stage {
 public:
  explicit LoadStage(const Program &program) : program_(program), folders_(*program.load) {}

  i64 record_bytes() const override { return program_.map.record_bytes; }
  void plan(Plan *plan) const override {
    plan->problem = check_readings(*program_.load, plan->readers->dialects());
    if (!plan->problem.is_ok()) return;
    plan_sample(program_, *this, plan);
    plan_order(program_, plan);
    plan->decisions.push_back({"load", "into " + program_.load->directory,
                               "a file for each folder, which the manifest lists when all are "
                               "written"});
  }
  std::unique_ptr<Hand> make_sampler(const Plan &plan, Sample *sample,
                                     BadRecordSink *bad) const override {
    return make_row_sampler(load_layout(), program_.sort->order(), sample,
                            [&, bad](const Order &order) {
                              return std::make_unique<LoadRows>(program_, *writer_, order,
                                                                *plan.readers, &folders_, bad);
                            });
  }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return std::unique_ptr<StageSink>(std::make_unique<LoadSink>(run));
  }

 private:
  const Program &program_;
  // For the sample:
  mutable LoadFolders folders_;
  const std::unique_ptr<RecordWriter> writer_ = make_record_writer(program_.load->text);
};

}  // namespace

constinit const StageType kLoadStage = make_stage_type<LoadStage>("load", Makes::files);

}  // namespace mrc
