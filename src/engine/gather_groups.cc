#include "engine/inner/gather_groups.h"

#include "base/setting_name.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

namespace mrc {
namespace {

class NothingTaken : public Sink {
 public:
  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *) override {
    class Empty : public Hand {
      Status take(const Chunk &, i64 *) override { return Status::ok(); }
      Status seal(bool) override { return Status::ok(); }
    };
    return std::make_unique<Empty>();
  }
};

class NothingCounted : public Watch {
 public:
  explicit NothingCounted(InputWatch *watch) : watch_(*watch) {}
  Result<std::unique_ptr<Notes>> begin(i64 worker) override { return watch_.begin(worker); }
  void end(std::unique_ptr<Notes>, const ReadCounts &, i64) override {}

 private:
  InputWatch &watch_;
};

}  // namespace

bool is_read_once(const Source &source) {
  struct stat info;
  if (source.followed || !source.command.empty()) return true;
  if (!source.stream || source.collection) return false;
  return source.fd >= 0 || stat(source.path.c_str(), &info) != 0 || !S_ISREG(info.st_mode);
}

Status gather_groups(Run *run, SplitQueue *queue, InputWatch *watch, RunningPass *pass) {
  NothingTaken sink;
  NothingCounted counted(watch);
  Status status = scan(queue, &sink, &counted, &run->pool, pass);
  return status.is_ok() ? watch->stream_problem() : status;
}

Status check_reread(const Run &run, const RunningField &field) {
  const auto once = std::ranges::find_if(run.plan.sources, is_read_once);
  if (once == run.plan.sources.end()) return Status::ok();
  const std::string what = once->followed          ? once->name() + " has no end"
                           : once->command.empty() ? once->name() + " can be read only once"
                                                   : "a command prints " + once->name() + " once";
  return Status::error(fmt::format(
      "{}: all records are read before the first one is printed, and {}; put them in a file first, "
      "or add {} FIELDS",
      field.name.text, what, setting_name("order")));
}

}  // namespace mrc
