#include "base/seconds.h"
#include "base/setting_name.h"
#include "base/varint.h"
#include "engine/inner/isolated.h"
#include "engine/inner/task_book.h"
#include "sched/worker_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace mrc {
namespace {

// Interval in which progress is shown and slow tasks are looked for.
constexpr int kLookMs = 50;
// Limits for workers in a row that die before they can map, the last by a fault or a kill.
constexpr i64 kMostStillborn = 8, kMostKilled = 50;

// True for signals that a process causes itself.
bool is_of_itself(int signal) {
  constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP, SIGXFSZ};
  return std::ranges::count(kFaults, signal) > 0;
}

std::vector<i64> sizes_of(const SplitQueue &queue, const std::vector<SplitQueue::Claim> &claims) {
  std::vector<i64> sizes;
  for (const SplitQueue::Claim &claim : claims) sizes.push_back(queue.bytes_of(claim));
  return sizes;
}

class IsolatedScan {
 public:
  IsolatedScan(Run *run, SplitQueue *queue, StageSink *sink, InputWatch *watch)
      : run_(*run),
        queue_(*queue),
        sink_(*sink),
        watch_(*watch),
        claims_(queue->claims()),
        book_(sizes_of(*queue, claims_), run->program.switches.backups),
        places_(run->pool.size()) {
    workers_.resize(static_cast<size_t>(run->pool.size()));
  }

  Status go() {
    while (status_.is_ok() && !book_.is_complete() && !queue_.cancelled()) {
      for (i64 i = 0; i < std::ssize(workers_) && status_.is_ok(); ++i) direct(i);
      if (status_.is_ok()) wait();
      end_overtime();
      watch_.look();
      if (run_.plugins.failed()) break;
    }
    workers_.clear();
    if (status_.is_ok()) status_ = run_.plugins.status();
    Report &report = run_.report;
    report.repeated_tasks = book_.repeated();
    report.backup_tasks = book_.backups();
    report.lost_tasks = book_.left_out();
    report.partial |= book_.left_out() > 0;
    return status_;
  }

 private:
  struct Worker {
    std::unique_ptr<WorkerProcess> process;  // null: to be started
    i64 number = -1;                         // identifies it to the sink
    std::string notes;                       // for its next seal
    std::string fault;                       // why it ends
    bool has_begun = false;
  };
  Worker &of(i64 i) { return workers_[static_cast<size_t>(i)]; }

  void start(i64 i);
  i64 more_memory() const;
  // Gives a worker all commands that it can take now.
  void direct(i64 i);
  void wait();
  void hear(i64 i);
  void take(i64 i, Channel::Message *message);
  void take_sealed(i64 i, Channel::Message *message);
  void take_complaint(Bytes text);
  void end_overtime();
  void bury(i64 i);
  void drop(i64 i);
  void leave_out(i64 task, const std::string &why);
  std::string describe(i64 task) const;
  std::string cause_of(i64 i, const WorkerProcess::End &end);
  void end_at_first_bad();

  Run &run_;
  SplitQueue &queue_;
  StageSink &sink_;
  InputWatch &watch_;
  const std::vector<SplitQueue::Claim> claims_;  // the tasks
  TaskBook book_;
  SharedArray<SharedPlace> places_;
  std::vector<Worker> workers_;
  i64 started_ = 0, stillborn_ = 0;
  Status status_ = Status::ok();
};

// Memory of a worker process: its share of the job's memory, and more for windows, buffers and a
// table that grows.
i64 IsolatedScan::more_memory() const {
  constexpr i64 kBeside = i64{256} << 20;
  const i64 memory = run_.plan.memory;
  return memory == INT64_MAX ? memory : 2 * (memory / run_.pool.size()) + kBeside;
}

void IsolatedScan::start(i64 i) {
  const auto work = [this, i](Channel *channel) {
    show_place(places_.at(i));
    IsolatedWorker(&run_, &queue_, &sink_, &watch_, &claims_, channel).work(i);
  };
  *places_.at(i) = {};
  Result<WorkerProcess> process = WorkerProcess::start(more_memory(), work);
  if (!process.is_ok()) {
    status_ = process.status();
    return;
  }
  of(i).process = std::make_unique<WorkerProcess>(std::move(*process));
  of(i).number = started_++;
}

