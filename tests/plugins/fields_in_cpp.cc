// A job over fields that is written with mrc.hpp: what each client has used, by day.
#include "mrc.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

// The values of a client on a day, as text: how many, and the sum of those that are whole numbers.
// A sum of doubles would depend on their order.
struct Used {
  static constexpr const char *name = "used", *summary = "how many values, and their sum";
  int64_t count;
  uint64_t sum;

  void add(std::optional<double> value) {
    ++count;
    constexpr double kMost = 9e15;
    const double number = value.value_or(0);
    if (std::trunc(number) == number && std::abs(number) < kMost) {
      sum += static_cast<uint64_t>(static_cast<int64_t>(number));
    }
  }
  void merge(const Used &other) {
    count += other.count;
    sum += other.sum;
  }
  void result(mrc::Out out) const {
    out.write(count);
    out.write("/");
    out.write(static_cast<int64_t>(sum));
  }
};

class Clients {
 public:
  static constexpr const char *name = "clients", *summary = "use by user and day";
  static constexpr const char *fields[] = {"user", "time", "bytes", "double=bytes * 2"};
  static constexpr const char *key_name = "user_day";
  using Values = std::tuple<std::optional<double>, int64_t>;
  static constexpr mrc_reduction reductions[] = {mrc::by<Used>(0), mrc::builtin("max", 1, "most")};
  struct Worker {
    std::string key;
  };

  // A record without a user or a time has no client.
  void map(std::string_view user, mrc::Time time, std::optional<double> bytes,
           std::optional<int64_t> twice, Worker &worker, mrc::Emitter<Clients> &out) const {
    if (user.starts_with("bad")) return out.bad("a bad user");
    const auto day = std::chrono::floor<std::chrono::days>(time).time_since_epoch();
    worker.key = std::string(user) + " " + std::to_string(day.count());
    out.emit(out.keep(worker.key), bytes,
             twice.value_or(0) + static_cast<int64_t>(out.record().empty()));
  }
};

MRC_PLUGIN("fields_in_cpp", "1.0", "a job over fields", mrc::jobs<Clients>)
