// mask() on random text, against regular expressions on the classes of its characters.
#include "expr/inner/mask.h"
#include "support/seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>
#include <string>
#include <vector>

namespace mrc {
namespace {

using std::string;

// d: a digit, h: a letter that is a hexadecimal digit, a: another letter. Other bytes stay.
string classes_of(const string &text) {
  string classes;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
    const bool is_hex = string("abcdefABCDEF").find(c) != string::npos;
    classes.push_back(c >= '0' && c <= '9' ? 'd' : is_hex ? 'h' : is_letter ? 'a' : c);
  }
  return classes;
}

bool fits(const string &classes, const char *regex) {
  return std::regex_match(classes, std::regex(regex));
}

// Each part is followed by the sign after it.
string masked_run(const string &run, const string &classes) {
  if (fits(classes, "[dh]{8}-[dh]{4}-[dh]{4}-[dh]{4}-[dh]{12}")) return "*";
  if (fits(classes, "[dh:.]*:[dh:.]*:[dh:.]*") && fits(classes, ".*[dh].*")) return "*";
  size_t begin = 0;
  string out;
  bool was_star = false;
  for (size_t i = 0; i <= run.size(); ++i) {
    if (i < run.size() && string("dha").find(classes[i]) != string::npos) continue;
    const string part = classes.substr(begin, i - begin);
    const bool is_star = fits(part, "[dha]*d[dha]*|h{8,}");
    const string shown = is_star ? "*" : run.substr(begin, i - begin);
    if (begin > 0 && !(is_star && was_star)) out += run[begin - 1];
    if (!(is_star && was_star)) out += shown;
    was_star = is_star;
    begin = i + 1;
  }
  return out;
}

// Returns the end of the quoted text that begins at a place; 0 if none does.
size_t end_of_quoted(const string &text, const string &classes, size_t at) {
  const auto is_of_word = [&](size_t i) {
    return i < text.size() && string("dha").find(classes[i]) != string::npos;
  };
  if (text[at] != '"' && text[at] != '\'') return 0;
  const bool is_single = text[at] == '\'';
  if (is_single && at > 0 && is_of_word(at - 1)) return 0;
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == text[at] && !(is_single && is_of_word(i + 1))) return i + 1;
  }
  return 0;
}

string naive_mask(const string &text) {
  const string classes = classes_of(text);
  const std::regex run("-?((?:[dha]|::)[dha.:_,-]*[dha]|[dha])");
  string out;
  for (size_t at = 0; at < text.size();) {
    if (const size_t end = end_of_quoted(text, classes, at); end > 0) {
      out += text[at] + string("*") + text[at];
      at = end;
      continue;
    }
    std::smatch found;
    const string rest = classes.substr(at);
    const bool is_minus = rest[0] == '-';
    const bool is_number = rest.size() > 1 && rest[1] == 'd';
    if ((is_minus && !is_number) ||
        !std::regex_search(rest, found, run, std::regex_constants::match_continuous)) {
      out += text[at++];
      continue;
    }
    const auto size = static_cast<size_t>(found.length(1));
    out += masked_run(text.substr(at + is_minus, size), rest.substr(is_minus, size));
    at += size + is_minus;
  }
  return out;
}

string masked(const string &text) {
  string out;
  append_masked(text, &out);
  return out;
}

TEST(Mask, IsThatOfRegularExpressions) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::vector<string> pieces = {"5",
                                      "-",
                                      ":",
                                      "::",
                                      ".",
                                      "_",
                                      ",",
                                      " ",
                                      "\"",
                                      "'",
                                      "a",
                                      "x",
                                      "\xC3",
                                      "=",
                                      "beef",
                                      "/",
                                      "(",
                                      "10.0.0.1",
                                      "deadbeef",
                                      "-7",
                                      "user",
                                      "x86",
                                      "fe80",
                                      "*",
                                      "1:2",
                                      "[",
                                      "\\",
                                      "0x1f",
                                      "\xA9",
                                      "e9",
                                      "550e8400-e29b-41d4-a716-446655440000",
                                      "abcdabcd-abcd-abcd-abcd-abcdabcdabcd"};
#ifdef MRC_SANITIZED
  constexpr int kRounds = 500;
#else
  constexpr int kRounds = 5000;
#endif
  for (int i = 0; i < kRounds; ++i) {
    string text;
    for (u64 left = random() % 14; left > 0; --left) text += pieces[random() % pieces.size()];
    ASSERT_EQ(masked(text), naive_mask(text)) << text;
  }
}

TEST(Mask, GroupsMessagesOfLogs) {
  const auto both = [](const string &one, const string &other, const string &expected) {
    EXPECT_EQ(masked(one), expected);
    EXPECT_EQ(masked(other), expected);
  };
  both("took 12.5ms for user 42", "took -3ms for user 7", "took * for user *");
  both("from 10.0.0.1:8080", "from 192.168.1.254:22", "from *");
  both("from [fe80::1]:22", "from [::1]:65535", "from [*]:*");
  both("id=550e8400-e29b-41d4-a716-446655440000", "id=abcdabcd-abcd-abcd-abcd-abcdabcdabcd",
       "id=*");
  both("at 2026-11-03T10:00:05.123Z", "at 2025-01-13T23:59:59.9Z", "at *");
  both("file \"a b.txt\" is 'new'", "file \"\" is 'old 1'", "file \"*\" is '*'");
  both("can't open /tmp/a1/f", "can't open /tmp/b2/f", "can't open /tmp/*/f");
  both("commit deadbeef", "commit 0badf00d", "commit *");
  both("task_12 of worker-3", "task_1 of worker-44", "task_* of worker-*");
  both("port 80,443", "port 1,2,3", "port *");
  both("since Tue Nov 3 10:00", "since Wed Dec 14 11:59", "since * * * *");
  both("[03/Nov/2026:10:00:00]", "[14/Dec/2025:11:59:59]", "[*/*/*]");
  both("on 3-Nov-2026", "on 14-Dec-2025", "on *");
  both("Sunday, November 3", "Monday, December 14", "*, * *");
  EXPECT_EQ(masked("May I? Sun is up, Mar does 3"), "May I? Sun is up, Mar does *");
  EXPECT_EQ(masked("no numbers: std::vector, a decade"), "no numbers: std::vector, a decade");
  EXPECT_EQ(masked("an open \"quote 5"), "an open \"quote *");
}

// Quotes that are never closed are looked for once.
TEST(Mask, IsLinear) {
  string text;
  for (int i = 0; i < 500'000; ++i) text += "'a ";
  EXPECT_EQ(masked(text), text);
}

}  // namespace
}  // namespace mrc
