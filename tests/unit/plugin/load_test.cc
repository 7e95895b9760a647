#include "plugin/call.h"
#include "plugin/plugin.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace mrc {
namespace {

using std::string;

string test_plugin(const string &name) { return string(MRC_TEST_PLUGINS) + "/" + name + ".so"; }

// The error, with @ for the file's name; "" if it loads.
string load_error(const string &path, bool force = true) {
  Result<std::shared_ptr<const Plugin>> plugin = load_plugin(path, force);
  if (plugin.is_ok()) return "";
  string message = plugin.status().message();
  for (size_t at; (at = message.find(path)) != string::npos;) message.replace(at, path.size(), "@");
  return message;
}
string fault(const string &name) { return load_error(test_plugin(name)); }

TEST(LoadPlugin, OffersItsJobs) {
  Result<std::shared_ptr<const Plugin>> plugin = load_plugin(test_plugin("sound"), true);
  ASSERT_TRUE(plugin.is_ok()) << plugin.status().message();
  EXPECT_STREQ((*plugin)->about().name, "one");
  ASSERT_EQ((*plugin)->jobs().size(), 1u);
  EXPECT_STREQ((*plugin)->find_job("lines")->key_name, "key");
  EXPECT_EQ((*plugin)->find_job("lime"), nullptr);
}

TEST(LoadPlugin, LoadsAFileOnceWhateverItsName) {
  TemporaryFolder folder;
  const string link = folder.path("other.so");
  std::filesystem::create_symlink(test_plugin("sound"), link);
  EXPECT_EQ(*load_plugin(test_plugin("sound"), true), *load_plugin(link, true));
}

TEST(LoadPlugin, LoadsWhatTheFirstHeaderMade) {
  EXPECT_EQ(fault("first_header"), "");
  EXPECT_EQ(fault("abi_layout"), "");
}

TEST(LoadPlugin, LetsPluginsLive) { EXPECT_EQ(fault("lively"), ""); }

TEST(LoadPlugin, SaysWhatAFileIsThatIsNoSharedObject) {
  TemporaryFolder folder;
  EXPECT_EQ(load_error(folder.path("none.so")), "@: No such file or directory");
  EXPECT_EQ(load_error(folder.path("")), "@: is a directory; name the plugin's file in it");
  EXPECT_EQ(load_error("/dev/null"), "@: is not a file");
  EXPECT_EQ(load_error(folder.write("empty", "")), "@: is empty");
  EXPECT_EQ(load_error(folder.write("script", "#!/bin/sh\n")),
            "@: is a script, not a shared object; plugins are compiled");
  EXPECT_EQ(load_error(folder.write("x.c", "#include <mrc_plugin.h>\n")),
            "@: is text, not a shared object; build it: cc -shared -fPIC -o NAME.so FILE");
  EXPECT_EQ(load_error(folder.write("x.a", "!<arch>\n")),
            "@: is a library of objects (.a), not a shared object; link it with cc -shared");
  EXPECT_EQ(load_error(folder.write("x.dll", "MZ\x90")),
            "@: is a program or library of Windows, not a shared object");
  EXPECT_EQ(load_error(folder.write("bytes", "\x01\x02\x03\x04")),
            "@: is not a shared object: it does not begin as one");
  EXPECT_EQ(load_error(folder.write("cut",
                                    "\x7f"
                                    "ELF\x02\x01")),
            "@: is cut short");
}

// A copy of a good plugin with one byte of its header changed.
TEST(LoadPlugin, NamesWhatAnotherMachineWants) {
  TemporaryFolder folder;
  string bytes = [] {
    TemporaryFolder copies;
    std::filesystem::copy_file(test_plugin("sound"), copies.path("so"));
    return copies.read("so");
  }();
  const auto with = [&](size_t at, char value) {
    string changed = bytes;
    changed[at] = value;
    return load_error(folder.write("changed.so", changed));
  };
  EXPECT_EQ(with(4, 1), "@: is of 32 bits; mrc is of 64: build it with -m64");
  EXPECT_EQ(with(5, 2), "@: has its bytes in the other order than mrc");
  EXPECT_TRUE(with(18, 40).starts_with("@: is built for arm; this is ")) << with(18, 40);
  EXPECT_EQ(with(16, 1), "@: is an object (.o), not a shared object; link it with cc -shared");
  EXPECT_EQ(with(16, 2), "@: is a program, not a shared object");
  for (size_t size : {size_t{600}, size_t{4096}, bytes.size() / 2}) {
    EXPECT_EQ(load_error(folder.write("cut.so", bytes.substr(0, size))), "@: is cut short");
  }
}

TEST(LoadPlugin, SaysWhatIsWrongWithAPlugin) {
  EXPECT_EQ(fault("no_entry"),
            "@: is no plugin of mrc: it has no symbol mrc_plugin_v1; see mrc-plugin(3)");
  EXPECT_EQ(fault("undefined"), "@: cannot be loaded: undefined symbol: nobody_has_this");
  EXPECT_EQ(fault("other_abi"),
            "@: has version 7 of the plugin interface; this mrc has 1: update mrc");
  EXPECT_EQ(fault("no_size"),
            "@: mrc_plugin says that its size is 0; it is at least 48: begin it with sizeof of its "
            "type");
  EXPECT_EQ(fault("fails"), "plugin @: mrc_plugin_v1: needs a licence from the author");
  EXPECT_EQ(fault("returns_null"), "@: mrc_plugin_v1 returned NULL, and did not say why by fail()");
  EXPECT_EQ(fault("throws"), "plugin @: mrc_plugin_v1: threw std::runtime_error: no table");
}

#if !defined(MRC_SANITIZED)  // crashes are the sanitizer's
// What loading it writes to stderr before the process dies of `signal`.
void expect_death(const string &name, int signal, const string &line) {
  EXPECT_EXIT((void)load_plugin(test_plugin(name), true), testing::KilledBySignal(signal), line);
}

TEST(LoadPluginDeathTest, SaysWhereItCrashed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  expect_death("crashes", SIGSEGV, "plugin .*/crashes.so crashed .SIGSEGV. in mrc_plugin_v1");
  expect_death("crashes_early", SIGABRT, "crashed .SIGABRT. in its static initialisers");
  expect_death("garbage", SIGSEGV, "garbage.so crashed .SIGSEGV. in the tables it returned");
}

TEST(LoadPluginDeathTest, SaysWhereAStackIsFull) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  expect_death("overflows", SIGSEGV, "overflows.so crashed .SIGSEGV. in mrc_plugin_v1");
}
#endif