void IsolatedScan::direct(i64 i) {
  Worker &worker = of(i);
  if (!worker.process) start(i);
  if (!worker.process) return;
  for (;;) {
    const TaskBook::Step step = book_.next(i, seconds_now());
    if (step.kind == TaskBook::Step::Kind::wait) return;
    const bool maps = step.kind == TaskBook::Step::Kind::map;
    std::string message(1, static_cast<char>(maps ? Command::map : Command::seal));
    if (maps) append_varint(static_cast<u64>(step.task), &message);
    worker.process->channel().send(message);  // a dead worker is noticed elsewhere
  }
}

void IsolatedScan::wait() {
  std::vector<pollfd> files;
  for (const Worker &worker : workers_) {
    files.push_back({worker.process->channel().fd(), POLLIN, 0});
    files.push_back({worker.process->death(), POLLIN, 0});
  }
  poll(files.data(), files.size(), kLookMs);
  for (i64 i = 0; i < std::ssize(workers_) && status_.is_ok(); ++i) {
    const auto at = static_cast<size_t>(2 * i);
    if ((files[at].revents | files[at + 1].revents) != 0) hear(i);
  }
}

// Takes all messages of a worker, even of a dead one. A message of another worker may have ended it
// meanwhile.
void IsolatedScan::hear(i64 i) {
  Worker &worker = of(i);
  if (!worker.process) return;
  const bool is_dead = worker.process->is_dead();
  Channel::Message message;
  while (status_.is_ok() &&
         worker.process->channel().receive(&message, false) == Channel::Got::message) {
    take(i, &message);
  }
  if (is_dead && status_.is_ok()) bury(i);
}

void IsolatedScan::take(i64 i, Channel::Message *message) {
  const auto word = static_cast<Word>(message->text[0]);
  const Bytes text = Bytes(message->text).substr(1);
  switch (word) {
    case Word::begun:
      of(i).has_begun = true;
      stillborn_ = 0;
      break;
    case Word::mapped:
      if (const std::optional<i64> task = book_.current(i)) {
        queue_.add(claims_[static_cast<size_t>(*task)]);
        book_.mapped(i, seconds_now());
      }
      break;
    case Word::notes: of(i).notes.append(text); break;
    case Word::sealed: take_sealed(i, message); break;
    case Word::complaint: take_complaint(text); break;
    case Word::warning: run_.observer->complain(std::string(text)); break;
    case Word::remark: run_.observer->note(std::string(text)); break;
    case Word::error: status_ = Status::error(std::string(text)); break;
    case Word::fault: of(i).fault = text; break;
  }
}

void IsolatedScan::take_complaint(Bytes text) {
  const u64 source = take_varint(&text);
  queue_.complain(static_cast<i64>(source), Status::error(std::string(text)));
}

void IsolatedScan::take_sealed(i64 i, Channel::Message *message) {
  Worker &worker = of(i);
  const SealedCounts counts = SealedCounts::from_text(Bytes(message->text).substr(1));
  const Bytes notes = worker.notes;
  SealedPart part;
  part.emptied = counts.emptied;
  part.notes = notes.substr(0, static_cast<size_t>(counts.sink_notes));
  if (!message->files.empty()) {
    part.states.emplace(RunFile::adopt(message->files[0], run_.plan.tmpdir));
    ++run_.report.sealed_parts;
    if (const auto size = part.states->size(); size.is_ok()) run_.report.sealed_bytes += *size;
  }
  watch_.add_notes(notes.substr(part.notes.size()), counts.read, counts.records);
  queue_.add_packed(counts.packed_bytes);
  status_ = sink_.take_part(worker.number, std::move(part));
  worker.notes.clear();
  for (const i64 other : book_.sealed(i)) drop(other);
  end_at_first_bad();
}

