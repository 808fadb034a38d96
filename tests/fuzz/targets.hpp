#pragma once
// What is fuzzed: one function for each kind of input that somebody else may have written. It reads the bytes as the program would.
// An Error that stands for a documented exit status is an answer; everything else, a crash, a sanitizer's finding, an exception of
// the standard library, an internal error, is a fault of the program. One file each; fuzzer.cpp runs them by libFuzzer,
// replay_test.cpp runs the files of corpus/ in every build.

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "config/input.hpp"

namespace watersmeet::fuzz {

using Target = void (*)(std::string_view bytes);

void expression(std::string_view bytes);
void case_file(std::string_view bytes);
void case_text(std::string_view bytes);
void mesh_file(std::string_view bytes);
void plot3d(std::string_view bytes);
void neutral_map(std::string_view bytes);
void cgns(std::string_view bytes);
void table(std::string_view bytes);
void checkpoint(std::string_view bytes);
void snapshot(std::string_view bytes);
void site(std::string_view bytes);
void command_line(std::string_view bytes);
void series(std::string_view bytes);
void run_record(std::string_view bytes);

// By name, which is that of its folder in corpus/ too.
const std::map<std::string, Target>& targets();

// Runs `read` and accepts the Errors named above. Where the text of the message is not UTF-8 or holds control characters, or an Error
// has no message, this throws std::logic_error.
void answered(const std::function<void()>& read);

// Whether the keys of a generated mesh ask for so many nodes that making it takes long, and not for so many that it is refused.
bool asks_for_large_mesh(const config::Input& input, const std::string& prefix);

// Writes the bytes to a file of this name in the folder where the program runs, and returns the name.
std::string file_of(std::string_view bytes, const std::string& name);

// Folder where a target runs: made below `parent`, with the small files that inputs name.
void enter_folder(const std::string& parent);

}  // namespace watersmeet::fuzz
