#include "base/text.h"
#include "cmd/advice.h"
#include "cmd/parse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace mrc {
namespace {

// Replaces the words of capitals in a command, which stand for what the user names.
std::string with_names(const std::string &command) {
  const std::map<std::string, std::string> meant = {
      {"FIELDS", "a,b"}, {"FIELD", "b"},     {"OTHER", "c"},     {"NAME", "n"},
      {"EXPR", "c==1"},  {"N", "3"},         {"SEP", "_"},       {"C", ","},
      {"FORMAT", "csv"}, {"FILE", "in.csv"}, {"LEFT", "in.csv"}, {"RIGHT", "in.csv"},
      {"DIR", "loaded"}, {"REGEX", "x"},     {"TEXT", "y"},
  };
  std::string text;
  for (size_t at = 0; at < command.size();) {
    size_t end = at;
    while (end < command.size() && is_letter(command[end])) ++end;
    const std::string word = command.substr(at, end - at);
    const auto found = meant.find(word);
    text += found == meant.end() ? word : found->second;
    if (end < command.size()) text += command[end];
    at = end + 1;
  }
  return text;
}

TEST(ForeignVerbs, HaveCommandsThatRun) {
  const std::filesystem::path directory = testing::TempDir() + "foreign-verbs";
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "in.csv") << "a,b,c\nx,1,2\nx,2,3\ny,5,1\n";
  const std::string bin = std::filesystem::path(MRC_BINARY).parent_path();
  for (const ForeignVerb &verb : foreign_verbs()) {
    if (!verb.is_command) continue;
    const std::string command = with_names(verb.ours);
    const bool loads = command.starts_with("mrc load");
    const std::string line = fmt::format(
        "cd '{}' && rm -rf loaded && PATH='{}':$PATH && {} {} in.csv "
        ">/dev/null 2>err",
        directory.string(), bin, command, loads ? "" : "<");
    const int status = std::system(line.c_str());
    std::ifstream file(directory / "err");
    EXPECT_EQ(status, 0) << command << "\n"
                         << std::string(std::istreambuf_iterator<char>(file), {});
  }
  std::filesystem::remove_all(directory);
}

TEST(ForeignVerbs, AreNoVerbsOfOurs) {
  for (const ForeignVerb &verb : foreign_verbs()) {
    const std::string name = verb.name;
    EXPECT_EQ(find_verb(name.substr(0, name.find(' '))), nullptr) << name;
    const std::string ours = verb.ours;
    if (!verb.is_command) continue;
    EXPECT_TRUE(ours.starts_with("mrc ")) << ours;
    EXPECT_NE(find_verb(ours.substr(4, ours.find(' ', 4) - 4)), nullptr) << ours;
  }
}

TEST(ForeignVerbs, AreTheTablesOfThePage) {
  std::string table, page;
  const auto escaped = [](const std::string &text) {
    std::string out;
    for (const char c : text) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
    return out;
  };
  std::string program = "none";
  for (const ForeignVerb &verb : foreign_verbs()) {
    if (verb.program != program) table += "\n";
    program = verb.program;
    table += fmt::format(".It Li \"{}\"\n{}\n", escaped(verb.name), escaped(verb.ours));
  }
  bool is_section = false, is_item = false;
  std::ifstream file(MRC_SOURCE_DIR "/man/mrc-habits.7");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(".Sh ")) is_section = line == ".Sh VERBS OF OTHER PROGRAMS";
    if (is_section && line.starts_with(".Bl ")) page += "\n";
    const bool is_row = is_section && is_item;
    is_item = line.starts_with(".It ");
    if (is_row || (is_section && is_item)) page += line + "\n";
  }
  EXPECT_EQ(page, table);
}

TEST(ForeignVerbs, AreNamedTogetherIfTheirAdviceIsTheSame) {
  EXPECT_EQ(advice_on_verb("freq"), "xan freq: mrc count -k FIELD");
  EXPECT_EQ(advice_on_verb("tac"), "mlr tac, tac: mrc select --tac");
  EXPECT_EQ(advice_on_verb("uniq"),
            "mlr uniq -g: mrc distinct -k FIELDS; uniq: mrc distinct --stable; uniq -c: mrc count; "
            "uniq -d: mrc count --having 'count > 1'");
  EXPECT_EQ(advice_on_verb("uni"), "");
  EXPECT_EQ(advice_on_verb(""), "");
}

}  // namespace
}  // namespace mrc
