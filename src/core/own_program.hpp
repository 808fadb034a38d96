#pragma once
// The file of the running program, and what an installation has beside it.

#include <filesystem>

namespace watersmeet {

// Empty where the system does not say.
std::filesystem::path own_program();

// PREFIX/RELATIVE for the program PREFIX/bin/watersmeet, whether it is there or not; empty where the
// program's own file is not known. In a process of Python the prefix is the folder of the package where
// that has it, else that of the interpreter.
std::filesystem::path installed_path(const std::filesystem::path& relative);

}  // namespace watersmeet
