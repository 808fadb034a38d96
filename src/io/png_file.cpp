// libpng leaves its functions by longjmp() where it fails: what stands between setjmp() and there has no destructors.
#include "io/png_file.hpp"

#include <png.h>

#include <csetjmp>
#include <fstream>

#include "core/error.hpp"
#include "io/atomic_file.hpp"

namespace watersmeet::io {
namespace {

// What libpng's functions are given to work with.
struct Written {
  std::string bytes, fault;
};

void keep(png_structp png, png_bytep from, png_size_t count) {
  auto* const written = static_cast<Written*>(png_get_io_ptr(png));
  bool kept = true;
  try {
    written->bytes.append(reinterpret_cast<const char*>(from), count);
  } catch (const std::exception&) {
    kept = false;
  }
  if (!kept) png_error(png, "out of memory");
}

void keep_fault(png_structp png, png_const_charp message) {
  static_cast<Written*>(png_get_error_ptr(png))->fault = message;
  png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

// The parts of a picture in libpng's types.
struct Parts {
  png_uint_32 width, height;
  png_color* palette;
  int colours;  // 0: three bytes per pixel
  png_text* texts;
  int n_texts;
  png_bytep* rows;
};

bool encode(png_structp png, png_infop info, const Parts& parts) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_IHDR(png, info, parts.width, parts.height, 8,
               parts.colours > 0 ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (parts.colours > 0) png_set_PLTE(png, info, parts.palette, parts.colours);
  png_set_text(png, info, parts.texts, parts.n_texts);
  png_write_info(png, info);
  png_write_image(png, parts.rows);
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

std::string png_bytes(const Picture& picture) {
  const auto width = static_cast<std::size_t>(picture.width),
             height = static_cast<std::size_t>(picture.height);
  const std::size_t row_bytes = width * (picture.palette.empty() ? 3 : 1);
  require(width > 0 && height > 0 && picture.pixels.size() == row_bytes * height &&
              picture.palette.size() <= 256,
          "a picture has pixels, and a palette of at most 256 colours");
  std::vector<png_color> palette;
  for (const Colour& c : picture.palette) palette.push_back({c.red, c.green, c.blue});
  std::map<std::string, std::string> copies = picture.texts;
  std::vector<png_text> texts;
  for (const auto& [keyword, text] : copies) {
    png_text one{};
    one.compression = PNG_TEXT_COMPRESSION_NONE;
    one.key = const_cast<char*>(keyword.c_str());
    one.text = const_cast<char*>(text.c_str());
    one.text_length = text.size();
    texts.push_back(one);
  }
  std::vector<png_bytep> rows;
  for (std::size_t row = 0; row < height; ++row)
    rows.push_back(const_cast<png_bytep>(picture.pixels.data() + row * row_bytes));
  Written written;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &written, keep_fault, ignore_warning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  bool good = false;
  if (info != nullptr) {
    png_set_write_fn(png, &written, keep, nullptr);
    good = encode(png, info,
                  {static_cast<png_uint_32>(width), static_cast<png_uint_32>(height),
                   palette.data(), static_cast<int>(palette.size()), texts.data(),
                   static_cast<int>(texts.size()), rows.data()});
  }
  png_destroy_write_struct(&png, &info);
  if (!good)
    throw Error(ErrorKind::io, "cannot make a picture: libpng: " +
                                   (written.fault.empty() ? "out of memory" : written.fault));
  return std::move(written.bytes);
}

void write_png(const std::string& path, const Picture& picture) {
  write_text_file(path, png_bytes(picture));
}

std::map<std::string, std::string> read_png_texts(const std::string& path) {
  // Chunks: length (4 bytes, the highest first), type (4), content, checksum (4).
  std::ifstream file(path, std::ios::binary);
  const auto refuse = [&path](const char* why) -> void {
    throw Error(ErrorKind::io, path + " is no complete PNG: " + why);
  };
  const auto bytes = [&](std::size_t count) {
    std::string read(count, '\0');
    if (!file.read(read.data(), static_cast<std::streamsize>(count))) refuse("it ends early");
    return read;
  };
  if (bytes(8) != std::string("\x89PNG\r\n\x1a\n", 8)) refuse("its first bytes are others");
  std::map<std::string, std::string> texts;
  while (true) {
    const std::string head = bytes(8);
    std::size_t length = 0;
    for (std::size_t b = 0; b < 4; ++b) length = length << 8 | static_cast<unsigned char>(head[b]);
    const std::string type = head.substr(4);
    if (type == "IDAT") return texts;
    if (length > 1 << 16 || type == "IEND") refuse("it has no pixels where they should be");
    const std::string content = bytes(length + 4).substr(0, length);
    const std::size_t end = content.find('\0');
    if (type == "tEXt" && end != std::string::npos)
      texts[content.substr(0, end)] = content.substr(end + 1);
  }
}

}  // namespace watersmeet::io
