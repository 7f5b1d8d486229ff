// The name of a value, and lists of things by name.
//
// Lists are what braces in a call become: {{"positions", positions}, {"scale", 2.0f}}.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] millrace {

// One name. A class of its own, because a list of std::string reads {{"a", "b"}} as one string from two pointers.
class Name {
 public:
  Name(const char* text) : text_(text) {}
  Name(std::string_view text) : text_(text) {}
  Name(std::string text) : text_(std::move(text)) {}
  Name(std::nullptr_t) = delete;

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

template <class Value>
struct Named {
  Name name;
  Value value;
};

// Values by name, in the order written. A name twice is an error of the call that takes the list.
template <class Value>
class NamedList {
 public:
  NamedList() = default;
  NamedList(std::initializer_list<Named<Value>> entries) : entries_(entries) {}

  // Adds the entry, or replaces the one of that name.
  void set(Name name, Value value) {
    for (Named<Value>& entry : entries_) {
      if (entry.name.text() != name.text()) continue;
      entry.value = std::move(value);
      return;
    }
    entries_.push_back({std::move(name), std::move(value)});
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

 private:
  std::vector<Named<Value>> entries_;
};

}  // namespace millrace
