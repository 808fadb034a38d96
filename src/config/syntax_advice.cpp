#include "config/syntax_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/form.hpp"

namespace watersmeet::config {
namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The unquoted word around a byte of the line: from after "=", "[", "," or "{" up to "," "]" "}"
// "#" or the end.
struct Word {
  std::size_t begin;
  std::string text;
};

Word word_around(const std::string& line, std::size_t at) {
  std::size_t begin = std::min(at, line.size());
  while (begin > 0 && std::string("=[,{").find(line[begin - 1]) == std::string::npos) --begin;
  while (begin < line.size() && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
  const std::size_t end = std::min(line.find_first_of(",]}#", begin), line.size());
  return {begin, trimmed(line.substr(begin, end - begin))};
}

// The line on which the key of `line` was given before, within the same section; 0 when there is
// none.
int earlier_line(const std::vector<std::string>& lines, int line, const std::string& key) {
  for (int i = line - 1; i >= 1; --i) {
    const std::string text = trimmed(lines[static_cast<std::size_t>(i - 1)]);
    if (!text.empty() && text.front() == '[') return 0;
    if (trimmed(text.substr(0, text.find('='))) == key && has(text, "=")) return i;
  }
  return 0;
}

int earlier_header(const std::vector<std::string>& lines, int line, const std::string& header) {
  for (int i = line - 1; i >= 1; --i) {
    const std::string text = trimmed(lines[static_cast<std::size_t>(i - 1)]);
    if (text.compare(0, header.size(), header) == 0) return i;
  }
  return 0;
}

// The nearest earlier line that opens more brackets than it closes; 0 when there is none.
int open_list_before(const std::vector<std::string>& lines, int line) {
  for (int i = line - 1; i >= 1; --i) {
    const std::string& text = lines[static_cast<std::size_t>(i - 1)];
    if (std::count(text.begin(), text.end(), '[') > std::count(text.begin(), text.end(), ']')) {
      return i;
    }
  }
  return 0;
}

// Byte offset of a column counted in characters.
std::size_t byte_of_column(const std::string& line, int column) {
  std::size_t i = 0;
  for (int c = 1; c < column && i < line.size(); ++c) {
    ++i;
    while (i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80) ++i;
  }
  return i;
}

int column_of_byte(const std::string& line, std::size_t byte) {
  return 1 + static_cast<int>(std::count_if(
                 line.begin(), line.begin() + static_cast<std::ptrdiff_t>(byte),
                 [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// The first of these characters by a text; the word has one.
std::string replaced(std::string word, const char* characters, const char* by) {
  return word.replace(word.find_first_of(characters), 1, by);
}

// What a word without quotes was meant to be; empty when there is no good guess.
std::string meaning_of(const std::string& word) {
  if (has_form(word, "[Tt]rue|TRUE|[Yy]es|[Oo]n")) return "true";
  if (has_form(word, "[Ff]alse|FALSE|[Nn]o|[Oo]ff")) return "false";
  if (has_form(word, R"([+-]?\.[0-9]+([eE][+-]?[0-9]+)?)")) {
    return replaced(word, ".", "0.");
  }
  if (has_form(word, R"([+-]?[0-9]+\.([eE][+-]?[0-9]+)?)")) {
    return replaced(word, ".", ".0");
  }
  if (has_form(word, R"([+-]?[0-9]+(\.[0-9]*)?[dD][+-]?[0-9]+)")) {
    return replaced(word, "dD", "e");
  }
  if (has_form(word, R"(0+[1-9][0-9]*)")) return word.substr(word.find_first_not_of('0'));
  // Text or an expression: letters, digits and operators.
  if (has_form(word, R"([-+*/^().0-9A-Za-z_ ]*[A-Za-z*/^()][-+*/^().0-9A-Za-z_ ]*)")) {
    return '"' + word + '"';
  }
  return "";
}

std::string without_prefix(std::string text) {
  const std::size_t colon = text.find(": ");
  if (text.compare(0, 20, "Error while parsing ") == 0 && colon != std::string::npos) {
    text = text.substr(colon + 2);
  }
  if (has(text, R"(saw '\n')")) text.replace(text.find(R"(saw '\n')"), 8, "but the line ends");
  return text;
}

}  // namespace

Fault syntax_fault(const Document& document, int line, int column, std::string description) {
  const std::vector<std::string>& lines = document.sources.front().lines;
  Fault fault =
      fault_at(document, {0, line, column, 1}, FaultKind::syntax, without_prefix(description));
  const std::string& text = fault.excerpt;
  const std::size_t at = byte_of_column(text, column);
  const auto underline = [&](std::size_t begin, const std::string& what) {
    fault.column = column_of_byte(text, begin);
    fault.width = std::max(1, column_of_byte(what, what.size()) - 1);
    fault.found = what;
  };

  if (has(description, "cannot redefine existing")) {
    const std::string start = trimmed(text);
    const std::size_t begin = text.find(start);
    if (start.compare(0, 1, "[") == 0) {
      const std::string header = start.substr(0, start.rfind(']') + 1);
      underline(begin, header);
      const std::string name = trimmed(header.substr(
          header.find_first_not_of('['), header.find(']') - header.find_first_not_of('[')));
      if (const int other = earlier_header(lines, line, "[[" + name + "]]"); other > 0) {
        fault.message = fmt::format("[{}] is a list of sections, started in line {}", name, other);
        fault.suggestion = "did you mean [[" + name + "]]?";
      } else {
        const int first = earlier_header(lines, line, "[" + name + "]");
        fault.message = "section [" + name + "] is given twice";
        if (first > 0) fault.suggestion = fmt::format("first given in line {}", first);
      }
    } else {
      const std::string key = trimmed(start.substr(0, start.find('=')));
      underline(begin, key);
      fault.message = "key `" + key + "` is given twice";
      if (const int first = earlier_line(lines, line, key); first > 0) {
        fault.suggestion = fmt::format("first given in line {}", first);
      }
    }
    return fault;
  }
  if (has(description, "control character")) {
    const std::size_t quote = text.find_last_of("\"'");
    if (quote != std::string::npos && at >= text.size()) {
      underline(quote, text.substr(quote));
      fault.message = "the text is not closed";
      fault.suggestion = std::string("add ") + text[quote] + " at its end";
    }
    return fault;
  }
  if (has(description, "utf-8") || has(description, "UTF-8")) {
    fault.message = "the file is not UTF-8 text";
    return fault;
  }
  if (has(description, "parsing array")) {
    if (const int open = open_list_before(lines, line); open > 0) {
      fault.suggestion = fmt::format("is the list of line {} closed?", open);
    }
  }
  if (has(description, "expected '='") && at < text.size() && text[at] == ':') {
    fault.message = "a key and its value are joined by `=`";
    fault.suggestion = "did you mean `=`?";
    return fault;
  }
  const Word word = word_around(text, at);
  if (at < text.size() && text[at] == ',' && at > 0) {
    // A decimal comma: "cfl = 1,5".
    const Word before = word_around(text, at - 1);
    const std::size_t end = std::min(text.find_first_not_of("0123456789eE+-", at + 1), text.size());
    const std::string decimals = text.substr(at + 1, end - at - 1);
    if (has_form(before.text, "[+-]?[0-9]+") && !decimals.empty()) {
      fault.message = "a number has a point, not a comma";
      fault.found = before.text + "," + decimals;
      fault.suggestion = "did you mean " + before.text + "." + decimals + "?";
    }
    return fault;
  }
  if (has(description, "not representable")) {
    underline(word.begin, word.text);
    fault.message = word.text + " is too large for a whole number (64 bits)";
    return fault;
  }
  if (has(description, "could not be interpreted")) {
    underline(word.begin, word.text);
    fault.message = word.text + " is beyond the range of numbers";
    return fault;
  }
  const bool in_value = text.find('=') != std::string::npos && at > text.find('=');
  if (in_value && word.text.empty() && has(description, "expected value")) {
    fault.message = "a value is missing";
    return fault;
  }
  if (in_value && !word.text.empty() && !has(description, "comment or whitespace")) {
    const std::string meaning = meaning_of(word.text);
    if (!meaning.empty()) {
      underline(word.begin, word.text);
      fault.message = meaning.front() == '"' ? "text and expressions are written in quotes"
                                             : "`" + word.text + "` is not a value";
      fault.suggestion = "did you mean " + meaning + "?";
    }
  }
  return fault;
}

bool stands_alone(const std::string& line) {
  const std::string text = trimmed(line);
  if (text.empty() || text.front() == '[') return false;
  const auto count = [&](char c) { return std::count(text.begin(), text.end(), c); };
  return count('[') == count(']') && count('{') == count('}') && !has(text, "\"\"\"") &&
         !has(text, "'''") && has(text, "=");
}

std::vector<Position> foreign_characters(const std::vector<std::string>& lines, int source) {
  std::vector<Position> places;
  std::string quote;  // the open quotes: one or three; empty outside
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const std::string& line = lines[l];
    if (quote.size() == 1) quote.clear();  // such a text ends with its line
    bool found = false;
    for (std::size_t i = 0; i < line.size();) {
      const char c = line[i];
      if (quote.empty()) {
        if (c == '#') break;
        if (c == '"' || c == '\'') {
          const bool triple = line.compare(i, 3, std::string(3, c)) == 0;
          quote.assign(triple ? 3 : 1, c);
          i += quote.size();
          continue;
        }
        if (static_cast<unsigned char>(c) >= 0x80 && !found) {
          places.push_back({source, static_cast<int>(l + 1), column_of_byte(line, i), 1});
          found = true;
        }
        ++i;
      } else if (quote[0] == '"' && c == '\\') {
        i += 2;
      } else if (line.compare(i, quote.size(), quote) == 0) {
        i += quote.size();
        // Up to two more quotes still belong to a text that three of them close.
        for (int k = 0; quote.size() == 3 && k < 2 && i < line.size() && line[i] == c; ++k) ++i;
        quote.clear();
      } else {
        ++i;
      }
    }
  }
  return places;
}

}  // namespace watersmeet::config
