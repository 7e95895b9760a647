// Readers of records by themselves, on a text in the cache: what a record of each format
// costs, by the fields that are wanted.
#include "fields/fields.h"

#include <benchmark/benchmark.h>

#include <random>

namespace {

using namespace mrc;

using Random = std::mt19937_64;

std::string number(Random *random, u64 below) { return std::to_string((*random)() % below); }
std::string two_digits(Random *random, u64 below) {
  return std::to_string(100 + (*random)() % below).substr(1);
}
std::string address(Random *random) {
  return number(random, 256) + "." + number(random, 256) + "." + number(random, 256) + "." +
         number(random, 256);
}
std::string word(Random *random, u64 most) {
  std::string text(1 + (*random)() % most, 'x');
  for (char &c : text) c = static_cast<char>('a' + (*random)() % 26);
  return text;
}

// About 216 bytes, as those of a shop's web server.
std::string combined(Random *random) {
  return address(random) + " - - [13/Sep/2015:" + two_digits(random, 24) + ":" +
         two_digits(random, 60) + ":10 +0000] \"GET /" + word(random, 12) + "/" + word(random, 40) +
         "?id=" + number(random, 100000) + " HTTP/1.1\" " + ((*random)() % 5 ? "200 " : "304 ") +
         number(random, 100000) + " \"http://" + word(random, 20) +
         ".example/\" \"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) " +
         "Chrome/45.0." + number(random, 5000) + " Safari/537.36\"\n";
}
// 14 bytes, as in the billion rows challenge.
std::string station(Random *random) {
  return word(random, 16) + ";" + number(random, 60) + "." + number(random, 10) + "\n";
}
std::string logfmt(Random *random) {
  return "time=2015-09-13T06:25:10Z level=info component=" + word(random, 12) + " msg=\"took " +
         word(random, 20) + "\" ms=" + number(random, 1000) + "\n";
}
std::string ltsv(Random *random) {
  return "time:13/Sep/2015:06:25:10 +0000\thost:" + address(random) +
         "\tstatus:200\tsize:" + number(random, 100000) + "\n";
}
std::string syslog(Random *random) {
  return "Jun 14 15:16:01 combo sshd[" + number(random, 30000) +
         "]: Failed password for invalid user " + word(random, 10) + " from " + address(random) +
         " port 22 ssh2\n";
}

struct Workload {
  const char *name;
  std::string (*record)(Random *random);
  FormatSpec spec;
  std::vector<FieldName> wanted;
};

const Workload kWorkloads[] = {
    {"lines", combined, {.format = &LineFormat::lines}, {{"1", 1}}},
    {"combined: status", combined, {}, {{"status"}}},
    {"combined: ip, status, bytes", combined, {}, {{"ip"}, {"status"}, {"bytes"}}},
    {"combined: path, agent", combined, {}, {{"path"}, {"agent"}}},
    {"fields by ;: 1, 2", station, {.delimiter = ';'}, {{"1", 1}, {"2", 2}}},
    {"fields by blanks: 1, 9", combined, {.format = &LineFormat::fields}, {{"1", 1}, {"9", 9}}},
    {"logfmt: level, ms", logfmt, {}, {{"level"}, {"ms"}}},
    {"ltsv: host, size", ltsv, {}, {{"host"}, {"size"}}},
    {"syslog: program, pid", syslog, {}, {{"program"}, {"pid"}}},
    {"regex: ip, status",
     combined,
     {.regex = R"(^(?<ip>\S+) \S+ \S+ \[[^]]*\] "[^"]*" (?<status>\d+))"},
     {{"ip"}, {"status"}}},
};

void BM_Reader(benchmark::State &state) {
  const Workload &workload = kWorkloads[state.range(0)];
  state.SetLabel(workload.name);
  Random random(1);
  std::string text;
  while (text.size() < 200000) text += workload.record(&random);
  text.reserve(text.size() + kPadding);
  const Chunk chunk{Bytes(text), 0, 1};
  const auto reader =
      make_reader(*sniff(workload.spec, text.substr(0, kSniffedBytes), false), workload.wanted);
  const auto batch = std::make_unique<RecordBatch>();
  i64 records = 0;
  for (auto _ : state) {
    const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
    while (next < end) {
      batch->clear();
      (*reader)->read(chunk, &next, batch.get());
      records += batch->size;
      benchmark::DoNotOptimize(batch->fields.data());
    }
  }
  state.SetItemsProcessed(records);
  state.SetBytesProcessed(static_cast<i64>(state.iterations()) * std::ssize(text));
}
BENCHMARK(BM_Reader)->DenseRange(0, std::ssize(kWorkloads) - 1);

}  // namespace
