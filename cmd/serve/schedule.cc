#include "cmd/serve/schedule.h"

#include <algorithm>
#include <utility>

namespace mrc {

Schedule::Schedule(std::vector<i64> cpus, i64 most_begun, Clock::duration slice)
    : free_(std::move(cpus)), most_begun_(most_begun), slice_(slice) {}

void Schedule::add(i64 job, i64 client) {
  jobs_.push_back({.id = job, .client = client, .ready = ++turn_});
}

// Forgets a client with its last job.
void Schedule::remove(i64 job) {
  const auto found = std::ranges::find(jobs_, job, &Job::id);
  if (found == jobs_.end()) return;
  free_.insert(free_.end(), found->cpus.begin(), found->cpus.end());
  const i64 client = found->client;
  jobs_.erase(found);
  if (std::ranges::find(jobs_, client, &Job::client) != jobs_.end()) return;
  std::erase_if(turns_, [&](const auto &turn) { return turn.first == client; });
}

const Schedule::Job *Schedule::find(i64 job) const {
  const auto found = std::ranges::find(jobs_, job, &Job::id);
  return found == jobs_.end() ? nullptr : &*found;
}

Schedule::State Schedule::state(i64 job) const {
  const Job *found = find(job);
  return found == nullptr ? State::waiting : found->state;
}

i64 Schedule::cpus(i64 job) const {
  const Job *found = find(job);
  return found == nullptr ? 0 : std::ssize(found->cpus);
}

i64 Schedule::turn_of(i64 client) const {
  const auto found = std::ranges::find(turns_, client, &std::pair<i64, i64>::first);
  return found == turns_.end() ? 0 : found->second;
}

i64 Schedule::count(State state) const { return std::ranges::count(jobs_, state, &Job::state); }

// Returns the first ready job of the client whose last turn is longest ago; null: none may run.
Schedule::Job *Schedule::next_ready() {
  const i64 begun = std::ssize(jobs_) - count(State::waiting);
  Job *best = nullptr;
  for (Job &job : jobs_) {
    const bool may_run =
        job.state == State::paused || (job.state == State::waiting && begun < most_begun_);
    if (!may_run) continue;
    const auto place = [&](const Job &of) { return std::pair(turn_of(of.client), of.ready); };
    if (best == nullptr || place(job) < place(*best)) best = &job;
  }
  return best;
}

// Leaves CPUs to other jobs that are ready.
std::vector<i64> Schedule::take_free() {
  if (free_.empty()) return {};
  const i64 waiting = count(State::waiting), begun = std::ssize(jobs_) - waiting;
  const i64 ready = std::min(waiting, most_begun_ - begun) + count(State::paused);
  const i64 share = std::max<i64>(std::ssize(free_) / std::max<i64>(ready, 1), 1);
  const std::vector<i64> taken(free_.begin(), free_.begin() + share);
  free_.erase(free_.begin(), free_.begin() + share);
  return taken;
}

std::vector<i64> Schedule::take_from_largest(std::vector<Step> *steps) {
  const auto size = [](const Job &job) { return job.cpus.size(); };
  const auto largest = std::ranges::max_element(jobs_, {}, size);
  if (largest == jobs_.end() || largest->cpus.size() < 2) return {};
  const auto half = static_cast<std::ptrdiff_t>((largest->cpus.size() + 1) / 2);
  const std::vector<i64> taken(largest->cpus.begin() + half, largest->cpus.end());
  largest->cpus.erase(largest->cpus.begin() + half, largest->cpus.end());
  steps->push_back({Step::What::move, largest->id, largest->cpus});
  return taken;
}

std::vector<i64> Schedule::take_from_longest(Clock::time_point now, std::vector<Step> *steps) {
  Job *longest = nullptr;
  for (Job &job : jobs_) {
    if (job.state != State::running) continue;
    if (longest == nullptr || job.since < longest->since) longest = &job;
  }
  if (longest == nullptr) return {};
  if (now < longest->since + slice_) {
    next_look_ = longest->since + slice_;
    return {};
  }
  longest->state = State::paused;
  longest->ready = ++turn_;
  steps->push_back({Step::What::pause, longest->id, {}});
  return std::exchange(longest->cpus, {});
}

// Gives free CPUs to running jobs that have lost some.
void Schedule::spread(std::vector<Step> *steps) {
  for (Job &job : jobs_) {
    const i64 lacking = job.state == State::running ? job.wanted - std::ssize(job.cpus) : 0;
    const i64 count = std::min(lacking, std::ssize(free_));
    if (count <= 0) continue;
    job.cpus.insert(job.cpus.end(), free_.begin(), free_.begin() + count);
    free_.erase(free_.begin(), free_.begin() + count);
    steps->push_back({Step::What::move, job.id, job.cpus});
  }
}

std::vector<Schedule::Step> Schedule::next(Clock::time_point now) {
  std::vector<Step> steps;
  next_look_.reset();
  for (Job *job = next_ready(); job != nullptr; job = next_ready()) {
    std::vector<i64> cpus = take_free();
    if (cpus.empty()) cpus = take_from_largest(&steps);
    if (cpus.empty()) cpus = take_from_longest(now, &steps);
    if (cpus.empty()) break;
    const bool begins = job->state == State::waiting;
    if (begins) job->wanted = std::ssize(cpus);
    job->state = State::running;
    job->since = now;
    job->cpus = std::move(cpus);
    steps.push_back({begins ? Step::What::begin : Step::What::resume, job->id, job->cpus});
    std::erase_if(turns_, [&](const auto &turn) { return turn.first == job->client; });
    turns_.emplace_back(job->client, ++turn_);
  }
  spread(&steps);
  return steps;
}

}  // namespace mrc
