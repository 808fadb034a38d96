// What the targets share.
#include "targets.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "core/error.hpp"

namespace watersmeet::fuzz {
namespace {

void write(const std::string& name, std::string_view bytes) {
  std::ofstream(name, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

const std::map<std::string, Target>& targets() {
  static const std::map<std::string, Target> all = {{"case_file", case_file},
                                                    {"case_text", case_text},
                                                    {"cgns", cgns},
                                                    {"checkpoint", checkpoint},
                                                    {"command_line", command_line},
                                                    {"expression", expression},
                                                    {"mesh_file", mesh_file},
                                                    {"neutral_map", neutral_map},
                                                    {"plot3d", plot3d},
                                                    {"run_record", run_record},
                                                    {"series", series},
                                                    {"site", site},
                                                    {"snapshot", snapshot},
                                                    {"table", table}};
  return all;
}

void answered(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal)
      throw;  // exit 1: a fault of the program by its own account
    if (*error.what() == '\0') throw std::logic_error("an error without a message");
  }
}

std::string file_of(std::string_view bytes, const std::string& name) {
  write(name, bytes);
  return name;
}

void enter_folder(const std::string& parent) {
  std::filesystem::create_directories(parent);
  std::filesystem::current_path(parent);
  // Two blocks of 3 x 3 x 2 nodes, side by side along i.
  std::string blocks = "2\n3 3 2\n3 3 2\n";
  for (int b = 0; b < 2; ++b) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = 0; k < 2; ++k) {
        for (int j = 0; j < 3; ++j) {
          for (int i = 0; i < 3; ++i) {
            const int place[] = {i + 2 * b, j, k};
            blocks += std::to_string(place[axis]) + " ";
          }
        }
      }
    }
    blocks += "\n";
  }
  write("blocks.xyz", blocks);
}

}  // namespace watersmeet::fuzz
