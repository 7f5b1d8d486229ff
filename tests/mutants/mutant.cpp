// The active mutant in a variable, and the texts that it changed.
#include "tests/mutants/mutant.hpp"

#include <deque>
#include <stdexcept>
#include <string>

namespace millrace::mutants {
namespace {

const Mutant* active = nullptr;
std::deque<std::string> changed_texts;  // a deque, so that views stay good

}  // namespace

Activation::Activation(const Mutant& mutant) { active = &mutant; }

Activation::~Activation() {
  active = nullptr;
  changed_texts.clear();
}

bool is_active(std::string_view name) { return active != nullptr && active->name == name; }

std::string_view row_text(std::string_view row, std::string_view text) {
  if (active == nullptr || active->row != row) return text;
  const std::size_t at = text.find(active->from);
  if (at == std::string_view::npos) return text;  // the row's text for other lanes
  std::string changed(text);
  changed.replace(at, active->from.size(), active->to);
  return changed_texts.emplace_back(std::move(changed));
}

}  // namespace millrace::mutants
