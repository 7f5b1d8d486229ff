// The library's parts put together.
#include "src/expression/wgsl_library.hpp"

#include <algorithm>
#include <vector>

#include <millrace/error.hpp>

#include "src/expression/choice_wgsl.hpp"
#include "src/expression/emit_format.hpp"
#include "src/expression/math_wgsl.hpp"
#include "src/expression/pack_wgsl.hpp"

namespace millrace::expression {
namespace {

std::vector<LibraryFunction> put_together() {
  std::vector<LibraryFunction> all;
  for (const std::span<const LibraryFunction> part :
       {format_library(), pack_library(), math_library(), choice_library()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::vector<std::string_view> names_in(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    names.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

std::span<const LibraryFunction> wgsl_library() {
  static const std::vector<LibraryFunction> kLibrary = put_together();
  return kLibrary;
}

std::string library_text(const std::set<std::string_view>& names) {
  const std::span<const LibraryFunction> library = wgsl_library();
  std::set<std::string_view> wanted = names;
  std::vector<std::string_view> texts;
  // Backwards, so that an entry is known to be needed before it is met.
  for (std::size_t at = library.size(); at-- > 0;) {
    const LibraryFunction& function = library[at];
    if (wanted.erase(function.name) == 0) continue;
    texts.push_back(function.wgsl);
    for (const std::string_view need : names_in(function.needs)) wanted.insert(need);
  }
  if (!wanted.empty()) throw InternalError("The WGSL library has no function " + std::string(*wanted.begin()) + ".");
  std::string text;
  for (auto part = texts.rbegin(); part != texts.rend(); ++part) text += *part;
  return text;
}

}  // namespace millrace::expression
