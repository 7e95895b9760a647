// Polls files every few milliseconds. The kernel can report changes (inotify), but not on network
// file systems and not for files that are renamed over, and a look costs two system calls.
#include "split/follow_queue.h"

#include <poll.h>

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenLooks = 30ms;
constexpr auto kBetweenIdleCalls = 30ms;
// Time for data that arrived before the end of input; a fast writer cannot delay the end any
// longer.
constexpr auto kLastLooks = 200ms;
constexpr i64 kHead = i64{64} << 10;

std::string head_of(const Source &source, const InputFile &file) {
  std::string head(static_cast<size_t>(std::min(kHead, source.end - source.begin)), '\0');
  const Result<i64> got = file.read_at(source.begin, head.data(), std::ssize(head));
  head.resize(static_cast<size_t>(got.is_ok() ? *got : 0));
  return head;
}

}  // namespace

// Keeps files open: a rotation may rename them before all is read. The SplitQueue reads no stream
// that is followed.
FollowQueue::FollowQueue(QueueSpec there, FollowSpec spec) : spec_(std::move(spec)) {
  std::vector<Source> followed = there.sources;
  std::vector<Status> problems;
  for (size_t i = 0; i < followed.size(); ++i) {
    Source *const own = &there.sources[i];
    if (!followed[i].followed) continue;
    if (own->stream) own->pass_over();
    Result<InputFile> file = InputFile::open(followed[i]);
    if (!file.is_ok()) continue;  // its reader reports the error
    own->fd = followed[i].fd = file->fd();
    held_.push_back(std::move(*file));
  }
  there_ = std::make_unique<SplitQueue>(std::move(there));
  for (size_t i = 0; i < followed.size(); ++i) {
    if (followed[i].followed) follow(static_cast<i64>(i), followed[i]);
  }
}

void FollowQueue::follow(i64 number, const Source &source) {
  const Followed::Listener listener{
      spec_.note, [this, number](const Status &what) { there_->complain(number, what); }};
  Result<std::unique_ptr<Followed>> from =
      source.stream ? follow_pipe(source, listener) : follow_file(source, listener);
  if (!from.is_ok()) return there_->complain(number, from.status());
  std::string head;
  if (source.end > source.begin) {
    if (const Result<InputFile> file = InputFile::open(source); file.is_ok()) {
      head = head_of(source, *file);
    }
  }
  inputs_.emplace_back(spec_, number, source, std::move(*from), head);
}

void FollowQueue::cancel() {
  is_cancelled_ = true;
  there_->cancel();
}

// Ends the present content, too: a record that has begun to arrive is delivered only if all earlier
// records are.
void FollowQueue::end_input() {
  is_ended_ = true;
  there_->cancel();
}

// Closes the held files when all readers have found the present content claimed. A reader made
// later finds none either.
void FollowQueue::leave_there() {
  if (!is_ended_ && !is_cancelled_) is_exhausted_ = true;
  std::lock_guard lock(mutex_);
  if (++left_there_ == readers_) held_.clear();
}

std::optional<Chunk> FollowQueue::next_block(Pages *block, Unit *unit) {
  {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [this] { return !is_looking_; });
    is_looking_ = true;
  }
  struct Turn {
    FollowQueue &queue;
    ~Turn() {
      std::lock_guard lock(queue.mutex_);
      queue.is_looking_ = false;
      queue.turn_.notify_one();
    }
  } const turn{*this};
  while (!is_cancelled_) {
    const bool was_ended = is_ended_, goes_on = may_go_on();
    std::optional<Chunk> chunk = goes_on ? look(block) : end_all(block);
    if (chunk) {
      const i64 bytes = std::ssize(chunk->bytes);
      bytes_arrived_ += bytes;
      *unit = {.source = chunk->source,
               .begin = chunk->offset,
               .end = chunk->offset + bytes,
               .number = arrived_++,
               .arrived = true};
      return chunk;
    }
    if (!goes_on) break;
    if (was_ended) ending_ = Clock::time_point();  // all that had arrived by then is read
    if (!is_ended_) wait();
  }
  return std::nullopt;
}

// True if inputs have to be looked at again.
bool FollowQueue::may_go_on() const {
  const bool is_ending =
      is_ended_ && (!is_exhausted_ || (ending_ && Clock::now() - *ending_ > kLastLooks));
  const auto has_more = [this](const FollowedInput &input) {
    return !input.is_over() && !there_->skipped(input.source());
  };
  return !is_ending && std::ranges::any_of(inputs_, has_more);
}

// Looks at the inputs in turn, so that a busy one does not hide the others.
std::optional<Chunk> FollowQueue::look(Pages *block) {
  if (is_ended_ && !ending_) ending_ = Clock::now();
  call_idle();
  for (size_t i = 0; i < inputs_.size() && !is_cancelled_; ++i) {
    FollowedInput &input = inputs_[(next_ + i) % inputs_.size()];
    if (there_->skipped(input.source())) continue;
    std::optional<Chunk> chunk = input.next(block);
    if (!chunk) continue;
    next_ = (next_ + i + 1) % inputs_.size();
    return chunk;
  }
  return std::nullopt;
}

std::optional<Chunk> FollowQueue::end_all(Pages *block) {
  if (is_ended_ && !is_exhausted_) return std::nullopt;
  for (FollowedInput &input : inputs_) {
    if (there_->skipped(input.source())) continue;
    if (std::optional<Chunk> chunk = input.last(block)) return chunk;
  }
  return std::nullopt;
}

// Sleeps between two looks. Data on a pipe ends the sleep, and so does a signal.
void FollowQueue::wait() {
  std::vector<pollfd> pipes;
  for (const FollowedInput &input : inputs_) {
    if (input.poll_fd() >= 0) pipes.push_back({input.poll_fd(), POLLIN, 0});
  }
  poll(pipes.data(), pipes.size(), static_cast<int>(kBetweenLooks / 1ms));
}

void FollowQueue::call_idle() {
  const Clock::time_point now = Clock::now();
  if (now - idle_at_ < kBetweenIdleCalls) return;
  idle_at_ = now;
  spec_.idle();
}

// Reads units of the present content, and then data that arrives.
class FollowQueue::FollowReader : public ChunkSource::Reader {
 public:
  FollowReader(FollowQueue *queue, i64 worker)
      : queue_(*queue), there_(queue->there_->make_reader(worker)) {}

  Result<std::optional<Unit>> claim() override {
    if (there_) {
      Result<std::optional<Unit>> unit = there_->claim();
      counts_ = there_->counts();
      if (!unit.is_ok() || *unit) return unit;
      there_.reset();
      queue_.leave_there();
    }
    Unit unit;
    block_ = queue_.next_block(&buffer_, &unit);
    if (!block_) return std::optional<Unit>();
    ++counts_.units;
    counts_.bytes += std::ssize(block_->bytes);
    return std::optional(unit);
  }

  Result<std::optional<Chunk>> next() override {
    if (!there_) return std::exchange(block_, std::nullopt);
    Result<std::optional<Chunk>> chunk = there_->next();
    counts_ = there_->counts();
    return chunk;
  }

 private:
  FollowQueue &queue_;
  std::unique_ptr<Reader> there_;  // null: no units are left
  Pages buffer_;
  std::optional<Chunk> block_;  // claimed and not returned yet
};

std::unique_ptr<ChunkSource::Reader> FollowQueue::make_reader(i64 worker) {
  {
    std::lock_guard lock(mutex_);
    ++readers_;
  }
  return std::make_unique<FollowReader>(this, worker);
}

}  // namespace mrc
