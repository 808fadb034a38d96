// Stands for libFuzzer where the compiler has none: the fuzzer of fuzzer.cpp with random changes of the given inputs, without a look at what
// they reach. Takes the options of libFuzzer that tools/fuzz.sh gives:
//
//   fuzzer -max_total_time=SECONDS -timeout=SECONDS -max_len=BYTES -artifact_prefix=PREFIX -seed=N FOLDER...    changes the files of the folders
//   fuzzer FILE                                                                                                 reads one file
//
// An input lies in PREFIX followed by "input-" and the number of the process while it is read, so that it stays there where the process ends.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

extern "C" int LLVMFuzzerInitialize(int* count, char*** words);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned seed);

namespace {

using Bytes = std::vector<std::uint8_t>;

std::minstd_rand random_numbers;
std::vector<Bytes> inputs;

std::size_t below(std::size_t n) { return n == 0 ? 0 : random_numbers() % n; }

Bytes bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Whole numbers at which sizes and offsets of a file go wrong, of 1, 2, 4 or 8 bytes.
void overwrite_number(Bytes& bytes) {
  static constexpr std::array<std::uint64_t, 10> numbers = {
      0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, ~0ull};
  const std::size_t width = std::min(std::size_t{1} << below(4), bytes.size());
  std::memcpy(bytes.data() + below(bytes.size() - width + 1), &numbers[below(numbers.size())],
              width);
}

void change_once(Bytes& bytes) {
  const auto at = [&] { return bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size())); };
  const Bytes& other = inputs[below(inputs.size())];  // a piece of it is taken
  const std::size_t begin = below(other.size());
  const std::size_t length = std::min(other.size() - begin, std::size_t{1} << below(10));
  const auto first = other.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = first + static_cast<std::ptrdiff_t>(length);
  if (bytes.empty()) return bytes.assign(first, last);
  switch (below(7)) {
    case 0:
      *at() ^= static_cast<std::uint8_t>(1 << below(8));
      return;
    case 1:
      *at() = static_cast<std::uint8_t>(below(256));
      return;
    case 2:
      return overwrite_number(bytes);
    case 3: {
      const auto from = at();
      bytes.erase(from, from + std::min<std::ptrdiff_t>(bytes.end() - from, 1 << below(8)));
      return;
    }
    case 4:
      bytes.resize(below(bytes.size()));
      return;
    case 5:
      bytes.insert(at(), first, last);
      return;
    default: {
      const auto to = at();
      std::copy(first, std::min(last, first + (bytes.end() - to)), to);
    }
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most) {
  Bytes changed(bytes, bytes + size);
  for (std::size_t times = 1 + below(3); times > 0; --times) change_once(changed);
  if (changed.size() > most) changed.resize(most);
  std::copy(changed.begin(), changed.end(), bytes);
  return changed.size();
}

int main(int count, char** words) {
  std::map<std::string, std::string> options = {{"max_total_time", "10"},
                                                {"timeout", "5"},
                                                {"max_len", "200000"},
                                                {"artifact_prefix", ""},
                                                {"seed", "1"}};
  std::vector<fs::path> places;
  for (const std::string_view word : std::vector<std::string_view>(words + 1, words + count)) {
    const std::size_t equals = word.find('=');
    if (word.front() != '-') {
      places.emplace_back(fs::absolute(word));
    } else if (equals != std::string_view::npos) {
      options[std::string(word.substr(1, equals - 1))] = word.substr(equals + 1);
    }
  }
  LLVMFuzzerInitialize(&count, &words);
  for (const fs::path& place : places) {
    if (!fs::is_directory(place)) {
      const Bytes bytes = bytes_of(place);
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      continue;
    }
    std::vector<fs::path> files(fs::directory_iterator(place), {});
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) inputs.push_back(bytes_of(file));
  }
  if (inputs.empty()) return 0;
  random_numbers.seed(static_cast<unsigned>(std::stoul(options["seed"])));
  const std::string kept = options["artifact_prefix"] + "input-" + std::to_string(::getpid());
  const std::size_t most = std::stoul(options["max_len"]);
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(std::stol(options["max_total_time"]));
  std::size_t number = 0;
  for (; std::chrono::steady_clock::now() < end; ++number) {
    Bytes bytes = inputs[below(inputs.size())];
    std::size_t size = std::min(bytes.size(), most);
    bytes.resize(most);
    for (std::size_t times = 1 + below(4); times > 0; --times) {
      const auto seed = static_cast<unsigned>(random_numbers());
      size = LLVMFuzzerCustomMutator(bytes.data(), size, most, seed);
    }
    const Bytes input(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    std::ofstream(kept, std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(size));
    ::alarm(static_cast<unsigned>(std::stoul(options["timeout"])));
    LLVMFuzzerTestOneInput(input.data(), size);
    ::alarm(0);
  }
  fs::remove(kept);
  std::fprintf(stderr, "stat::number_of_executed_units: %zu\n", number);
  return 0;
}
