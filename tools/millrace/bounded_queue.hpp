// Values handed from one thread to another, a few at a time, so that stages of work overlap and memory stays bounded.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace millrace::tool {

template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  // Waits for room. False where the taker has given up: nothing more is wanted.
  bool push(T value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return values_.size() < capacity_ || is_abandoned_; });
    if (is_abandoned_) return false;
    values_.push_back(std::move(value));
    changed_.notify_all();
    return true;
  }
  // There is nothing after what was pushed: the taker gets the end, or the failure.
  void close(std::exception_ptr failure = nullptr) {
    const std::scoped_lock lock(mutex_);
    is_closed_ = true;
    failure_ = std::move(failure);
    changed_.notify_all();
  }

  // Waits for the next value; nothing at the end. Throws the failure that the queue was closed with.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !values_.empty() || is_closed_; });
    if (values_.empty()) {
      if (failure_) std::rethrow_exception(failure_);
      return std::nullopt;
    }
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    changed_.notify_all();
    return value;
  }
  // Nothing more will be taken.
  void abandon() {
    const std::scoped_lock lock(mutex_);
    is_abandoned_ = true;
    values_.clear();
    changed_.notify_all();
  }

 private:
  std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
  bool is_closed_ = false;
  bool is_abandoned_ = false;
  std::exception_ptr failure_;
};

}  // namespace millrace::tool
