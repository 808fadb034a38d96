#pragma once
// The names of an enumeration as a list in its order.

#include <cstddef>

namespace watersmeet {

// `last`: the last enumerator, so that a list with a name too few or too many does not compile.
template <auto last, std::size_t n>
constexpr const char* enum_name(const char* const (&names)[n], decltype(last) value) {
  static_assert(n == static_cast<std::size_t>(last) + 1, "one name for each enumerator");
  return names[static_cast<std::size_t>(value)];
}

}  // namespace watersmeet
