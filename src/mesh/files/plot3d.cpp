// Tries the forms of a Plot3D file one after the other by the lengths that they foretell.

#include "mesh/files/plot3d.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "mesh/files/file_kind.hpp"
#include "mesh/files/plot3d_words.hpp"

namespace watersmeet::mesh {

namespace {

using Kind = Plot3dForm::Kind;

// The places of things in a file of a form: sizes of the blocks, and where the first number of each
// block is (an index of ASCII numbers, or an offset in bytes).
struct Layout {
  Plot3dForm form;
  std::vector<Index3> sizes;
  std::vector<std::size_t> first;
};

constexpr std::int64_t most_blocks = 1000000;
constexpr double most_nodes = 1e10;

// A block has two nodes or more along each axis, except along k of a 2-D mesh: so one block of 2-D in a
// file of several, 1 97 33, is not taken for one of 3-D.
bool plausible(const Index3& n) {
  double nodes = 1;
  for (const std::int64_t m : n) nodes *= static_cast<double>(m);
  return n[0] >= 2 && n[1] >= 2 && n[2] >= 1 && nodes <= most_nodes;
}

std::size_t count_of(const Index3& n) { return static_cast<std::size_t>(n[0] * n[1] * n[2]); }

// Header by header: `next()` gives the next whole number or nothing.
template <class Next>
bool read_sizes(const Plot3dForm& form, Next next, std::vector<Index3>& sizes) {
  std::int64_t blocks = 1;
  if (form.multiple) {
    const std::optional<std::int64_t> count = next();
    if (!count || *count < 1 || *count > most_blocks) return false;
    blocks = *count;
  }
  for (std::int64_t b = 0; b < blocks; ++b) {
    Index3 n{1, 1, 1};
    for (int a = 0; a < form.dimensions; ++a) {
      const std::optional<std::int64_t> m = next();
      if (!m) return false;
      n[a] = *m;
    }
    if (!plausible(n)) return false;
    sizes.push_back(n);
  }
  return true;
}

std::optional<Layout> fit_ascii(const std::vector<double>& numbers, const Plot3dForm& form) {
  Layout layout{form, {}, {}};
  std::size_t at = 0;
  const auto next = [&]() -> std::optional<std::int64_t> {
    if (at >= numbers.size() || numbers[at] != std::floor(numbers[at])) return std::nullopt;
    if (std::abs(numbers[at]) > 1e9) return std::nullopt;
    return static_cast<std::int64_t>(numbers[at++]);
  };
  if (!read_sizes(form, next, layout.sizes)) return std::nullopt;
  const auto words = static_cast<std::size_t>(form.dimensions + (form.iblank ? 1 : 0));
  for (const Index3& n : layout.sizes) {
    layout.first.push_back(at);
    at += words * count_of(n);
    if (at > numbers.size()) return std::nullopt;
  }
  return at == numbers.size() ? std::optional(layout) : std::nullopt;
}

// `needed`, where given, becomes the length that the header and the mark of the first record ask
// for, or 0 where one of these does not fit.
std::optional<Layout> fit_bytes(const Bytes& bytes, const Plot3dForm& form,
                                std::size_t* needed = nullptr) {
  Layout layout{form, {}, {}};
  const bool marks = form.kind == Kind::unformatted;
  const auto mark_bytes = static_cast<std::size_t>(form.mark_bytes);
  std::size_t at = 0;
  // The mark before or after a record must give its length.
  const auto mark = [&](std::size_t length) {
    if (!marks) return true;
    if (!bytes.has(at, mark_bytes)) return false;
    const bool right = bytes.whole(at, form.mark_bytes) == static_cast<std::int64_t>(length);
    at += mark_bytes;
    return right;
  };
  std::size_t read = 0;  // whole numbers of the header
  bool good = true;
  std::int64_t blocks = 1;
  const auto next = [&]() -> std::optional<std::int64_t> {
    const auto d = static_cast<std::size_t>(form.dimensions);
    if (form.multiple && read == 0) good = good && mark(4);
    if (read == (form.multiple ? 1u : 0u)) {
      good = good && mark(4 * d * static_cast<std::size_t>(blocks));
    }
    if (!good || !bytes.has(at, 4)) return std::nullopt;
    const std::int64_t value = bytes.integer(at);
    at += 4;
    if (form.multiple && read == 0) {
      if (value < 1 || value > most_blocks) return std::nullopt;
      blocks = value;
      good = good && mark(4);
    }
    ++read;
    return value;
  };
  if (!read_sizes(form, next, layout.sizes)) return std::nullopt;
  if (!mark(4 * static_cast<std::size_t>(form.dimensions) * layout.sizes.size())) {
    return std::nullopt;
  }
  const auto node = static_cast<std::size_t>(form.dimensions * form.bytes + (form.iblank ? 4 : 0));
  if (needed != nullptr && bytes.has(at, mark_bytes) &&
      bytes.whole(at, form.mark_bytes) ==
          static_cast<std::int64_t>(node * count_of(layout.sizes.front()))) {
    *needed = at;
    for (const Index3& n : layout.sizes)
      *needed += node * count_of(n) + (marks ? 2 * mark_bytes : 0);
  }
  for (const Index3& n : layout.sizes) {
    const std::size_t length = node * count_of(n);
    if (!mark(length)) return std::nullopt;
    layout.first.push_back(at);
    if (!bytes.has(at, length)) return std::nullopt;
    at += length;
    if (!mark(length)) return std::nullopt;
  }
  return at == bytes.size() ? std::optional(layout) : std::nullopt;
}

// Whether iblank, where the form has it, is 0, 1 or the number of a block (negative where the node
// takes its values from there).
bool has_likely_iblank(const Layout& layout, std::string_view content) {
  if (!layout.form.iblank) return true;
  const Bytes bytes(content, layout.form.big_endian);
  const auto node = static_cast<std::size_t>(layout.form.dimensions * layout.form.bytes);
  for (std::size_t b = 0; b < layout.sizes.size(); ++b) {
    const std::size_t count = count_of(layout.sizes[b]);
    const std::size_t first = layout.first[b] + node * count;
    for (std::size_t o = 0; o < count; ++o) {
      if (std::abs(static_cast<std::int64_t>(bytes.integer(first + 4 * o))) > most_blocks) {
        return false;
      }
    }
  }
  return true;
}

// All forms of a kind, the commonest first.
std::vector<Plot3dForm> forms_of(Kind kind) {
  std::vector<Plot3dForm> forms;
  for (const bool multiple : {true, false}) {
    for (const int dimensions : {3, 2}) {
      for (const bool iblank : {false, true}) {
        for (const int bytes : {8, 4}) {
          for (const bool big : {false, true}) {
            if (kind == Kind::ascii && (bytes == 4 || big)) continue;
            for (const int mark_bytes : {4, 8}) {
              if (kind != Kind::unformatted && mark_bytes == 8) continue;
              forms.push_back({kind, multiple, dimensions, iblank, bytes, big, mark_bytes});
            }
          }
        }
      }
    }
  }
  return forms;
}

[[noreturn]] void refuse(const std::string& name, const std::string& message) {
  throw Error(ErrorKind::user_input, name + ": " + message);
}

// A file of another kind, by its signature: asked only where no form fits, as the first numbers of
// a Plot3D file may by chance be a signature.
void refuse_other_kinds(const std::string& name, std::string_view content) {
  const std::string kind = kind_of_file(content);
  if (content.empty()) refuse(name, "the file is empty");
  if (kind.empty()) return;
  std::string advice;
  if (may_be_cgns(kind)) advice = ". If it is CGNS, give it a name that ends in .cgns";
  if (kind.find("NMF") != std::string::npos) {
    advice = ". Give the coordinates here and this file as the map (grid.map, or map in [mesh])";
  }
  if (kind.find("archive") != std::string::npos) advice = ". Unpack it first";
  refuse(name, "this is " + kind + " and not a Plot3D file" + advice);
}

// A Fortran file whose header is complete, but whose length is not the one that follows from it.
// Empty where no header fits.
std::string wrong_length(std::string_view content) {
  for (const Plot3dForm& form : forms_of(Kind::unformatted)) {
    const Bytes bytes(content, form.big_endian);
    std::size_t needed = 0;
    fit_bytes(bytes, form, &needed);
    if (needed == 0) continue;
    return "the header and the first record are those of " + to_text(form) + ", which needs " +
           std::to_string(needed) + " bytes; the file has " + std::to_string(content.size()) +
           ". Was it cut off?";
  }
  return "";
}

[[noreturn]] void refuse_all(const std::string& name, std::string_view content, bool text) {
  refuse_other_kinds(name, content);
  if (const std::string length = text ? "" : wrong_length(content); !length.empty()) {
    refuse(name, length);
  }
  std::string begin;
  if (text) {
    for (const char c : content.substr(0, 60)) begin += c < ' ' ? ' ' : c;
    begin = "it begins `" + begin + "`";
  } else if (content.size() >= 8) {
    for (const bool big : {false, true}) {
      const Bytes bytes(content, big);
      begin += (big ? "; big-endian " : "its first numbers are, little-endian, ") +
               std::to_string(bytes.integer(0)) + " " + std::to_string(bytes.integer(4));
    }
  } else {
    begin = "it has only " + std::to_string(content.size()) + " bytes";
  }
  refuse(name,
         "no form of Plot3D fits its length of " + std::to_string(content.size()) + " bytes; " +
             begin +
             ". Allowed: ASCII, C binary or Fortran unformatted with one record per block; one or "
             "several blocks; 2-D or 3-D; 4 or 8 bytes; with or without iblank. Is it cut off, or "
             "written by planes?");
}

// Coordinates, block by block. `value(at)`, `blank(at)`: number of the given place; `step`,
// `blank_step`: from one place to the next.
template <class Value, class Blank>
std::vector<CurvilinearBlock> blocks_of(const Layout& layout, const std::string& name,
                                        std::size_t step, Value value, Blank blank) {
  std::vector<CurvilinearBlock> blocks;
  for (std::size_t b = 0; b < layout.sizes.size(); ++b) {
    CurvilinearBlock block(layout.sizes[b]);
    const auto count = static_cast<std::size_t>(block.count());
    std::size_t at = layout.first[b];
    for (int m = 0; m < layout.form.dimensions; ++m) {
      for (std::size_t o = 0; o < count; ++o, at += step) block.x[m][o] = value(at);
    }
    if (layout.form.iblank) {
      for (std::size_t o = 0; o < count; ++o) {
        if (blank(at, o) != 0) continue;
        const auto n = static_cast<std::size_t>(block.n[0]),
                   m = static_cast<std::size_t>(block.n[1]);
        refuse(name, "block " + std::to_string(b) + ", node " +
                         index_text({static_cast<std::int64_t>(o % n),
                                     static_cast<std::int64_t>(o / n % m),
                                     static_cast<std::int64_t>(o / n / m)}) +
                         " is blanked (iblank 0); meshes with holes are not supported");
      }
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace

std::string to_text(const Plot3dForm& form) {
  const char* const kinds[] = {"ASCII", "binary", "unformatted"};
  std::string text = std::string(kinds[static_cast<int>(form.kind)]) +
                     (form.multiple ? ", several blocks, " : ", one block, ") +
                     std::to_string(form.dimensions) + "-D";
  if (form.kind != Kind::ascii) {
    text += ", " + std::to_string(form.bytes) + "-byte " +
            (form.big_endian ? "big-endian" : "little-endian") + " coordinates";
  }
  if (form.kind == Kind::unformatted && form.mark_bytes == 8) text += ", 8-byte record marks";
  return text + (form.iblank ? ", with iblank" : "");
}

std::vector<CurvilinearBlock> read_plot3d(std::string_view content, const std::string& name,
                                          Plot3dForm* form) {
  const bool text = looks_like_text(content);
  AsciiNumbers numbers;
  std::vector<Layout> fitting;
  if (text) {
    numbers = ascii_numbers(content);
    if (numbers.wrong != std::string_view::npos) {
      refuse_other_kinds(name, content);
      const auto line =
          1 + std::count(content.begin(),
                         content.begin() + static_cast<std::ptrdiff_t>(numbers.wrong), '\n');
      const std::string_view rest = content.substr(numbers.wrong, 24);
      refuse(name,
             "line " + std::to_string(line) + ": `" +
                 std::string(rest.substr(0, rest.find_first_of(" ,\r\n\t"))) +
                 "` is not a number, or repeats one more often than a file of this length can "
                 "need; an ASCII Plot3D file has nothing but numbers");
    }
    for (const Plot3dForm& candidate : forms_of(Kind::ascii)) {
      if (const auto layout = fit_ascii(numbers.values, candidate)) fitting.push_back(*layout);
    }
  } else {
    for (const Kind kind : {Kind::unformatted, Kind::binary}) {
      for (const Plot3dForm& candidate : forms_of(kind)) {
        const Bytes bytes(content, candidate.big_endian);
        if (const auto layout = fit_bytes(bytes, candidate)) fitting.push_back(*layout);
      }
      // Marks that all fit are no accident; without them a length may be.
      if (!fitting.empty()) break;
    }
  }
  if (fitting.empty()) refuse_all(name, content, text);
  if (fitting.size() > 1 && !text) {
    // Bytes of coordinates read as iblank are numbers that no iblank has.
    const auto wrong = [&](const Layout& layout) { return !has_likely_iblank(layout, content); };
    fitting.erase(std::remove_if(fitting.begin(), fitting.end(), wrong), fitting.end());
    if (fitting.empty()) refuse_all(name, content, text);
  }
  if (fitting.size() > 1) {
    std::string forms;
    for (const Layout& layout : fitting) forms += "\n  " + to_text(layout.form);
    refuse(name, "the length fits more than one form of Plot3D:" + forms +
                     "\nWrite it again as several blocks, 3-D, without iblank.");
  }
  const Layout& layout = fitting.front();
  if (form != nullptr) *form = layout.form;
  if (text) {
    return blocks_of(
        layout, name, 1, [&](std::size_t at) { return numbers.values[at]; },
        [&](std::size_t at, std::size_t o) { return numbers.values[at + o]; });
  }
  const Bytes bytes(content, layout.form.big_endian);
  const int width = layout.form.bytes;
  return blocks_of(
      layout, name, static_cast<std::size_t>(width),
      [&](std::size_t at) { return bytes.real(at, width); },
      [&](std::size_t at, std::size_t o) { return bytes.integer(at + 4 * o); });
}

}  // namespace watersmeet::mesh
