#include "library_fault.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/foreign_call.hpp"

extern "C" void __asan_set_error_report_callback(void (*callback)(const char*))
    __attribute__((weak));

namespace watersmeet::fuzz {
namespace {

std::string kept;  // the last report

enum class Owner {
  nobody,
  program,
  library
};  // nobody: the sanitizer, libc, libraries without state of their own

struct Frame {
  Owner owner = Owner::nobody;
  std::string name;
  bool allocates = false;  // or frees: calls nothing but the sanitizer's own functions
};

using Stack = std::vector<Frame>;

bool is_of_sanitizer(const char* name) {
  if (name == nullptr) return false;
  for (const std::string_view start :
       {"__interceptor_", "__asan_", "__sanitizer_", "_Znw", "_Zna", "_Zdl", "_Zda"})
    if (std::string_view(name).starts_with(start)) return true;
  return ::dlsym(RTLD_NEXT, name) != nullptr;  // it stands before a function of libc
}

// Names are those of the dynamic symbols: functions of this program have none, those of HDF5 and of the sanitizer do.
Frame frame_at(std::uintptr_t address) {
  Dl_info here{}, own{};
  if (::dladdr(reinterpret_cast<const void*>(address), &here) == 0) return {};
  ::dladdr(reinterpret_cast<const void*>(&keep_reports), &own);
  const std::string name = here.dli_sname == nullptr ? "" : here.dli_sname;
  if (here.dli_fbase == own.dli_fbase) {
    const bool theirs = is_of_sanitizer(here.dli_sname);
    const bool allocates = theirs && (name.ends_with("alloc") || name.ends_with("free"));
    return {theirs ? Owner::nobody : Owner::program, name, allocates};
  }
  const std::string file = here.dli_fname;
  const bool known =
      file.find("/libhdf5") != std::string::npos || file.find("/libcgns") != std::string::npos;
  return {known ? Owner::library : Owner::nobody, name};
}

// The stacks of a report, each from its innermost frame on: that of the fault, then those of where its memory comes from.
std::vector<Stack> stacks_of(const std::string& report) {
  std::vector<Stack> stacks;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    const auto mark = line.find_first_not_of(' ');
    const auto address = line.find(" 0x");
    if (mark == std::string::npos || line[mark] != '#' || address == std::string::npos) continue;
    if (line.compare(mark, 3, "#0 ") == 0) stacks.emplace_back();
    if (stacks.empty()) continue;
    stacks.back().push_back(frame_at(std::strtoull(line.c_str() + address, nullptr, 16)));
  }
  return stacks;
}

Stack::const_iterator first_with_owner(const Stack& stack) {
  auto frame = stack.begin();
  while (frame != stack.end() && frame->owner == Owner::program) ++frame;
  if (frame == stack.end() || !frame->allocates) frame = stack.begin();
  while (frame != stack.end() && frame->owner == Owner::nobody) ++frame;
  return frame;
}

}  // namespace

void keep_reports() {
  if (__asan_set_error_report_callback == nullptr) return;
  __asan_set_error_report_callback([](const char* report) { kept = report; });
}

std::string fault_of_library() { return fault_of_library(kept, ForeignCall::current() != nullptr); }

std::string fault_of_library(const std::string& report, bool within_call) {
  const std::string mark = "SUMMARY: AddressSanitizer: ";
  const auto begin = report.find(mark);
  if (!within_call || begin == std::string::npos) return "";
  // Only what was compiled with the sanitizer has variables that it knows.
  for (const char* const variable : {"is located in stack of", "global variable"})
    if (report.find(variable) != std::string::npos) return "";
  std::vector<Stack> stacks = stacks_of(report);
  if (stacks.empty()) return "";
  // A damaged file lets HDF5 read far from its own memory, and so from any. What it was given it reads from the first byte on: a fault of this program
  // is at the first byte of what was freed, or at the first one beyond the end.
  const bool reads = report.find("\nREAD of size") != std::string::npos;
  if (reads && report.find(" is located ") != std::string::npos &&
      report.find(" is located 0 bytes ") == std::string::npos)
    stacks.resize(1);
  // Nor does this program hand it memory to free: a wrong pointer there is from the file, wherever it points.
  if (report.find(mark + "bad-free") != std::string::npos) stacks.resize(1);
  for (const Stack& stack : stacks) {
    const auto frame = first_with_owner(stack);
    if (frame == stack.end() || frame->owner != Owner::library) return "";
  }
  const auto kind = begin + mark.size();
  std::string said = report.substr(kind, report.find_first_of(" \n", kind) - kind);
  if (reads) said += " READ";
  if (report.find("\nWRITE of size") != std::string::npos) said += " WRITE";
  said += " in";
  auto frame = first_with_owner(stacks.front());
  for (int i = 0; i < 2 && frame != stacks.front().end() && frame->owner == Owner::library;
       ++i, ++frame)
    said +=
        (i > 0 ? ", " : " ") + (frame->name.empty() ? "a function without a name" : frame->name);
  return said;
}

}  // namespace watersmeet::fuzz
