#pragma once
// Pictures as PNG (W3C Portable Network Graphics, 2nd ed.), by libpng, with texts that say what they show.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/colour_map.hpp"

namespace watersmeet::io {

struct Picture {
  int width = 0, height = 0;
  std::vector<Colour> palette;  // of up to 256 colours; empty: pixels are red, green and blue
  std::vector<std::uint8_t>
      pixels;  // places in the palette, or three bytes each; rows from the top
  std::map<std::string, std::string> texts = {};  // Latin-1 keywords of 1 to 79 characters
};

// The bytes of the file depend on the picture alone. Error{io} where libpng refuses.
std::string png_bytes(const Picture& picture);
// Writes PATH atomically. Error{io}.
void write_png(const std::string& path, const Picture& picture);

// The texts of a file, which stand before its pixels. Error{io} where it is no PNG.
std::map<std::string, std::string> read_png_texts(const std::string& path);

}  // namespace watersmeet::io
