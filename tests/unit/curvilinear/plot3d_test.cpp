// Plot3D: files of all forms are recognised and read; bytes of a small file made by hand.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "mesh/files/plot3d.hpp"
#include "meshes.hpp"

namespace watersmeet::mesh {
namespace {

using Kind = Plot3dForm::Kind;

std::string message_of(const std::string& content) {
  try {
    read_plot3d(content, "wing.xyz");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::user_input);
    return error.what();
  }
  return "";
}

std::vector<CurvilinearBlock> sample(int dimensions, bool multiple) {
  const auto sized = [&](Index3 n, const Real3& lower) {
    if (dimensions == 2) n[2] = 1;
    return box_block(n, lower, {0.5, 0.25, dimensions == 2 ? 0.0 : 2.0});
  };
  std::vector<CurvilinearBlock> blocks = {sized({4, 3, 5}, {1, 2, 0})};
  if (multiple) blocks.push_back(sized({2, 7, 3}, {-8, 0.125, 0}));
  return blocks;
}

TEST(Plot3d, EveryFormIsFoundAndReadBack) {
  for (const Kind kind : {Kind::ascii, Kind::binary, Kind::unformatted}) {
    for (int bits = 0; bits < 64; ++bits) {
      Plot3dForm form{kind,
                      bits % 2 == 0,
                      bits / 2 % 2 == 0 ? 3 : 2,
                      bits / 4 % 2 == 1,
                      bits / 8 % 2 == 0 ? 8 : 4,
                      bits / 16 % 2 == 1,
                      bits / 32 == 0 ? 4 : 8};
      if (kind != Kind::unformatted && form.mark_bytes == 8) continue;
      if (kind == Kind::ascii && (form.bytes == 4 || form.big_endian)) continue;
      // All coordinates are sums of powers of two: exact in single precision.
      const auto blocks = sample(form.dimensions, form.multiple);
      Plot3dForm found;
      const auto read = read_plot3d(plot3d_text(blocks, form), "f", &found);
      ASSERT_EQ(read.size(), blocks.size()) << to_text(form);
      EXPECT_EQ(to_text(found), to_text(form));
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        EXPECT_EQ(read[b].n, blocks[b].n);
        EXPECT_EQ(read[b].x, blocks[b].x);
      }
    }
  }
}

TEST(Plot3d, BytesOfAFortranFileMadeByHand) {
  // Big-endian, one block of 2 x 2 nodes in 2-D, 4-byte numbers: x = 1, 2, 1, 2; y = 0, 0, 0.5,
  // 0.5.
  const unsigned char bytes[] = {
      0, 0, 0, 8,  0,    0,    0, 2, 0,    0, 0, 2, 0,    0,    0, 8,                   // sizes
      0, 0, 0, 32, 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0,    // x
      0, 0, 0, 0,  0,    0,    0, 0, 0x3f, 0, 0, 0, 0x3f, 0,    0, 0, 0,    0, 0, 32};  // y
  Plot3dForm form;
  const auto blocks = read_plot3d({reinterpret_cast<const char*>(bytes), sizeof bytes}, "f", &form);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].at({1, 1, 0}), (Real3{2, 0.5, 0}));
  EXPECT_EQ(blocks[0].at({0, 1, 0}), (Real3{1, 0.5, 0}));
  EXPECT_EQ(to_text(form), "unformatted, one block, 2-D, 4-byte big-endian coordinates");
  EXPECT_EQ(plot3d_text(blocks, form),
            std::string(reinterpret_cast<const char*>(bytes), sizeof bytes));
}

TEST(Plot3d, RecordsMayHaveMarksOf8Bytes) {
  // Little-endian, one block of 2 x 2 nodes in 2-D, 4-byte numbers: x = 1, 2, 1, 2; y = 0, 0, 0.5,
  // 0.5. Records of 8 and 32 bytes.
  const unsigned char bytes[] = {
      8,  0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0,    0,    2, 0, 0, 0,    8,  0, 0,    0,    0, 0, 0, 0,
      32, 0, 0, 0, 0, 0, 0, 0, 0,    0, 0x80, 0x3f, 0, 0, 0, 0x40, 0,  0, 0x80, 0x3f, 0, 0, 0, 0x40,
      0,  0, 0, 0, 0, 0, 0, 0, 0,    0, 0,    0x3f, 0, 0, 0, 0x3f, 32, 0, 0,    0,    0, 0, 0, 0};
  const std::string content(reinterpret_cast<const char*>(bytes), sizeof bytes);
  Plot3dForm form;
  const auto blocks = read_plot3d(content, "hand", &form);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].at({1, 1, 0}), (Real3{2, 0.5, 0}));
  EXPECT_EQ(to_text(form),
            "unformatted, one block, 2-D, 4-byte little-endian coordinates, 8-byte record marks");
  EXPECT_NE(
      message_of(content.substr(0, content.size() - 3)).find("needs 72 bytes; the file has 69"),
      std::string::npos)
      << message_of(content.substr(0, content.size() - 3));
}