TEST(LoadPluginDeathTest, TellsOfExit) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT((void)load_plugin(test_plugin("exits"), true), testing::ExitedWithCode(2),
              "plugin .*/exits.so ended the process in mrc_plugin_v1");
}

class Safety : public testing::Test {
 protected:
  Safety() {
    folder_.write("x.so", "");
    mode(folder_.path("x.so"), 0755);
  }
  static void mode(const string &path, mode_t mode) { ASSERT_EQ(chmod(path.c_str(), mode), 0); }
  string found(const string &name = "x.so", uid_t user = geteuid()) {
    const Status status = check_safety(folder_.path(name), user);
    return status.is_ok() ? "" : status.message();
  }
  TemporaryFolder folder_;
};

TEST_F(Safety, AcceptsWhatOnlyItsOwnerMayChange) {
  mode(folder_.path(""), 0755);
  EXPECT_EQ(found(), "");
}

TEST_F(Safety, RefusesAFileThatAllMayChange) {
  mode(folder_.path("x.so"), 0757);
  EXPECT_NE(found().find("all users may write to this plugin; chmod it"), string::npos);
}

TEST_F(Safety, RefusesAFolderThatAllMayChange) {
  mode(folder_.path(""), 0777);
  EXPECT_NE(found().find("is in a directory that all users may write to"), string::npos);
  mode(folder_.path(""), 01777);  // where only owners replace files
  EXPECT_EQ(found(), "");
}

TEST_F(Safety, RefusesAFolderOfOthersThatTheirGroupMayChange) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  mode(folder_.path(""), 0755);
  std::filesystem::create_directory(folder_.path("theirs"));
  folder_.write("theirs/x.so", "");
  mode(folder_.path("theirs"), 0775);
  ASSERT_EQ(chown(folder_.path("theirs").c_str(), 1234, 1234), 0);
  EXPECT_NE(found("theirs/x.so", 5678).find("is in a directory of another user that others may"),
            string::npos);
  mode(folder_.path("theirs"), 0755);
  EXPECT_EQ(found("theirs/x.so", 5678), "");
}

TEST_F(Safety, RefusesToRootWhatBelongsToOthers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  mode(folder_.path(""), 0755);
  std::filesystem::create_directory(folder_.path("theirs"));
  folder_.write("theirs/x.so", "");
  ASSERT_EQ(chown(folder_.path("theirs/x.so").c_str(), 1234, 1234), 0);
  EXPECT_NE(found("theirs/x.so", 0).find("belongs to another user than root; chown it"),
            string::npos);
  EXPECT_EQ(found("theirs/x.so", 5678), "");
  ASSERT_EQ(chown(folder_.path("theirs/x.so").c_str(), 0, 0), 0);
  ASSERT_EQ(chown(folder_.path("theirs").c_str(), 1234, 1234), 0);
  EXPECT_NE(found("theirs/x.so", 0).find("is in a directory of another user, "), string::npos);
  EXPECT_EQ(found("theirs/x.so", 1234), "");
}

