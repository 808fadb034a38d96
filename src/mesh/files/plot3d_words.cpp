#include "mesh/files/plot3d_words.hpp"

#include <charconv>
#include <string>

namespace watersmeet::mesh {

namespace {

bool is_blank(char c) { return c == ' ' || c == ',' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

bool looks_like_text(std::string_view content) {
  // A binary header has bytes of value 0, which text has not.
  const std::string_view head = content.substr(0, 4096);
  for (const char c : head) {
    if (!is_blank(c) && (c < ' ' || c > '~')) return false;
  }
  return !head.empty();
}

AsciiNumbers ascii_numbers(std::string_view content) {
  AsciiNumbers found;
  // Coordinates differ along i, so that a mesh needs no long repetitions: a file of 100 bytes must not ask for gigabytes.
  const std::size_t most = 1000 + 64 * content.size();
  std::size_t at = 0;
  std::string word;
  for (;;) {
    while (at < content.size() && is_blank(content[at])) ++at;
    if (at >= content.size()) return found;
    std::size_t end = at;
    while (end < content.size() && !is_blank(content[end])) ++end;
    word.assign(content.substr(at, end - at));
    std::size_t times = 1;
    const std::size_t star = word.find('*');
    const char* first = word.data();
    const char* const last = word.data() + word.size();
    if (star != std::string::npos) {
      const auto [stop, error] = std::from_chars(first, first + star, times);
      if (error != std::errc() || stop != first + star || times == 0 ||
          times > most - found.values.size()) {
        found.wrong = at;
        return found;
      }
      first += star + 1;
    }
    for (char& c : word) {
      if (c == 'd' || c == 'D') c = 'e';
    }
    if (first != last && *first == '+') ++first;
    double value = 0;
    const auto [stop, error] = std::from_chars(first, last, value);
    if (error != std::errc() || stop != last) {
      found.wrong = at;
      return found;
    }
    found.values.insert(found.values.end(), times, value);
    at = end;
  }
}

}  // namespace watersmeet::mesh
