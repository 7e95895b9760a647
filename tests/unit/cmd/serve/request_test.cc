#include "cmd/serve/request.h"

#include "support/random.h"
#include "support/seed.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

ServedJob some_job() {
  ServedJob job;
  job.arguments = {"count", "-k", "", "a\nb"};
  job.environment = {"A=1", "EMPTY="};
  job.umask = 027;
  job.nice = 5;
  job.ignored_signals = {SIGHUP};
  job.limits[RLIMIT_FSIZE] = {4096, RLIM_INFINITY};
  return job;
}

TEST(ServedJob, IsTheOneThatWasWritten) {
  const std::optional<ServedJob> job = ServedJob::from_text(some_job().to_text());
  ASSERT_TRUE(job);
  EXPECT_EQ(job->arguments, some_job().arguments);
  EXPECT_EQ(job->environment, some_job().environment);
  EXPECT_EQ(job->umask, 027);
  EXPECT_EQ(job->nice, 5);
  EXPECT_EQ(job->ignored_signals, std::vector<i64>{SIGHUP});
  EXPECT_EQ(job->limits[RLIMIT_FSIZE].rlim_cur, 4096u);
  EXPECT_EQ(job->limits[RLIMIT_FSIZE].rlim_max, RLIM_INFINITY);
}

TEST(ServedJob, IsThisProcess) {
  const ServedJob job = ServedJob::of_this_process({"count"});
  rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  EXPECT_EQ(job.limits[RLIMIT_NOFILE].rlim_cur, files.rlim_cur);
  EXPECT_FALSE(job.environment.empty());
}

// A prefix may be a job with fewer variables, but never one with other arguments.
TEST(ServedJob, IsNotReadFromTruncatedText) {
  const std::string text = some_job().to_text();
  for (size_t size = 0; size < text.size(); ++size) {
    const std::optional<ServedJob> job = ServedJob::from_text(text.substr(0, size));
    if (job) {
      EXPECT_EQ(job->arguments, some_job().arguments) << size;
    }
  }
}

TEST(ServedJob, SurvivesAnyBytes) {
  Random random(first_seed());
  const std::string text = some_job().to_text();
  for (int round = 0; round < 10000; ++round) {
    std::string damaged = text;
    for (i64 n = pick(random, 1, 4); n > 0; --n) {
      const auto at = static_cast<size_t>(pick(random, 0, std::ssize(damaged) - 1));
      damaged[at] = static_cast<char>(pick(random, 0, 255));
    }
    const std::optional<ServedJob> job = ServedJob::from_text(damaged);
    if (job) {
      EXPECT_LE(job->umask, 0777);
    }
  }
}

TEST(WordsOf, AreThoseOfTheMessage) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_of(message_of({"exit", "0"})), (Words{"exit", "0"}));
  EXPECT_EQ(words_of(message_of({"", "a b"})), (Words{"", "a b"}));
  EXPECT_EQ(words_of("no end"), std::nullopt);
  EXPECT_EQ(words_of(""), std::nullopt);
}

TEST(ParseCount, TakesWholeNumbersOnly) {
  EXPECT_EQ(parse_count("0"), 0);
  EXPECT_EQ(parse_count("9223372036854775807"), INT64_MAX);
  for (const char *text : {"", "-1", "-0", "+1", " 1", "1x", "9223372036854775808"}) {
    EXPECT_EQ(parse_count(text), std::nullopt) << text;
  }
}

TEST(SocketAddress, RefusesLongPaths) {
  EXPECT_TRUE(socket_address(std::string(107, 'a')).is_ok());
  EXPECT_FALSE(socket_address(std::string(108, 'a')).is_ok());
  EXPECT_FALSE(socket_address("").is_ok());
}

}  // namespace
}  // namespace mrc
