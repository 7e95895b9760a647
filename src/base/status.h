// Errors that a user or the world can cause. Programmer errors are asserts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mrc {

// Success, or one line that completes the sentence "mrc: error: ...".
class [[nodiscard]] Status {
 public:
  static Status ok() { return {}; }
  static Status error(std::string message) { return Status(std::move(message)); }
  // "<context>: <strerror of errno_value>"
  static Status from_errno(std::string_view context, int errno_value);

  bool is_ok() const { return !message_; }
  const std::string &message() const { return *message_; }

 private:
  Status() = default;
  explicit Status(std::string message) : message_(std::move(message)) {}
  std::optional<std::string> message_;
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

}  // namespace mrc
