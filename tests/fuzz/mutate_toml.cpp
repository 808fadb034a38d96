#include "mutate_toml.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "launch/slurm.hpp"
#include "mesh/files/mesh_file.hpp"
#include "systems/registry.hpp"

namespace watersmeet::fuzz {
namespace {

using Lines = std::vector<std::string>;

constexpr std::array values = {"0",
                               "1",
                               "-1",
                               "2",
                               "3",
                               "7",
                               "16",
                               "64",
                               "1000000",
                               "2147483647",
                               "2147483648",
                               "-9223372036854775808",
                               "9223372036854775807",
                               "18446744073709551616",
                               "0.0",
                               "-0.0",
                               "0.5",
                               "1e-300",
                               "1e300",
                               "1e308",
                               "-1e308",
                               "5e-324",
                               "inf",
                               "-inf",
                               "nan",
                               "true",
                               "false",
                               "\"\"",
                               "\"auto\"",
                               "\"none\"",
                               "\"1/0\"",
                               "\"2*pi\"",
                               "\"sin(x)*cos(y)\"",
                               "\"x/0\"",
                               "\"sqrt(-1)\"",
                               "\"exp(1e9)\"",
                               "\"1e999\"",
                               "\"1 h\"",
                               "\"15 d\"",
                               "\"-1 s\"",
                               "\"\\u0000\"",
                               "\"\\U0001F30A\"",
                               "\"../../outside\"",
                               "\"/etc/passwd\"",
                               "\"blocks.xyz\"",
                               "[]",
                               "[0, 0, 0]",
                               "[1, 1, 1]",
                               "[8, 8, 8]",
                               "[16, 16, 1]",
                               "[1, 1, 64]",
                               "[9223372036854775807, 2, 2]",
                               "[2000000, 2000000, 2000000]",
                               "[1e-300, 1.0, 1.0]",
                               "[nan, 0, inf]",
                               "[1, 2]",
                               "[[1, 2, 3]]",
                               "[\"x\", \"y\", \"z\"]",
                               "[\"\"]",
                               "[\"--comment=$(id)\", \"--exclusive\"]",
                               "{}",
                               "{ kind = \"periodic\" }",
                               "{ kind = \"wall\", temperature = 1e300 }",
                               "1979-05-27",
                               "'''\n'''",
                               "\"\xc3\xa9\"",
                               "\"\xff\xfe\"",
                               "0x7fffffffffffffff",
                               "1_000"};

struct Mutation {
  Lines lines;
  const config::Schema& schema;
  std::mt19937
      random;  // minstd_rand would continue the very numbers of libFuzzer that the seed is one of

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random() % n; }
  std::string& any_line() { return lines[below(lines.size())]; }
  std::string any_value() { return values[below(values.size())]; }

  // A value that the key may have, or one of those above.
  std::string value_of(const config::Key& key) {
    if (!key.choices.empty() && below(2) == 0)
      return "\"" + key.choices[below(key.choices.size())] + "\"";
    if (!key.default_text.empty() && below(3) == 0) return key.default_text;
    return any_value();
  }

  void replace_value() {
    std::string& line = any_line();
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos) line = line.substr(0, equals + 1) + " " + any_value();
  }

  // One digit or one exponent, so that a number stays one.
  void change_number() {
    std::string& line = any_line();
    const std::size_t begin = below(line.size() + 1);
    const std::size_t at = line.find_first_of("0123456789", begin);
    if (at == std::string::npos) return;
    static const std::array changes = {"0", "9", "-1", "1e30", "1e-30", "99999999", ".5", "00"};
    line.replace(at, 1, changes[below(changes.size())]);
  }

  void add_key() {
    const std::vector<config::Key>& keys = schema.keys();
    if (keys.empty()) return;
    const config::Key& key = keys[below(keys.size())];
    std::string path = key.path;
    for (std::size_t star = path.find('*'); star != std::string::npos; star = path.find('*'))
      path.replace(star, 1, "air");
    const std::size_t dot = path.find_last_of('.');
    if (dot == std::string::npos) return;
    std::string section = path.substr(0, dot);
    std::string header = "[" + section + "]";
    if (section.ends_with("[]")) header = "[[" + section.substr(0, section.size() - 2) + "]]";
    const std::string line = path.substr(dot + 1) + " = " + value_of(key);
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [&](const std::string& l) { return l.starts_with(header); });
    if (found != lines.end()) {
      lines.insert(found + 1, line);
    } else {
      lines.push_back(header);
      lines.push_back(line);
    }
  }

  // After a NUL stand options of --set.
  void add_option() {
    const std::vector<config::Key>& keys = schema.keys();
    if (keys.empty()) return;
    const config::Key& key = keys[below(keys.size())];
    if (lines.back().find('\0') == std::string::npos) lines.back() += std::string(1, '\0');
    lines.push_back(key.path + "=" + value_of(key));
  }

  void insert_characters() {
    static const std::array<std::string_view, 10> pieces = {"\xf0\x9f\x8c\x8a",
                                                            "\xc3\xa9",
                                                            "\xe2\x80\x8b",
                                                            "\xff",
                                                            "\xed\xa0\x80",
                                                            "\"",
                                                            "[",
                                                            "{",
                                                            ".",
                                                            "\r"};
    std::string& line = any_line();
    line.insert(below(line.size() + 1), pieces[below(pieces.size())]);
  }

  void apply() {
    const std::size_t at = below(lines.size());
    switch (below(10)) {
      case 0:
      case 1:
        return replace_value();
      case 2:
        return change_number();
      case 3:
      case 4:
        return add_key();
      case 5:
        return add_option();
      case 6:
        if (lines.size() > 1) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
        return;
      case 7:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at),
                     std::string(lines[below(lines.size())]));
        return;
      case 8:
        return std::swap(lines[at], lines[below(lines.size())]);
      default:
        return insert_characters();
    }
  }
};

}  // namespace

const config::Schema* schema_of_texts(const std::string& target, std::string_view text,
                                      unsigned seed) {
  if (target == "mesh_file") return &mesh::mesh_file_schema();
  static const config::Schema of_sites = launch::site_schema();
  if (target == "site") return &of_sites;
  if (target != "case_file" && target != "case_text") return nullptr;
  static const std::vector<std::string> systems = systems::system_names();
  std::string name = systems[seed % systems.size()];
  for (const std::string& system : systems) {
    if (text.find("\"" + system + "\"") != std::string_view::npos) name = system;
  }
  return &systems::schema_for(name);
}

std::string mutate_toml(std::string_view text, const config::Schema& schema, unsigned seed) {
  Mutation mutation{{}, schema, std::mt19937(seed)};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    mutation.lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::size_t changes = 1 + mutation.below(3);
  for (std::size_t c = 0; c < changes; ++c) mutation.apply();
  std::string joined;
  for (std::size_t l = 0; l < mutation.lines.size(); ++l)
    joined += (l == 0 ? "" : "\n") + mutation.lines[l];
  return joined;
}

}  // namespace watersmeet::fuzz
