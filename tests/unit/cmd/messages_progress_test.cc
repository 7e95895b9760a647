#include "cmd/messages.h"

#include <gtest/gtest.h>

#include <thread>

namespace mrc {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

std::string shown(When when, bool quiet) {
  Compiled compiled;
  compiled.reporting = {.progress = when, .quiet = quiet};
  CaptureStderr();
  Progress progress(compiled);
  progress.progress(1 << 20, 4 << 20);
  const std::string at_once = GetCapturedStderr();
  EXPECT_EQ(at_once, "") << "a short run needs no line";
  std::this_thread::sleep_for(std::chrono::milliseconds(220));
  CaptureStderr();
  progress.progress(2 << 20, 4 << 20);
  progress.writing();
  return GetCapturedStderr();
}

TEST(Progress, ShowsALineAndErasesItBeforeRowsAreWritten) {
  const std::string line = shown(When::always, false);
  EXPECT_TRUE(line.starts_with("\r\x1b[Kmrc: 2 MiB, ")) << line;
  EXPECT_NE(line.find("50 %"), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with("\r\x1b[K")) << line;
}

TEST(Progress, IsSilentWhereNobodyLooksOrWantsIt) {
  EXPECT_EQ(shown(When::automatic, false), "");  // stderr is not a terminal here
  EXPECT_EQ(shown(When::never, false), "");
  EXPECT_EQ(shown(When::always, true), "");
}

}  // namespace
}  // namespace mrc
