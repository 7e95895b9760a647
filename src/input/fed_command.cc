#include "input/inner/fed_command.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace mrc {
namespace {

constexpr int kStepMs = 50;

}  // namespace

FedCommand::FedCommand(const Source &source)
    : command_(source.command), feed_(source.feed), most_seconds_(source.feed_seconds) {}

FedCommand::~FedCommand() {
  stopped_ = true;
  program_.kill();
  if (reader_) reader_->give_up();
  if (writer_.joinable()) writer_.join();
}

Result<int> FedCommand::start() {
  reader_ = feed_->open();
  const Result<Bytes> first = reader_->next();
  if (!first.is_ok()) return first.status();
  if (first->empty()) {
    const int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return none >= 0 ? Result<int>(none) : Status::from_errno("/dev/null", errno);
  }
  const int error = program_.start({"/bin/sh", "-c", command_, "mrc"}, -1,
                                   ChildProgram::Messages::passed_on, ChildProgram::Group::its_own);
  if (error != 0) return Status::from_errno("/bin/sh", error);
  try {
    writer_ = std::thread([this, first] { write_all(*first); });
  } catch (const std::system_error &problem) {
    return Status::error(fmt::format("no thread can be started: {}", problem.code().message()));
  }
  return program_.take_output();
}

// No exception may leave the thread.
void FedCommand::write_all(Bytes next) try {
  last_progress_ = std::chrono::steady_clock::now();
  while (!stopped_ && !left_ && failure_.is_ok() && !next.empty()) {
    place_ = reader_->place();
    failure_ = write(next);
    const Result<Bytes> more = reader_->next();
    if (!more.is_ok()) failure_ = more.status();
    next = more.is_ok() ? *more : Bytes();
  }
  program_.end_input();
  await_end();
  has_written_.release();
} catch (const std::bad_alloc &) {
  failure_ = Status::out_of_memory();
  program_.kill();
  has_written_.release();
}

// A command may close its input before the end, as head does.
Status FedCommand::write(Bytes bytes) {
  while (!bytes.empty() && !stopped_) {
    if (!await_room()) return failure_;
    if (program_.has_closed_input()) {
      left_ = true;
      return Status::ok();
    }
    const size_t written = program_.write(bytes.data(), bytes.size());
    bytes.remove_prefix(written);
    if (written > 0) note_progress();
  }
  return Status::ok();
}

bool FedCommand::await_room() {
  while (!program_.await_room(kStepMs)) {
    if (stopped_ || is_late()) return false;
  }
  return true;
}

// Waits for the end of the output, which the other thread reads.
void FedCommand::await_end() {
  if (most_seconds_ == 0) return;
  while (!stopped_ && !has_closed_ && !is_late()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(kStepMs));
  }
}

// True if nothing has moved for too long. Then the command is killed.
bool FedCommand::is_late() {
  const auto now = std::chrono::steady_clock::now();
  const i64 seen = seen_.load(std::memory_order_relaxed);
  if (std::exchange(last_seen_, seen) != seen || is_held_) last_progress_ = now;
  const std::chrono::duration<double> waited = now - last_progress_;
  if (most_seconds_ == 0 || waited.count() < most_seconds_ || !failure_.is_ok()) return false;
  failure_ = Status::error(fmt::format("{}: it neither read nor printed for {} s, and was killed",
                                       command_, most_seconds_));
  program_.kill();
  return true;
}

// Bytes that a command leaves unread are lost if it was the only one to get them.
Status FedCommand::check_rest() const {
  if (!feed_->wants_all() || (!left_ && program_.has_read_all())) return Status::ok();
  return Status::error(
      fmt::format("{}: it ended before it had read all{}", command_, feed_->remedy()));
}

// The thread may still wait for bytes of an idle pipe, which are of no use after the command has
// ended. If it had to read all, and has succeeded, more bytes would be an error: it waits for them.
void FedCommand::await_writer() {
  while (!has_written_.try_acquire_for(std::chrono::milliseconds(kStepMs))) {
    const std::optional<bool> outcome = program_.outcome();
    if (outcome && (!*outcome || !feed_->wants_all())) reader_->give_up();
  }
  writer_.join();
}

Status FedCommand::finish() {
  has_closed_ = true;
  if (!writer_.joinable()) return Status::ok();
  await_writer();
  std::string reason;
  const bool succeeded = program_.succeeded(&reason);
  Status status = !failure_.is_ok() ? failure_
                  : succeeded       ? check_rest()
                                    : Status::error(command_ + ": " + reason);
  if (status.is_ok()) return status;
  if (!place_.empty()) {
    status = Status::error(fmt::format("{} (the last it got: {})", status.message(), place_));
  }
  return feed_->first_of(std::move(status));
}

}  // namespace mrc