TEST_F(Safety, LooksAtAllDirectoriesAbove) {
  std::filesystem::create_directories(folder_.path("a/b/c"));
  folder_.write("a/b/c/x.so", "");
  EXPECT_EQ(found("a/b/c/x.so"), "");
  mode(folder_.path("a"), 0777);
  EXPECT_EQ(found("a/b/c/x.so"), folder_.path("a/b/c/x.so") +
                                     ": is in a directory that all users may write to, " +
                                     folder_.path("a") + "; chmod it");
  mode(folder_.path("a"), 01777);
  EXPECT_EQ(found("a/b/c/x.so"), "");
  if (geteuid() != 0) return;
  ASSERT_EQ(lchown(folder_.path("a/b").c_str(), 1234, 1234), 0);  // a user that could move it away
  EXPECT_NE(found("a/b/c/x.so", 5678), "");
}

TEST_F(Safety, LooksBehindLinks) {
  TemporaryFolder links;
  mode(folder_.path(""), 0777);
  std::filesystem::create_symlink(folder_.path("x.so"), links.path("x.so"));
  EXPECT_FALSE(check_safety(links.path("x.so"), geteuid()).is_ok());
  mode(folder_.path(""), 0755);
  EXPECT_TRUE(check_safety(links.path("x.so"), geteuid()).is_ok());
  // Of links that lead to links, each must be safe.
  mode(folder_.path("x.so"), 0755);
  std::filesystem::create_directory(links.path("open"));
  std::filesystem::create_symlink(links.path("x.so"), links.path("open/y.so"));
  std::filesystem::create_symlink("open/y.so", links.path("z.so"));
  EXPECT_TRUE(check_safety(links.path("z.so"), geteuid()).is_ok());
  mode(links.path("open"), 0777);
  EXPECT_FALSE(check_safety(links.path("z.so"), geteuid()).is_ok());
  std::filesystem::create_symlink("round", links.path("round"));
  EXPECT_NE(check_safety(links.path("round"), geteuid()).message().find("Too many levels"),
            string::npos);
}

TEST(PluginTimer, CountsWhatFunctionsTakeWithoutWhatTheyWaitFor) {
  const PluginPlace map = {.plugin = "x.so", .function = "map"};
  const PluginPlace combine = {.plugin = "x.so", .function = "combine"};
  PluginRun run;
  const PluginRun::Scope scope(&run);
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  {
    const PluginCall call(map);
    wait();
    const PluginTimer taking(PluginWork::none);
    wait();
    wait();
    const PluginCall nested(combine);
    wait();
  }
  wait();
  const auto ms = [&](PluginWork work) {
    return static_cast<double>(run.times[static_cast<size_t>(work)]) / 1e6;
  };
  EXPECT_GE(ms(PluginWork::map), 20);
  EXPECT_GE(ms(PluginWork::combine), 20);
  EXPECT_EQ(ms(PluginWork::none), 0);
  EXPECT_EQ(ms(PluginWork::reduce), 0);
}

TEST(PluginCall, ReportsTheFirstFailureWithItsPlace) {
  forget_plugin_failure();
  const PluginPlace place = {"./x.so", "job", "kmeans", "map", "points.txt", 1234};
  EXPECT_EQ(guarded(place, [] { return plugin_host()->fail("no\tnumber "); }), -1);
  EXPECT_EQ(guarded(place, [] { return 5; }), 5);
  EXPECT_TRUE(plugin_failed());
  EXPECT_EQ(plugin_status().message(),
            "plugin ./x.so: job kmeans: map: no number (points.txt, byte 1234)");
  forget_plugin_failure();
  EXPECT_TRUE(plugin_status().is_ok());
}

TEST(PluginCall, ReportsWhoFailsWithoutAWord) {
  forget_plugin_failure();
  EXPECT_EQ(guarded({"x.so", "job", "j", "round"}, [] { return 1; }, 1), 1);
  EXPECT_FALSE(plugin_failed());
  EXPECT_EQ(guarded({"x.so", "job", "j", "round"}, [] { return 2; }, 1), 2);
  EXPECT_EQ(plugin_status().message(),
            "plugin x.so: job j: round: returned 2, and did not say why by fail()");
  forget_plugin_failure();
}

TEST(PluginCall, CatchesWhatIsNoException) {
  forget_plugin_failure();
  guarded({"x.so", "reducer", "r", "add"}, [] { throw 42; });
  EXPECT_EQ(plugin_status().message(), "plugin x.so: reducer r: add: threw int");
  forget_plugin_failure();
}

}  // namespace
}  // namespace mrc
