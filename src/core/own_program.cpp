#include "core/own_program.hpp"

#include <dlfcn.h>

namespace watersmeet {

namespace fs = std::filesystem;

fs::path own_program() {
  std::error_code error;
  fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : path;
}

fs::path installed_path(const fs::path& relative) {
  std::error_code error;
  const fs::path program = own_program();
  // In a process of Python this code is a library in the package's folder, which in a wheel has all.
  if (Dl_info self{}; dladdr(reinterpret_cast<const void*>(&own_program), &self) != 0) {
    const fs::path file = self.dli_fname;
    if (file.is_absolute() && file != program && fs::exists(file.parent_path() / relative, error)) {
      return file.parent_path() / relative;
    }
  }
  return program.empty() ? fs::path() : program.parent_path().parent_path() / relative;
}

}  // namespace watersmeet
