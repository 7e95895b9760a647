#include "base/library.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(Library, FindsFunctionsByTheirNames) {
  const Result<Library> library = Library::load("libc.so.6", "libc6");
  ASSERT_TRUE(library.is_ok()) << library.status().message();
  int (*function)(int) = nullptr;
  ASSERT_TRUE(library->find("toupper", &function));
  EXPECT_EQ(function('a'), 'A');
  EXPECT_FALSE(library->find("no_such_function", &function));
}

TEST(Library, NamesThePackageOfOneThatIsMissing) {
  EXPECT_EQ(Library::load("libnone.so.1", "libnone1").status().message(),
            "there is no libnone.so.1 on this machine; install the package libnone1");
}

}  // namespace
}  // namespace mrc
