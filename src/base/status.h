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
  // Makes an error that more memory would avoid, or an error of input that is still partly usable.
  static Status memory_error(std::string message) {
    return Status(std::make_shared<const std::string>(std::move(message)), Kind::memory);
  }
  static Status input_error(std::string message) {
    return Status(std::make_shared<const std::string>(std::move(message)), Kind::input);
  }
  // Makes the error "<subject> <predicate>".
  static Status about(std::string_view subject, std::string_view predicate) {
    return error(std::string(subject).append(" ").append(predicate)).starting_with(subject);
  }
  // Makes the error that a name is unknown.
  static Status unknown_name(std::string message) {
    return Status(std::make_shared<const std::string>(std::move(message)), Kind::unknown_name);
  }
  // Uses the text of strerror().
  static Status from_errno(int errno_value);
  static Status from_errno(std::string_view subject, int errno_value) {
    return from_errno(errno_value).within(subject);
  }
  // Allocates no memory.
  static Status out_of_memory();
  // Replaces the message of out_of_memory(), which is "out of memory". Call once, at the start.
  static void explain_out_of_memory(std::string_view message);

  bool is_ok() const { return message_ == nullptr; }
  const std::string &message() const { return *message_; }
  // Returns an error of the same kind, "<subject>: <message>". REQUIRES: !is_ok()
  Status within(std::string_view subject) const;
  // Returns the last subject that the message begins with; empty if none is known.
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
  // Accepts a class that is derived from the one T owns.
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

// Returns the status of f(), or that it ran out of memory. For work that other threads wait for: an
// exception that ended it would leave them waiting for ever.
template <typename F>
Status guarded(F f) {
  try {
    return f();
  } catch (const std::bad_alloc &) {
    return Status::out_of_memory();
  }
}

}  // namespace mrc
