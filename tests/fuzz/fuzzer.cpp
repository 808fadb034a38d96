// One target by libFuzzer, with coverage of the code that reads it: $WATERSMEET_FUZZ_TARGET names it, $WATERSMEET_FUZZ_FOLDER is the
// folder where it writes its files (tools/fuzz.sh).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>

#include "apart.hpp"
#include "io/version.hpp"
#include "mutate_toml.hpp"
#include "targets.hpp"

namespace fuzz = watersmeet::fuzz;

const int fuzz::files_of_a_process = 200;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

namespace {

std::string name_of_target() {
  const char* const name = std::getenv("WATERSMEET_FUZZ_TARGET");
  if (name == nullptr || fuzz::targets().count(name) == 0) {
    std::fputs("WATERSMEET_FUZZ_TARGET must be one of:", stderr);
    for (const auto& [known, run] : fuzz::targets()) std::fprintf(stderr, " %s", known.c_str());
    std::fputs("\n", stderr);
    std::exit(2);
  }
  return name;
}

const std::string& target() {
  static const std::string name = name_of_target();
  return name;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const folder = std::getenv("WATERSMEET_FUZZ_FOLDER");
  target();
  const std::string commit = watersmeet::io::commit_text(watersmeet::io::build_info());
  std::fprintf(stderr, "commit %s\n", commit.c_str());
  fuzz::enter_folder(folder == nullptr ? "fuzz" : folder);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fuzz::Target run = fuzz::targets().at(target());
  const std::clock_t begin = std::clock();
  run({reinterpret_cast<const char*>(bytes), size});
  if (std::clock() - begin > 5 * CLOCKS_PER_SEC)
    throw std::logic_error("more than 5 s of processor time");
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned seed) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const watersmeet::config::Schema* const schema = fuzz::schema_of_texts(target(), text, seed);
  if (schema == nullptr || seed % 4 == 0) return LLVMFuzzerMutate(bytes, size, most);
  const std::string changed = fuzz::mutate_toml(text, *schema, seed);
  if (changed.size() > most) return LLVMFuzzerMutate(bytes, size, most);
  std::memcpy(bytes, changed.data(), changed.size());
  return changed.size();
}
