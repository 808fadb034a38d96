#include "config/nearest.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace watersmeet::config {
namespace {

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t n = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

// In a short word another number of the same length is another choice, not a slip: rk4 is no rk2.
bool differ_in_number(std::string_view a, std::string_view b) {
  constexpr std::size_t short_word = 4;
  if (a.size() > short_word) return false;
  const auto digits = [](std::string_view text) {
    std::string found;
    for (const char c : text)
      if (c >= '0' && c <= '9') found += c;
    return found;
  };
  const std::string of_a = digits(a), of_b = digits(b);
  return of_a.size() == of_b.size() && of_a != of_b;
}

// A name of several words of which the given one is the first: rk4 of rk4-carpenter-kennedy.
bool begins_with_word(std::string_view name, std::string_view word) {
  return !word.empty() && name.size() > word.size() && name.starts_with(word) &&
         (name[word.size()] == '-' || name[word.size()] == '_');
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Row and column 0 of the table stand for "before the words" and hold a bound no path can gain from
// (Lowrance and Wagner, 1975): that is what makes a swap with letters inserted in between come out
// right.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 2;
  const std::size_t bound = a.size() + b.size();
  std::vector<std::size_t> table((a.size() + 2) * width, bound);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return table[i * width + j];
  };
  std::array<std::size_t, 256> last_row_of{};
  for (std::size_t i = 0; i <= a.size(); ++i) at(i + 1, 1) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(1, j + 1) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t last_match = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t row = last_row_of[static_cast<unsigned char>(b[j - 1])];
      const std::size_t column = last_match;
      const bool same = a[i - 1] == b[j - 1];
      if (same) last_match = j;
      const std::size_t substituted = at(i, j) + (same ? 0 : 1);
      const std::size_t inserted = std::min(at(i + 1, j), at(i, j + 1)) + 1;
      const std::size_t swapped = at(row, column) + (i - row - 1) + 1 + (j - column - 1);
      at(i + 1, j + 1) = std::min({substituted, inserted, swapped});
    }
    last_row_of[static_cast<unsigned char>(a[i - 1])] = i;
  }
  return at(a.size() + 1, b.size() + 1);
}

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  const std::string wanted = lower_case(word);
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
  const std::string* best = nullptr;
  std::size_t best_distance = limit + 1;
  std::size_t best_prefix = 0;
  const std::string* longer = nullptr;
  std::size_t n_longer = 0;
  for (const std::string& candidate : candidates) {
    const std::string name = lower_case(candidate);
    if (begins_with_word(name, wanted)) {
      longer = &candidate;
      ++n_longer;
    }
    // Each letter that one word has more is an edit.
    const std::size_t longest = std::max(wanted.size(), name.size());
    if (2 * longest - wanted.size() - name.size() > limit) continue;
    if (differ_in_number(wanted, name)) continue;
    const std::size_t distance = edit_distance(wanted, name);
    // One letter replaced by one other letter is no resemblance.
    if (distance > limit || distance >= longest) continue;
    const std::size_t prefix = common_prefix(wanted, name);
    if (distance < best_distance || (distance == best_distance && prefix > best_prefix)) {
      best = &candidate;
      best_distance = distance;
      best_prefix = prefix;
    }
  }
  if (best == nullptr && n_longer == 1) best = longer;
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::string join(const std::vector<std::string>& items, std::string_view separator,
                 std::string_view quote) {
  std::string result;
  for (const std::string& item : items) {
    if (!result.empty()) result += separator;
    result.append(quote).append(item).append(quote);
  }
  return result;
}

}  // namespace watersmeet::config
