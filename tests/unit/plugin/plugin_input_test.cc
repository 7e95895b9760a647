#include "plugin/plugin_input.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mrc {
namespace {

using std::string;

// Returns the number of columns; 0: the name is of no plugin; or the error.
string opened(const string &name) {
  const auto input = open_plugin_input(name);
  if (!input.is_ok()) return input.status().message();
  return std::to_string(*input == nullptr ? 0 : (*input)->columns().size());
}

class PluginInputs : public testing::Test {
 protected:
  PluginInputs() { setenv("MRC_PLUGIN_PATH", MRC_TEST_PLUGINS, 1); }
  ~PluginInputs() override { unsetenv("MRC_PLUGIN_PATH"); }

  const string folder_ = MRC_TEST_PLUGINS;
};

TEST_F(PluginInputs, AreFoundByNameOrPath) {
  EXPECT_EQ(opened("rows:9"), "4");
  EXPECT_EQ(opened(folder_ + "/rows.so:9"), "4");
  EXPECT_EQ(opened("rows"), "0");
  EXPECT_EQ(opened("no_such_plugin:9"), "0");
  EXPECT_EQ(opened("rows.so:9"), "0") << "nothing is loaded from this directory by its name";
  EXPECT_EQ(opened("./no file:9"), "0");
  EXPECT_EQ(opened("./none.so:9"), "./none.so:9: ./none.so: No such file or directory");
  EXPECT_EQ(opened("sound:9"),
            "sound:9: there is no such file, and plugin " + folder_ + "/sound.so has no reader");
}

TEST_F(PluginInputs, HaveKindsAndParts) {
  const auto input = *open_plugin_input("rows:1500");
  EXPECT_EQ(input->what(), "rows of the plugin rows");
  std::vector<ValueKind> kinds;
  for (const FieldKind &kind : input->kinds()) kinds.push_back(kind.kind);
  EXPECT_EQ(kinds, (std::vector{ValueKind::number, ValueKind::number, ValueKind::unknown,
                                ValueKind::time}));
  EXPECT_EQ(input->split({}, true)->size(), 3U);
  EXPECT_EQ(input->split({}, false)->size(), 1U);
  EXPECT_EQ((*open_plugin_input("rows:0"))->split({}, true)->size(), 1U);
}

}  // namespace
}  // namespace mrc