TEST(Plot3d, OneBlockIn2dIsNotTakenForAThinOneIn3d) {
  // 1 97 33 and 16 bytes for each node: as long as one block of 1 x 97 x 33 nodes with 4-byte
  // coordinates and iblank.
  const std::vector<CurvilinearBlock> block = {box_block({97, 33, 1}, {0, 0, 0}, {0.1, 0.3, 0})};
  Plot3dForm form, found;
  form.dimensions = 2;
  EXPECT_EQ(read_plot3d(plot3d_text(block, form), "f", &found)[0].x, block[0].x);
  EXPECT_EQ(to_text(found), to_text(form));
}

TEST(Plot3d, AsciiHasFortransWaysOfWriting) {
  const auto blocks = read_plot3d("1\n2 2 1\n 0.0, 1.0D0 2*5e-1\n4*1. +2 3 4 5\n", "f");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].x[0], (std::vector<double>{0, 1, 0.5, 0.5}));
  EXPECT_EQ(blocks[0].x[1], (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(blocks[0].x[2], (std::vector<double>{2, 3, 4, 5}));
}

TEST(Plot3d, WhatIsWrongIsSaid) {
  const std::string ascii = plot3d_text(sample(3, true), {Kind::ascii});
  EXPECT_NE(message_of(ascii + " 1.0").find("wing.xyz: no form of Plot3D fits"), std::string::npos);
  EXPECT_NE(message_of("1\n2 2 1\n0 0 x1 2").find("line 3: `x1` is not a number"),
            std::string::npos);
  EXPECT_NE(message_of("1\n2 2 1\n777777752*2 0")
                .find("line 3: `777777752*2` is not a number, or repeats one more often"),
            std::string::npos);
  std::string binary = plot3d_text(sample(3, true), {Kind::unformatted});
  binary.resize(binary.size() - 5);
  EXPECT_NE(message_of(binary).find("needs " + std::to_string(binary.size() + 5) +
                                    " bytes; the file has " + std::to_string(binary.size()) +
                                    ". Was it cut off?"),
            std::string::npos)
      << message_of(binary);
  // Records of planes have other marks than records of blocks.
  EXPECT_NE(message_of(binary.substr(0, 12) + binary.substr(40)).find("little-endian, 4 2"),
            std::string::npos);
  EXPECT_NE(message_of("").find("the file is empty"), std::string::npos);
  // A hole.
  std::string holes = plot3d_text(sample(2, false), {Kind::ascii, false, 2, true});
  const std::size_t last = holes.find_last_of('1');
  holes[last] = '0';
  EXPECT_NE(message_of(holes).find("block 0, node (3, 2, 0) is blanked"), std::string::npos)
      << message_of(holes);
  // No hole, though no whole number of the machine: undefined until it was compared as it is.
  holes.replace(last, 1, "1e30");
  EXPECT_NO_THROW(read_plot3d(holes, "mesh.x"));
}

TEST(Plot3d, AFileOfAnotherKindIsNamed) {
  const auto says = [](const std::string& content, const std::string& part) {
    const std::string message = message_of(content);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  std::string hdf5 = "\x89HDF\r\n\x1a\n";
  hdf5.resize(2208);
  says(hdf5, "wing.xyz: this is an HDF5 file and not a Plot3D file. If it is CGNS, give it a name");
  says("solid ascii\n facet normal 0 0 1\n", "this is an STL surface");
  says("# neutral map file\n1\n1 2 2 1\n'ONE_TO_ONE' 1 3\n", "neutral map file (NMF)");
  says(std::string("\x1f\x8b\x08\0\0\0\0\0\0", 9), "a gzip archive and not a Plot3D file. Unpack");
}

}  // namespace
}  // namespace watersmeet::mesh
