// User agents. Words of an agent are looked up in a table by the letters that they begin or end
// with, in one pass.
#include "expr/inner/agent.h"

#include "base/hash.h"
#include "base/text.h"
#include "record.h"

#include <algorithm>
#include <bitset>
#include <string>
#include <vector>

namespace mrc {
namespace {

enum class Table : u8 { bot, tool, browser, os, device };
constexpr size_t kAgentTables = 5;

struct Row {
  Table table;
  bool needs_both;
  const char *family;
  std::array<const char *, 12> texts;
};
#define AGENT(table, family, ...) {Table::table, false, family, {__VA_ARGS__}},
#define BOTH(table, family, one, other) {Table::table, true, family, {one, other}},
constexpr Row kRows[] = {
#include "expr/agents.inc"
};
#undef AGENT
#undef BOTH
constexpr size_t kRowCount = std::size(kRows);

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

// A text of a row, in small letters, without its stars.
struct Sought {
  std::string text = {};
  bool may_begin_within = false, may_end_within = false;
  u16 row = 0;
  u8 bit = 1;  // of the texts of the row that are found; all of them make 1, or 3 if it needs both
};

constexpr size_t kSlots = 4096;
constexpr size_t kKeyBytes = 3;  // the shortest text has as many
// Returns a slot for the first letters of a text, in small letters.
size_t slot_of(const char *at) {
  const auto byte = [at](size_t i) { return static_cast<size_t>(static_cast<u8>(lower(at[i]))); };
  return (byte(0) * 31 * 31 + byte(1) * 31 + byte(2)) % kSlots;
}

class Agents {
 public:
  Agents() {
    for (size_t row = 0; row < kRowCount; ++row) add_row(row);
    const auto slot = [](const Sought &each) { return slot_of(each.text.data()); };
    std::ranges::stable_sort(by_begin_, {}, slot);
    for (const Sought &each : by_begin_) ++begins_[slot(each) + 1];
    for (size_t i = 0; i < kSlots; ++i) begins_[i + 1] += begins_[i];
  }

  // The texts of each row that an agent has, and the first row of each table that it fits.
  struct Found {
    std::array<u8, kRowCount> texts{};
    std::array<size_t, kAgentTables> first;

    Found() { first.fill(kRowCount); }
    void add(const Sought &text) {
      const Row &row = kRows[text.row];
      u8 &bits = texts[text.row];
      bits |= text.bit;
      size_t &earliest = first[static_cast<size_t>(row.table)];
      if (bits == (row.needs_both ? 3 : 1)) earliest = std::min<size_t>(earliest, text.row);
    }
  };
  Found find(Bytes agent) const {
    Found found;
    size_t url_end = 0;  // a URL tells bots, but no browsers and systems
    for (size_t at = 0, end; at < agent.size(); at = end) {
      for (end = at; end < agent.size() && is_letter_or_digit(agent[end]); ++end) {
      }
      if (end == at) {
        ++end;
        continue;
      }
      const bool begins_url = at >= url_end && agent.substr(end).starts_with("://");
      if (begins_url) url_end = agent.find_first_of(" ;,)", end);
      find_at(agent, at, at < url_end, &found);
      for (const Sought &each : by_end_) {
        const size_t size = each.text.size();
        if (end - at >= size && is_equal(agent.substr(end - size), each.text)) found.add(each);
      }
    }
    return found;
  }

  // Returns the family of the first row that fits; no text if there is none.
  Bytes family_in(Table table, const Found &found) const {
    const size_t row = found.first[static_cast<size_t>(table)];
    if (row == kRowCount || *kRows[row].family == '\0') return {};
    return Bytes(families_[row]).substr(0, Bytes(kRows[row].family).size());
  }

 private:
  void add_row(size_t row) {
    families_.push_back(std::string(kRows[row].family).append(kPadding, '\0'));
    u8 bit = 1;
    for (const char *text : kRows[row].texts) {
      if (text == nullptr) break;
      Bytes of = text;
      Sought sought{.row = static_cast<u16>(row), .bit = bit};
      if ((sought.may_begin_within = of.starts_with('*'))) of.remove_prefix(1);
      if ((sought.may_end_within = of.ends_with('*'))) of.remove_suffix(1);
      sought.may_end_within |= !is_letter_or_digit(of.back());
      for (const char c : of) sought.text.push_back(lower(c));
      (sought.may_begin_within ? by_end_ : by_begin_).push_back(std::move(sought));
      if (kRows[row].needs_both) bit = static_cast<u8>(bit << 1);
    }
  }

  static bool is_equal(Bytes begin, const std::string &text) {
    return begin.size() >= text.size() &&
           std::equal(text.begin(), text.end(), begin.begin(),
                      [](char small, char c) { return small == lower(c); });
  }

  // Finds the texts that begin with the word at this place.
  void find_at(Bytes agent, size_t at, bool only_bots, Found *found) const {
    const Bytes rest = agent.substr(at);
    if (rest.size() < kKeyBytes) return;
    const size_t slot = slot_of(rest.data());
    for (size_t i = begins_[slot]; i < begins_[slot + 1]; ++i) {
      const Sought &each = by_begin_[i];
      if (only_bots && kRows[each.row].table != Table::bot) continue;
      if (!is_equal(rest, each.text)) continue;
      const size_t end = each.text.size();
      const bool is_whole = end == rest.size() || !is_letter_or_digit(rest[end]);
      if (each.may_end_within || is_whole) found->add(each);
    }
  }

  std::vector<Sought> by_begin_, by_end_;
  std::array<u16, kSlots + 1> begins_{};
  std::vector<std::string> families_;  // by row
};

const Agents &agents() {
  static const Agents agents;
  return agents;
}

}  // namespace

AgentFamilies families_of_agent(Bytes agent) {
  static constexpr char kBot[3 + kPadding] = "bot", kTool[4 + kPadding] = "tool";
  const Agents::Found found = agents().find(agent);
  const auto family = [&found](Table table) { return agents().family_in(table, found); };
  AgentFamilies all;
  const auto set = [&all](AgentPart part, Bytes value) { all[static_cast<size_t>(part)] = value; };
  if (const Bytes bot = family(Table::bot); bot.data() != nullptr) {
    set(AgentPart::bot, bot);
    set(AgentPart::device, Bytes(kBot, 3));
    return all;
  }
  const Bytes tool = family(Table::tool);
  const bool is_tool = tool.data() != nullptr;
  set(AgentPart::browser, is_tool ? tool : family(Table::browser));
  set(AgentPart::os, family(Table::os));
  set(AgentPart::device, is_tool ? Bytes(kTool, 4) : family(Table::device));
  return all;
}

const AgentFamilies &remembered_families_of(Bytes agent) {
  struct Entry {
    std::string agent;
    AgentFamilies families;
  };
  constexpr size_t kEntries = 512, kLongest = 1024;
  thread_local std::array<Entry, kEntries> entries;
  Entry &entry = entries[hash_bytes(agent, kFixedSeed) % kEntries];
  if (entry.agent != agent || agent.empty()) {
    entry.families = families_of_agent(agent);
    entry.agent = agent.substr(0, agent.size() <= kLongest ? agent.size() : 0);
  }
  return entry.families;
}

}  // namespace mrc
