// Errors that a user or the world can cause. Programmer errors are asserts.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
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
  // "<subject> <predicate>"
  static Status about(std::string_view subject, std::string_view predicate) {
    return error(std::string(subject).append(" ").append(predicate)).starting_with(subject);
  }
  // There is nothing of that name here.
  static Status unknown_name(std::string message) {
    return Status(std::make_shared<const std::string>(std::move(message)), Kind::unknown_name);
  }
  // What strerror says.
  static Status from_errno(int errno_value);
  static Status from_errno(std::string_view subject, int errno_value) {
    return from_errno(errno_value).within(subject);
  }
  // Takes no memory.
  static Status out_of_memory();
  // What that says; called once, at the start. Unless it is, "out of memory".
  static void explain_out_of_memory(std::string_view message);

  bool is_ok() const { return message_ == nullptr; }
  const std::string &message() const { return *message_; }
  // "<subject>: <message>", an error of the same kind. REQUIRES: !is_ok()
  Status within(std::string_view subject) const;
  // What the message is about, if it is known to begin with that: the last subject.
  std::string_view subject() const { return std::string_view(*message_).substr(0, subject_bytes_); }
  bool is_memory_error() const { return kind_ == Kind::memory; }
  bool is_input_error() const { return kind_ == Kind::input; }
  bool is_unknown_name() const { return kind_ == Kind::unknown_name; }

 private:
  enum class Kind : unsigned { any, memory, input, unknown_name };

  Status() = default;
  explicit Status(std::shared_ptr<const std::string> message, Kind kind = Kind::any)
      : message_(std::move(message)), kind_(kind) {}

  Status starting_with(std::string_view subject) {
    subject_bytes_ = static_cast<unsigned>(subject.size());
    return *this;
  }

  std::shared_ptr<const std::string> message_;  // null: success
  Kind kind_ = Kind::any;
  unsigned subject_bytes_ = 0;
};

// A value, or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  // A class that is derived from the one T owns.
  template <typename Derived>
    requires std::is_convertible_v<std::unique_ptr<Derived>, T>
  Result(std::unique_ptr<Derived> value) : value_(std::move(value)) {}
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