// With --strict, forgets tasks after the first malformed record, unless some tasks are compressed
// files, which are in no order.
void IsolatedScan::end_at_first_bad() {
  const u64 bad = watch_.first_bad();
  if (bad == ~u64{0} || claims_.back().split == nullptr) return;
  const auto is_after = [bad](const SplitQueue::Claim &claim) {
    return position_of(claim.split->source, claim.split->begin) > bad;
  };
  book_.forget_from(std::ranges::find_if(claims_, is_after) - claims_.begin());
}

// Ends a worker whose results do not count any more.
void IsolatedScan::drop(i64 i) {
  sink_.end_worker(of(i).number);
  book_.died(i, Death::unneeded);
  of(i) = {};
}

void IsolatedScan::end_overtime() {
  const double most = run_.program.isolation.unit_seconds;
  if (most <= 0) return;
  for (i64 i = 0; i < std::ssize(workers_); ++i) {
    const std::optional<double> since = book_.busy_since(i);
    if (!since || !of(i).process || seconds_now() - *since < most) continue;
    of(i).fault = fmt::format("took longer than {} s", most);
    of(i).process->kill();
  }
}

std::string IsolatedScan::cause_of(i64 i, const WorkerProcess::End &end) {
  const Worker &worker = of(i);
  std::string cause = worker.fault;
  if (cause.empty()) {
    cause = end.signal != 0 ? fmt::format("SIG{}", sigabbrev_np(end.signal))
                            : fmt::format("it ended with status {}", end.code);
  }
  const char *function = places_.at(i)->function;
  const auto &plugin = run_.program.plugin;
  if (*function == '\0' || !plugin) return cause;
  const PluginPlace place = plugin->place(function);
  return fmt::format("{}, in {} of job {} of {}", cause, function, place.name, place.plugin);
}

void IsolatedScan::bury(i64 i) {
  Worker &worker = of(i);
  const WorkerProcess::End end = worker.process->end();
  const std::string cause = cause_of(i, end);
  const bool is_fault = !worker.fault.empty() || end.signal == 0 || is_of_itself(end.signal);
  const Death death = !worker.has_begun ? Death::unneeded
                      : is_fault        ? Death::fault
                                        : Death::outside;
  const TaskBook::Loss loss = book_.died(i, death);
  stillborn_ += !worker.has_begun;
  sink_.end_worker(worker.number);
  worker = {};
  ++run_.report.worker_deaths;
  for (const i64 other : loss.unneeded) drop(other);
  if (loss.left_out) leave_out(*loss.left_out, cause);
  if (status_.is_ok() && stillborn_ >= (is_fault ? kMostStillborn : kMostKilled)) {
    status_ = Status::error(
        fmt::format("{} worker processes have died before they mapped anything, the last one: {}",
                    stillborn_, cause));
  }
}

std::string IsolatedScan::describe(i64 task) const {
  const SplitQueue::Claim &claim = claims_[static_cast<size_t>(task)];
  const Source &source = run_.plan.sources[static_cast<size_t>(queue_.source_of(claim))];
  if (claim.split == nullptr) return source.name();
  return fmt::format("{}: bytes {} to {}", source.name(), claim.split->begin, claim.split->end);
}

void IsolatedScan::leave_out(i64 task, const std::string &why) {
  const std::string what =
      fmt::format("{}: its workers died more than once: {}", describe(task), why);
  if (run_.program.strict) {
    status_ = Status::error(what);
  } else {
    run_.observer->complain(what + "; it is left out");
  }
}

}  // namespace

Status scan_isolated(Run *run, SplitQueue *queue, StageSink *sink, InputWatch *watch) {
  if (const i64 threads = other_threads(); threads > 0) {
    return Status::error(fmt::format(
        "{}: worker processes are made of a process with one thread, and a plugin has started {}",
        setting_name("isolate"), threads));
  }
  if (Status status = flush_plugin_prints(); !status.is_ok()) return status;
  return IsolatedScan(run, queue, sink, watch).go();
}

}  // namespace mrc
