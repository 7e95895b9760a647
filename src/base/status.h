// Errors that a user or the world can cause. Programmer errors are asserts.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mrc {

// Success, or one line that completes the sentence "mrc: error: ...".
class [[nodiscard]] Status {
 public:
  static Status ok() { return {}; }
  static Status error(std::string message) {
    return Status(std::make_shared<const std::string>(std::move(message)));
  }
  // Errors that more memory would avoid, or input of which something can be used.
  static Status memory_error(std::string message) {
    return Status(std::make_shared<const std::string>(std::move(message)), Kind::memory);
  }
  static Status input_error(std::string message) {
    return Status(std::make_shared<const std::string>(std::move(message)), Kind::input);
  }
  // "<context>: <strerror of errno_value>"
  static Status from_errno(std::string_view context, int errno_value);
  // Takes no memory.
  static Status out_of_memory();
  // What that says; called once, at the start. Unless it is, "out of memory".
  static void explain_out_of_memory(std::string_view message);

  bool is_ok() const { return message_ == nullptr; }
  const std::string &message() const { return *message_; }
  bool is_memory_error() const { return kind_ == Kind::memory; }
  bool is_input_error() const { return kind_ == Kind::input; }

 private:
  enum class Kind { any, memory, input };

  Status() = default;
  explicit Status(std::shared_ptr<const std::string> message, Kind kind = Kind::any)
      : message_(std::move(message)), kind_(kind) {}

  std::shared_ptr<const std::string> message_;  // null: success
  Kind kind_ = Kind::any;
};

// A value, or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) {}

  bool is_ok() const { return status_.is_ok(); }
  const Status &status() const { return status_; }
  // REQUIRES: is_ok()
  T &operator*() { return *value_; }
  const T &operator*() const { return *value_; }
  T *operator->() { return &*value_; }
  const T *operator->() const { return &*value_; }

 private:
  Status status_ = Status::ok();
  std::optional<T> value_;
};

// The status that f() returns, or that it ran out of memory. For what others wait for: they
// would wait for ever for work that an exception has ended.
template <typename F>
Status guarded(F f) {
  try {
    return f();
  } catch (const std::bad_alloc &) {
    return Status::out_of_memory();
  }
}

}  // namespace mrc
