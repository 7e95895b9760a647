// mrc state: shows, checks or drops a directory that mrc keeps states in.
#include "base/one_line.h"
#include "cmd/messages.h"
#include "cmd/values.h"
#include "kept/directory.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// One line of the list, for one source or for all.
struct Entry {
  i64 bytes = 0, records = 0, bad = 0, tiles = 0;

  void add(const Entry &other) {
    bytes += other.bytes;
    records += other.records;
    bad += other.bad;
    tiles += other.tiles;
  }
  std::string line(std::string_view where, std::string_view name) const {
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", bytes, records, bad, tiles, where, name);
  }
};

Entry entry_of(const KeptSource &source) {
  Entry entry = {.bytes = source.end, .tiles = std::ssize(source.tiles)};
  for (const KeptTile &tile : source.tiles) {
    entry.records += tile.records;
    entry.bad += tile.bad_records;
  }
  return entry;
}

void show(const Manifest &manifest, std::string *out) {
  for (std::string_view left = manifest.job; !left.empty();) {
    const std::string line(left.substr(0, left.find('\n')));
    *out += visible(line) + "\n";
    left.remove_prefix(std::min(line.size() + 1, left.size()));
  }
  *out += "bytes\trecords\tbad\ttiles\twhere\tname\n";
  Entry all;
  for (const KeptSource &source : manifest.sources) {
    const Entry entry = entry_of(source);
    *out += entry.line(source.gone ? "gone" : "here", on_one_line(source.name));
    all.add(entry);
  }
  *out += all.line("all", fmt::format("{} sources, kept by mrc {}", manifest.sources.size(),
                                      on_one_line(manifest.mrc_version)));
}

bool check(const KeptDirectory &directory, std::string *out) {
  const Verified verified = verify(directory);
  for (const std::string &fault : verified.faults) *out += "fault: " + on_one_line(fault) + "\n";
  *out +=
      fmt::format("{} runs, {} blocks, {} bytes: ", verified.runs, verified.blocks, verified.bytes);
  *out += verified.faults.empty() ? "all is well\n"
                                  : fmt::format("faults: {}\n", verified.faults.size());
  return verified.faults.empty();
}

Result<bool> answer(const Ask &ask, std::string *out) {
  const std::vector<std::string> tasks = {"show", "check", "drop"};
  if (ask.arguments.empty()) return Status::error("state: needs one of show, check, drop");
  const std::string &task = ask.arguments[0];
  if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) {
    return Status::error("state: no task \"" + task + "\"; there are show, check, drop" +
                         did_you_mean(task, tasks));
  }
  if (ask.arguments.size() != 2) {
    return Status::error("state: " + task + ": needs the directory, and nothing else");
  }
  const KeptDirectory::Spec spec = {.path = ask.arguments[1], .create = false};
  if (task == "drop") {
    const Status status = KeptDirectory::remove(spec);
    return status.is_ok() ? Result<bool>(true) : status.within("state");
  }
  const Result<KeptDirectory> directory = KeptDirectory::open(spec);
  if (!directory.is_ok()) return directory.status().within("state");
  if (task == "check") return check(*directory, out);
  show(directory->manifest(), out);
  return true;
}

}  // namespace

extern const Verb verb_state;
const Verb verb_state = {
    .name = "state",
    .arguments = "show|check|drop DIRECTORY",
    .summary = "show, check or drop what is kept between runs",
    .description =
        "show prints the job whose states the directory keeps, and a line for each source: how\n"
        "many bytes and records of it are covered, how many records were malformed, in how many\n"
        "tiles, whether it was there the last time, and its name. check reads all of it, and\n"
        "compares all checksums; the exit status is 1 if there is a fault. drop removes the\n"
        "directory, if there is nothing in it but what mrc has written.",
    .examples =
        "  mrc state show /var/lib/mrc/status\n"
        "  mrc state check /var/lib/mrc/status && echo sound\n",
    .options = {},
    .question = answer,
};

}  // namespace mrc
