// Tiled-MapReduce: what it costs to save results of sub-jobs (fig. 22), and what it saves to have
// them the next time (fig. 10, 27), also where a file has changed in its middle (fig. 28).
#include "workshop.h"

#include <fmt/format.h>

#include <fstream>

namespace bench {
namespace {

struct KeptJob {
  const char *words, *file;
};

constexpr KeptJob kJobs[] = {
    {"stats -f fields -d ; -k 1 -a count,mean:2", "stations.txt"},
    {"wordcount", "books300.txt"},
    {"wordcount", "zipf300.txt"},
    {"index", "many100.txt"},
};

// What it costs to map a byte, and how much comes of it, decides.
constexpr KeptJob kEditedJobs[] = {
    {"stats -k status -a count,p95:bytes --regex "
     R"re((?P<ip>\S+).*?"(?P<verb>\S+)\s(?P<path>[^"]*)"\s(?P<status>\d+)\s(?P<bytes>\d+))re",
     "access500.log"},
    {"count -k path", "access500.log"},
    {"wordcount", "books300.txt"},
};

// The file several times over, so that there is something to save at a large tile's end.
Command repeated(const Workshop &shop, const std::string &words, const std::string &file,
                 int times) {
  Command command = shop.mrc(words, file);
  for (; times > 1; --times) command.argv.push_back(file);
  return command;
}

// In tiles of 100 MB.
void run_checkpoint(Workshop *shop) {
  constexpr int kTimes = 5;
  for (const KeptJob &job : kJobs) {
    const auto file = shop->input(job.file);
    if (!file) continue;
    const std::string kept = shop->scratch() + "/checkpoint";
    Contest contest(fmt::format("{}: {}, {} times", job.words, describe_file(*file), kTimes));
    contest.add("no checkpoint", repeated(*shop, job.words, *file, kTimes));
    for (const char *every : {"100M", "200M", "500M", "1G"}) {
      const std::string words =
          fmt::format("{} --checkpoint {} --checkpoint-every {}", job.words, kept, every);
      contest.add(fmt::format("one every {}", every), repeated(*shop, words, *file, kTimes));
    }
    contest.run(shop->rounds());
  }
}

std::string first_lines(const std::string &path, size_t bytes) {
  std::ifstream in(path, std::ios::binary);
  std::string text(bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<size_t>(in.gcount()));
  text.resize(text.rfind('\n') + 1);
  return text;
}

void append_copy(const std::string &from, size_t bytes, const std::string &to) {
  std::ofstream(to, std::ios::binary | std::ios::app) << first_lines(from, bytes);
}

// `before` is for the shell.
Command with_state(const Workshop &shop, const std::string &words, const std::string &log,
                   const std::string &state, const std::string &before) {
  Command command = shop.mrc(fmt::format("{} --state {}", words, state), log);
  command.argv.insert(command.argv.begin(), {"sh", "-c", before + " exec \"$@\"", "sh"});
  return command;
}

std::string put_back(const std::string &state, const std::string &copy) {
  return fmt::format("rm -rf {1}; cp -r {0} {1};", state, copy);
}

// A first run that keeps, one that finds nothing new, and one that finds a tenth more.
void run_incremental(Workshop *shop) {
  constexpr size_t kFirst = 100 << 20, kMore = 10 << 20;
  for (const KeptJob &job : kJobs) {
    const auto file = shop->input(job.file);
    if (!file) continue;
    const std::string &scratch = shop->scratch();
    const std::string log = scratch + "/log", state = scratch + "/state", copy = scratch + "/copy";
    append_copy(*file, kFirst, log);
    bench::run(with_state(*shop, job.words, log, state, ""));
    Contest same(fmt::format("{}: 100 MB of {}", job.words, job.file));
    same.add("all of it", shop->mrc(job.words, log));
    same.add("all of it, kept",
             with_state(*shop, job.words, log, copy, fmt::format("rm -rf {};", copy)));
    same.add("again", with_state(*shop, job.words, log, state, ""));
    same.run(shop->rounds());
    append_copy(*file, kMore, log);
    Contest grown(fmt::format("{}: 10 MB more", job.words));
    grown.add("all of it", shop->mrc(job.words, log));
    grown.add("what is new", with_state(*shop, job.words, log, copy, put_back(state, copy)));
    grown.run(shop->rounds());
    for (const std::string &path : {log, state, copy}) shop->remove(path);
  }
}

// Inserts lines at so many places, evenly spread, of the first bytes of a file.
void write_edited(const std::string &from, size_t bytes, int edits, const std::string &to) {
  std::string text = first_lines(from, bytes);
  const size_t distance = text.size() / static_cast<size_t>(edits + 1);
  for (int i = edits; i > 0; --i) {
    const size_t line = text.find('\n', static_cast<size_t>(i) * distance) + 1;
    text.insert(line, fmt::format("inserted here as number {}\n", i));
  }
  std::ofstream(to, std::ios::binary) << text;
}

// A first run that keeps, and one on the file with lines inserted.
void run_edits(Workshop *shop) {
  constexpr size_t kBytes = 300 << 20;
  for (const KeptJob &job : kEditedJobs) {
    const auto file = shop->input(job.file);
    if (!file) continue;
    const std::string &scratch = shop->scratch();
    const std::string log = scratch + "/log", state = scratch + "/state", copy = scratch + "/copy";
    const std::string words = fmt::format("{} --state-tiles 1M", job.words);
    write_edited(*file, kBytes, 0, log);
    bench::run(with_state(*shop, words, log, state, ""));
    for (const int edits : {1, 20, 100}) {
      write_edited(*file, kBytes, edits, log);
      Contest contest(fmt::format("{}: {}, {} insertions", job.words, describe_file(log), edits));
      contest.add("all of it", shop->mrc(job.words, log));
      contest.add("what has changed", with_state(*shop, words, log, copy, put_back(state, copy)));
      contest.run(shop->rounds());
    }
    for (const std::string &path : {log, state, copy}) shop->remove(path);
  }
}

}  // namespace

const Experiment kEdits = {"tiled", "edits",
                           "mapping only what has changed (Tiled-MapReduce fig. 28)", run_edits};
const Experiment kCheckpoint = {
    "tiled", "checkpoint", "the cost of checkpoints (Tiled-MapReduce fig. 22)", run_checkpoint};
const Experiment kIncremental = {"tiled", "incremental",
                                 "reading only what is new (Tiled-MapReduce fig. 10, 27)",
                                 run_incremental};

}  // namespace bench
