// Plot3D files in any of their forms.

#include <cstdio>

#include "core/error.hpp"
#include "mesh/files/plot3d.hpp"

namespace watersmeet::mesh {

namespace {

class Writer {
 public:
  explicit Writer(const Plot3dForm& form) : form_(form) {}

  void integer(std::int64_t value) {
    if (ascii()) {
      text_ += std::to_string(value) + " ";
    } else {
      word(static_cast<std::int32_t>(value));
    }
  }
  void real(double value) {
    if (ascii()) {
      char number[40];  // 17 digits give the same number back
      std::snprintf(number, sizeof number, "%.17g\n", value);
      text_ += number;
    } else if (form_.bytes == 4) {
      word(static_cast<float>(value));
    } else {
      word(value);
    }
  }
  // The length in bytes before and after a record.
  void mark(std::size_t bytes) {
    if (form_.kind == Plot3dForm::Kind::unformatted) {
      require(form_.mark_bytes == 8 || bytes <= 0x7fffffff, "a record of more than 2 GiB");
      if (form_.mark_bytes == 8) {
        word(static_cast<std::int64_t>(bytes));
      } else {
        word(static_cast<std::int32_t>(bytes));
      }
    }
  }
  void line() {
    if (ascii()) text_ += "\n";
  }
  std::string take() { return std::move(text_); }

 private:
  bool ascii() const { return form_.kind == Plot3dForm::Kind::ascii; }
  template <class T>
  void word(T value) {
    char raw[sizeof(T)];
    __builtin_memcpy(raw, &value, sizeof(T));
    for (std::size_t b = 0; b < sizeof(T); ++b) {
      text_ += raw[form_.big_endian ? sizeof(T) - 1 - b : b];
    }
  }

  Plot3dForm form_;
  std::string text_;
};

}  // namespace

std::string plot3d_text(const std::vector<CurvilinearBlock>& blocks, const Plot3dForm& form) {
  require(form.multiple || blocks.size() == 1, "one block in a file of one block");
  Writer writer(form);
  if (form.multiple) {
    writer.mark(4);
    writer.integer(static_cast<std::int64_t>(blocks.size()));
    writer.mark(4);
    writer.line();
  }
  const auto dimensions = static_cast<std::size_t>(form.dimensions);
  const std::size_t header = 4 * dimensions * blocks.size();
  writer.mark(header);
  for (const CurvilinearBlock& block : blocks) {
    for (std::size_t a = 0; a < dimensions; ++a) writer.integer(block.n[a]);
    writer.line();
  }
  writer.mark(header);
  for (const CurvilinearBlock& block : blocks) {
    const auto node = dimensions * static_cast<std::size_t>(form.bytes) + (form.iblank ? 4 : 0);
    const std::size_t length = node * static_cast<std::size_t>(block.count());
    writer.mark(length);
    for (std::size_t m = 0; m < dimensions; ++m) {
      for (const double x : block.x[m]) writer.real(x);
    }
    for (std::int64_t o = 0; form.iblank && o < block.count(); ++o) writer.integer(1);
    writer.line();
    writer.mark(length);
  }
  return writer.take();
}

}  // namespace watersmeet::mesh
