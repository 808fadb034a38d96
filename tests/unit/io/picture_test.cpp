// Pictures: the colours of values, what is drawn where, and files that libpng reads back.
#include <png.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "io/draw.hpp"
#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

class Pictures : public Folder {};

TEST_F(Pictures, ValuesHaveTheColoursOfTheirShareOfTheLimits) {
  const Limits limits{-1, 3};
  EXPECT_EQ(colour_of(-1, limits), 0);
  EXPECT_EQ(colour_of(1, limits), value_colours / 2);
  EXPECT_EQ(colour_of(3, limits), value_colours - 1);
  for (const int n : {0, 1, 17, 252}) {  // the middle of each colour
    EXPECT_EQ(colour_of(-1 + 4 * (n + 0.5) / value_colours, limits), n);
  }
  EXPECT_EQ(colour_of(-infinity, limits), 0);
  EXPECT_EQ(colour_of(1e300, limits), value_colours - 1);
  EXPECT_EQ(colour_of(nan, limits), no_number);
  EXPECT_EQ(colour_of(0, {-1.5e308, 1.5e308}), value_colours / 2);  // whose difference is infinite
}

TEST_F(Pictures, MapsGoFromEndToEnd) {
  const auto same = [](const Colour& c, int r, int g, int b) {
    return c.red == r && c.green == g && c.blue == b;
  };
  EXPECT_TRUE(same(colours_of("viridis", 253).front(), 68, 1, 84));
  EXPECT_TRUE(same(colours_of("viridis", 253).back(), 253, 231, 37));
  EXPECT_TRUE(same(colours_of("inferno", 2).front(), 0, 0, 4));
  EXPECT_TRUE(same(colours_of("inferno", 2).back(), 252, 255, 164));
  EXPECT_TRUE(same(colours_of("gray", 3)[1], 128, 128, 128));
  EXPECT_TRUE(same(colours_of("blue_red", 253)[126], 247, 247, 247));
  for (const std::string name : {"viridis", "inferno", "gray", "blue_red"}) {
    EXPECT_EQ(diverges(name), name == "blue_red");
    // Lightness: of one direction, or of one on each side of the middle.
    const std::vector<Colour> colours = colours_of(name, 253);
    for (std::size_t c = 1; c < colours.size(); ++c) {
      const auto light = [](const Colour& k) {
        return 0.2126 * k.red + 0.7152 * k.green + 0.0722 * k.blue;
      };
      const bool falls = diverges(name) && c > 126;
      EXPECT_GT((falls ? -1 : 1) * (light(colours[c]) - light(colours[c - 1])), -1.0) << name << c;
    }
  }
  EXPECT_THROW(colours_of("jet", 3), Error);
}

TEST_F(Pictures, LimitsAreThoseOfWhatIsShown) {
  const PixelMap map{3, 2, {0, 1, 2, -1, 1, 4}};
  const std::vector<double> values = {0.5, -2, nan, 100, infinity};
  EXPECT_EQ(limits_shown(map, values, false).low, -2);
  EXPECT_EQ(limits_shown(map, values, false).high, 0.5);
  EXPECT_EQ(limits_shown(map, values, true).low, -2);
  EXPECT_EQ(limits_shown(map, values, true).high, 2);
  const PixelMap one{1, 1, {1}}, none{1, 1, {2}}, outside{1, 1, {-1}};
  EXPECT_EQ(limits_shown(one, values, false).low, -3);
  EXPECT_EQ(limits_shown(one, values, false).high, -1);
  EXPECT_EQ(limits_shown(one, {0, 0}, true).high, 0.5e-12);
  EXPECT_EQ(limits_shown(none, values, false).high, 1);
  EXPECT_EQ(limits_shown(outside, values, true).low, 0);
}

TEST_F(Pictures, FilesAreReadBackByLibpng) {
  PixelMap map{60, 40, {}};
  std::vector<double> values;
  for (int p = 0; p < 60 * 40; ++p) {
    map.cells.push_back(p % 7 == 0 ? -1 : p);
    values.push_back(p % 11 == 0 ? nan : p);
  }
  Picture picture = draw(map, values, {0, 2400}, "inferno", 0.125);
  picture.texts = {{"field", "rho*velocity.x"}, {"t", "0.125"}};
  write_png(in("a.png"), picture);
  EXPECT_EQ(read_png_texts(in("a.png")), picture.texts);

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&image, in("a.png").c_str()), 0) << image.message;
  EXPECT_EQ(static_cast<int>(image.width), picture.width);
  EXPECT_EQ(static_cast<int>(image.height), picture.height);
  image.format = PNG_FORMAT_RGB;
  std::vector<png_byte> read(PNG_IMAGE_SIZE(image));
  ASSERT_NE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr), 0) << image.message;
  for (std::size_t p = 0; p < picture.pixels.size(); ++p) {
    const Colour c = picture.palette[picture.pixels[p]];
    ASSERT_EQ((std::array<int, 3>{read[3 * p], read[3 * p + 1], read[3 * p + 2]}),
              (std::array<int, 3>{c.red, c.green, c.blue}))
        << p;
  }
  // The cells at the left, nothing between them and the bar of colours, numbers and a time.
  for (int p = 0; p < 60 * 40; ++p) {
    const int wanted = p % 7 == 0 ? no_cell : p % 11 == 0 ? no_number : p * value_colours / 2400;
    EXPECT_EQ(picture.pixels[static_cast<std::size_t>(p / 60 * picture.width + p % 60)], wanted);
  }
  EXPECT_GT(std::count(picture.pixels.begin(), picture.pixels.end(), ink), 200);
  EXPECT_EQ(png_bytes(picture), bytes_of(in("a.png")));
}

TEST_F(Pictures, NumbersStayWithinThePicture) {
  for (const int height : {1, 7, 20, 40, 300, 3000}) {
    PixelMap map{2, height, std::vector<std::int32_t>(static_cast<std::size_t>(2 * height), 0)};
    const Picture picture = draw(map, {0}, {-1.234e-100, 1.234e-100}, "gray", -1.234e-100);
    const PictureSize size = picture_size(2, height);
    EXPECT_EQ(picture.width, size.width);
    EXPECT_EQ(picture.height, size.height);
    EXPECT_EQ(std::ssize(picture.pixels), std::ptrdiff_t{size.width} * size.height);
    for (int row = 0; row < height; ++row) {  // nothing has run over from the row before
      const std::uint8_t* first = picture.pixels.data() + std::ptrdiff_t{row} * size.width;
      EXPECT_EQ(first[0], value_colours / 2);
      EXPECT_EQ(first[1], value_colours / 2);
      EXPECT_EQ(first[2], no_cell);
    }
  }
}

TEST_F(Pictures, WhatIsNoPictureIsRefused) {
  EXPECT_NO_THROW(png_bytes({2, 1, colours_of("gray", 2), {0, 1}}));
  EXPECT_THROW(png_bytes({2, 2, colours_of("gray", 2), {0, 1}}), Error);
  EXPECT_THROW(write_png(in("none/a.png"), {2, 1, colours_of("gray", 2), {0, 1}}), Error);
  put_bytes(in("b.png"), png_bytes({2, 1, colours_of("gray", 2), {0, 1}}).substr(0, 40));
  EXPECT_THROW(read_png_texts(in("b.png")), Error);
  put_bytes(in("c.png"), "not a picture");
  EXPECT_THROW(read_png_texts(in("c.png")), Error);
  EXPECT_THROW(read_png_texts(in("d.png")), Error);
}

}  // namespace
}  // namespace watersmeet::io
