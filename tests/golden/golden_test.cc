// Runs the cases of tests/cases and the examples of the man pages and the README.
//
// A case is a folder with `cmd` (lines of sh, run in that folder), `expout`, and
// if they are not empty and 0: `experr`, `code`. It runs on one thread, again with many
// threads and small splits, and again in so little memory that what it keeps is spilled;
// neither must change a byte. With MRC_BLESS=1 in the environment what happens
// becomes what is expected; review it with git diff.
//
// If `cmd` has several commands, `expout` reads like an example: each command is printed before
// its output.
//
// An example is a line "$ command" and the output below it. A command that ends in a backslash
// goes on in the next line, after "> ".
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mrc {
namespace {

namespace fs = std::filesystem;
using std::string;

const fs::path kRoot = MRC_SOURCE_DIR;

string read_file(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const fs::path &path, const string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

// A private folder, with an `mrc` in bin/ that adds options to all verbs that are jobs, and
// leaves a file in place of a verb alone.
class Sandbox {
 public:
  explicit Sandbox(const string &options) {
    fs::create_directory(path("bin"));
    write_file(path("bin/mrc"),
               "#!/bin/sh\n[ $# -eq 1 ] && [ -e \"$1\" ] && exec '" MRC_BINARY
               "' \"$1\"\ncase $1 in\n"
               "  help | completion | fields | plugins | serve | state | -* | '') exec '" MRC_BINARY
               "' \"$@\" ;;\nesac\n"
               "verb=$1; shift; exec '" MRC_BINARY "' \"$verb\" " +
                   options + " \"$@\"\n");
    fs::permissions(path("bin/mrc"), fs::perms::owner_all);
  }

  struct Outcome {
    string out, err;
    int code;
  };
  Outcome run(const string &command, const fs::path &folder) const {
    write_file(path("command"), command);
    string line = "cd '" + folder.string() + "' && PATH='" + path("bin") + "':\"$PATH\" TMP='" +
                  path("") + "' MRC_PLUGIN_PATH='" MRC_PLUGINS "' LC_ALL=C.UTF-8 sh '" +
                  path("command") + "' </dev/null >'" + path("out") + "' 2>'" + path("err") + "'";
    const int status = run_shell(line);
    return {read_file(path("out")), normalized(read_file(path("err"))),
            WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  }

 private:
  // Times, sizes, and names of folders of builds and of tests differ from run to run.
  string normalized(string text) const {
    RE2::GlobalReplace(&text, RE2::QuoteMeta(MRC_PLUGINS "/"), "");
    RE2::GlobalReplace(&text, R"(/[^ ]*mrc-test-[A-Za-z0-9]+/+)", "TMP/");
    RE2::GlobalReplace(&text, R"([0-9]+\.[0-9]+)", "N.N");
    RE2::GlobalReplace(&text, R"( +[0-9]+%)", " N%");
    return text;
  }

  string path(const string &name) const { return folder_.path(name); }

  TemporaryFolder folder_;
};

void expect_outcome(const fs::path &folder, const Sandbox::Outcome &found) {
  EXPECT_EQ(found.out, read_file(folder / "expout"));
  EXPECT_EQ(found.err, read_file(folder / "experr"));
  string code = read_file(folder / "code");
  EXPECT_EQ(found.code, code.empty() ? 0 : std::stoi(code));
}

void bless(const fs::path &folder, const Sandbox::Outcome &found) {
  write_file(folder / "expout", found.out);
  fs::remove(folder / "experr");
  fs::remove(folder / "code");
  if (!found.err.empty()) write_file(folder / "experr", found.err);
  if (found.code != 0) write_file(folder / "code", std::to_string(found.code) + "\n");
}

// The commands of a case: its lines, but one that ends in a backslash goes on in the next.
std::vector<string> commands_in(const string &text) {
  std::vector<string> commands;
  std::istringstream lines(text);
  bool goes_on = false;
  for (string line; std::getline(lines, line);) {
    if (goes_on) {
      commands.back() += "\n" + line;
    } else {
      commands.push_back(line);
    }
    goes_on = line.ends_with('\\');
  }
  return commands;
}

string quoted(string text) {
  RE2::GlobalReplace(&text, "'", R"('\\'')");
  return "'" + text + "'";
}

// One shell runs all commands, so that variables, functions and `cd` hold for those that follow.
// Printing a command keeps `$?`.
string transcript(const std::vector<string> &commands) {
  string script = "show_() { set -- \"$1\" $?; printf '%s\\n' \"$1\"; return $2; }\n";
  for (const string &command : commands) {
    string shown = "$ " + command;
    RE2::GlobalReplace(&shown, "\n", "\n> ");
    script += "show_ " + quoted(shown) + "\n" + command + "\n";
  }
  return script;
}

class Case : public testing::TestWithParam<fs::path> {};

TEST_P(Case, PrintsWhatIsExpected) {
  const fs::path folder = GetParam();
  const string text = read_file(folder / "cmd");
  const std::vector<string> commands = commands_in(text);
  const string script = commands.size() > 1 ? transcript(commands) : text;
  Sandbox::Outcome found = Sandbox("-j1").run(script, folder);
  const char *wanted = std::getenv("MRC_BLESS");
  if (wanted != nullptr && string(wanted) == "1") bless(folder, found);
  {
    SCOPED_TRACE("with -j1: " + text);
    expect_outcome(folder, found);
  }
  for (const string options : {"-j8 --split 7", "-j2 --split 512 --memory 4K"}) {
    SCOPED_TRACE("with " + options + ": " + text);
    expect_outcome(folder, Sandbox(options).run(script, folder));
  }
}

std::vector<fs::path> all_cases() {
  std::vector<fs::path> folders;
  for (const auto &entry : fs::recursive_directory_iterator(kRoot / "tests/cases")) {
    if (entry.path().filename() == "cmd") folders.push_back(entry.path().parent_path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

string case_name(const testing::TestParamInfo<fs::path> &info) {
  string name = fs::relative(info.param, kRoot / "tests/cases").string();
  for (char &c : name) {
    if (isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Golden, Case, testing::ValuesIn(all_cases()), case_name);

// The examples of one page: commands and the output that follows each.
struct Example {
  string command, output;
};

// mdoc: literal blocks, in which \e stands for a backslash and \- for a minus.
// Markdown: blocks fenced as console.
std::vector<Example> examples_of(const fs::path &page) {
  const bool markdown = page.extension() == ".md";
  std::vector<Example> examples;
  std::ifstream file(page);
  bool inside = false, running = false;
  for (string line; std::getline(file, line);) {
    if (!inside) {
      inside = markdown ? line == "```console" : line.starts_with(".Bd -literal");
      running = false;
      continue;
    }
    if (markdown ? line == "```" : line == ".Ed") {
      inside = false;
      continue;
    }
    if (!markdown) {
      RE2::GlobalReplace(&line, R"(\\e)", R"(\\)");
      RE2::GlobalReplace(&line, R"(\\-)", "-");
      RE2::GlobalReplace(&line, R"(\\&)", "");
    }
    if (running && examples.back().output.empty() && examples.back().command.ends_with('\\') &&
        line.starts_with("> ")) {
      examples.back().command += "\n" + line.substr(2);
    } else if (line.starts_with("$ ")) {
      examples.push_back({line.substr(2), ""});
      running = true;
    } else if (running) {
      examples.back().output += line + "\n";
    }
  }
  return examples;
}

class Page : public testing::TestWithParam<fs::path> {};

TEST_P(Page, ShowsWhatItsExamplesPrint) {
  const Sandbox sandbox("");
  for (const Example &example : examples_of(GetParam())) {
    SCOPED_TRACE(example.command);
    const Sandbox::Outcome seen = sandbox.run(example.command, kRoot);
    EXPECT_EQ(seen.out, example.output);
    // A failed command would look like one that prints nothing.
    if (example.output.empty()) EXPECT_EQ(seen.code, 0) << seen.err;
  }
}

std::vector<fs::path> all_pages() {
  std::vector<fs::path> pages = {kRoot / "README.md"};
  for (const auto &entry : fs::directory_iterator(kRoot / "man")) pages.push_back(entry.path());
  std::sort(pages.begin(), pages.end());
  return pages;
}

string page_name(const testing::TestParamInfo<fs::path> &info) {
  string name = info.param.filename().string();
  for (char &c : name) {
    if (isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Manual, Page, testing::ValuesIn(all_pages()), page_name);

}  // namespace
}  // namespace mrc
