#include "plugin/plugin.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace mrc {
namespace {

using std::string;

// A variable of the environment, while a test runs.
class Variable {
 public:
  Variable(const char *name, const string &value) : name_(name) {
    if (const char *before = std::getenv(name); before != nullptr) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

 private:
  const char *name_;
  std::optional<string> before_;
};

class FindPlugin : public testing::Test {
 protected:
  FindPlugin() : home_("HOME", here_.path("home")), list_("MRC_PLUGIN_PATH", "") {
    for (const char *folder : {"a", "b", "home/.local/lib/mrc"}) {
      std::filesystem::create_directories(here_.path(folder));
    }
  }
  string found(const string &name, const std::vector<string> &given = {}) {
    Result<PluginPath> path = plugin_path(given);
    if (!path.is_ok()) return path.status().message();
    Result<string> file = find_plugin(name, *path);
    return file.is_ok() ? *file : file.status().message();
  }
  TemporaryFolder here_;
  Variable home_, list_;
};

TEST_F(FindPlugin, TakesANameWithASlashAsItIs) { EXPECT_EQ(found("./none.so"), "./none.so"); }

TEST_F(FindPlugin, LooksInFoldersThatAreGiven) {
  const string file = here_.write("a/x.so", "");
  EXPECT_EQ(found("x", {here_.path("b"), here_.path("a")}), file);
  EXPECT_EQ(found("x", {file}), file);
  EXPECT_EQ(found("y", {here_.path("a")}), "");
  EXPECT_EQ(found("x", {here_.path("c")}),
            "plugin \"" + here_.path("c") + "\": there is no such file or directory");
}

TEST_F(FindPlugin, LooksInTheEnvironmentAndAtHome) {
  const string file = here_.write("home/.local/lib/mrc/x.so", "");
  EXPECT_EQ(found("x"), file);
  const string other = here_.write("b/y.so", "");
  const Variable list("MRC_PLUGIN_PATH", here_.path("a") + ":" + here_.path("b"));
  EXPECT_EQ(found("y"), other);
}

// Wherever that was moved: no prefix is compiled in. Below /usr, Debian has a directory for each
// architecture: lib/x86_64-linux-gnu/mrc.
TEST_F(FindPlugin, LooksLastWhereItIsInstalledAsSeenFromTheProgram) {
  const Result<PluginPath> path = plugin_path({});
  ASSERT_TRUE(path.is_ok());
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const string libraries = (folder.parent_path() / "lib").string() + "/";
  EXPECT_EQ(path->places.back().substr(0, libraries.size()), libraries);
  EXPECT_TRUE(path->places.back().ends_with("/mrc"));
}

TEST_F(FindPlugin, DoesNotChooseBetweenTwo) {
  const string one = here_.write("a/x.so", ""), other = here_.write("b/x.so", "");
  EXPECT_EQ(found("x", {here_.path("a"), here_.path("b")}),
            "there are two plugins \"x\": " + one + " and " + other +
                "; name the one you mean by its path");
}

TEST_F(FindPlugin, KnowsAFileByItsOtherName) {
  const string file = here_.write("a/x.so", "");
  std::filesystem::create_symlink(file, here_.path("b/x.so"));
  EXPECT_EQ(found("x", {here_.path("a"), here_.path("b"), here_.path("a")}), file);
}

TEST_F(FindPlugin, NeverLooksWhereTheUserHappensToBe) {
  here_.write("x.so", "");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(here_.path(""));
  const Variable list("MRC_PLUGIN_PATH", ":.:" + here_.path("a"));
  const Variable home("HOME", ".");
  Result<PluginPath> path = plugin_path({});
  EXPECT_EQ(found("x"), "");
  std::filesystem::current_path(before);
  ASSERT_TRUE(path.is_ok());
  EXPECT_EQ(path->notes,
            (std::vector<string>{"MRC_PLUGIN_PATH: \".\" does not begin with / and is left out",
                                 "MRC_PLUGIN_PATH has an empty element, which is left out"}));
  EXPECT_EQ(path->places[0], here_.path("a"));
  EXPECT_EQ(path->places.size(), 2u);  // that, and the installed folder
}

TEST_F(FindPlugin, ListsFilesAndTheirRivals) {
  const string one = here_.write("a/x.so", ""), other = here_.write("b/x.so", "");
  here_.write("b/readme", "");
  const string lone = here_.write("b/w.so", "");
  Result<PluginPath> path = plugin_path({here_.path("a"), here_.path("b")});
  const std::vector<PluginFile> files = list_plugins(*path);
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].path, one);
  EXPECT_EQ(files[0].rival, other);
  EXPECT_EQ(files[1].path, lone);
  EXPECT_EQ(files[1].rival, "");
  EXPECT_EQ(files[2].rival, one);
}

}  // namespace
}  // namespace mrc
