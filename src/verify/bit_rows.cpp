#include "verify/bit_rows.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

#include "core/error.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {

namespace {
namespace fs = std::filesystem;

// A folder for the file of the run that is stopped, which goes away with its owner.
struct FolderOfBits {
  std::string path = (fs::temp_directory_path() / "watersmeet-verify-XXXXXX").string();

  FolderOfBits() {
    if (mkdtemp(path.data()) == nullptr)
      throw Error(ErrorKind::io, "cannot make a temporary folder " + path);
  }
  ~FolderOfBits() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  FolderOfBits(const FolderOfBits&) = delete;
  FolderOfBits& operator=(const FolderOfBits&) = delete;
};
}  // namespace

void bit_rows(Verification& v, const std::string& name, const BitSteps& steps,
              const std::function<Simulation(int threads)>& start) {
  if (!v.on_gpu()) {
    Simulation one = start(1);
    one.step(steps.on_threads);
    for (const int threads : steps.threads) {
      Simulation several = start(threads);
      several.step(steps.on_threads);
      v.zero(fmt::format("{}1 or {} threads: values that differ", name, threads),
             count_different(one, several));
    }
  }
  Simulation straight = start(0);
  straight.step(steps.before + steps.after);
  const FolderOfBits folder;
  const std::string path = folder.path + "/half.h5";
  Simulation first = start(0);
  first.step(steps.before);
  first.save(path);
  Simulation second = start(0);
  second.restore(path);
  second.step(steps.after);
  v.zero(name + "saved and restored: values that differ", count_different(straight, second));
}

void bit_rows(Verification& v, const std::string& name, const BitSteps& steps,
              const std::string& case_text) {
  bit_rows(v, name, steps, [&](int threads) { return v.start(case_text, "", threads); });
}

}  // namespace watersmeet::verify
