#include "engine/inner/checkpoints.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <vector>

namespace mrc {
namespace {

struct Failures {
  Saver::Failed heard() {
    return [this](const Status &status) { all.push_back(status.message()); };
  }
  std::vector<std::string> all;
};

TEST(Saver, ReplacesWhatWaits) {
  Failures failures;
  Saver saver(failures.heard());
  std::promise<void> begun, may_end;
  std::vector<int> done;
  saver.save([&] {
    begun.set_value();
    may_end.get_future().wait();
    done.push_back(1);
    return Status::ok();
  });
  begun.get_future().wait();
  std::promise<void> last;
  saver.save([&] {
    done.push_back(2);
    return Status::ok();
  });
  saver.save([&] {
    done.push_back(3);
    last.set_value();
    return Status::ok();
  });
  may_end.set_value();
  last.get_future().wait();
  saver.finish();
  EXPECT_EQ(done, (std::vector<int>{1, 3}));
  EXPECT_TRUE(failures.all.empty());
}

TEST(Saver, SaysAtOnceAndOnceThatItFails) {
  std::promise<std::string> said;
  Saver saver([&](const Status &status) { said.set_value(status.message()); });
  saver.save([] { return Status::error("disk full"); });
  EXPECT_EQ(said.get_future().get(), "disk full") << "while the job goes on";
  EXPECT_TRUE(saver.has_failed());
  saver.fail(Status::error("again"));  // a second value would throw
  std::atomic<bool> is_called = false;
  saver.save([&] {
    is_called = true;
    return Status::ok();
  });
  saver.finish();
  EXPECT_FALSE(is_called);
}

TEST(Saver, ForgetsWhatWaitsInTheEnd) {
  Failures failures;
  Saver saver(failures.heard());
  saver.finish();
  saver.save([] { return Status::error("too late"); });
  saver.finish();
  EXPECT_TRUE(failures.all.empty());
}

}  // namespace
}  // namespace mrc
