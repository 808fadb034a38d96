// Reports of the address sanitizer, with the addresses of functions of HDF5 and of this program.
#include "library_fault.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace watersmeet {
namespace {

std::uintptr_t address_of(void (*function)()) { return reinterpret_cast<std::uintptr_t>(function); }

const std::uintptr_t of_hdf5 = address_of(reinterpret_cast<void (*)()>(&H5Fopen)) + 1;
const std::uintptr_t of_libc = address_of(reinterpret_cast<void (*)()>(&std::malloc)) + 1;
const std::uintptr_t ours = address_of(&fuzz::keep_reports) + 1;

std::string stack(const std::vector<std::uintptr_t>& addresses) {
  std::string text;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    text += fmt::format("    #{} {:#x}  (a module)\n", i, addresses[i]);
  return text;
}

std::string report(const std::string& access, const std::vector<std::uintptr_t>& fault,
                   const std::string& place, const std::vector<std::uintptr_t>& allocation) {
  return fmt::format(
      "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2\n{} of size 8 "
      "at 0x1 "
      "thread T0\n{}\n0x1 is located {} of 16-byte region [0x0,0x1)\nallocated by thread T0 "
      "here:\n{}\n"
      "SUMMARY: AddressSanitizer: heap-buffer-overflow (a module) \n",
      access, stack(fault), place, stack(allocation));
}

TEST(LibraryFault, OfALibraryIsWhereItTouchesItsOwnMemory) {
  const std::string text =
      report("READ", {of_libc, of_hdf5, ours}, "0 bytes to the right", {of_libc, of_hdf5, ours});
  EXPECT_EQ(fuzz::fault_of_library(text, true), "heap-buffer-overflow READ in H5Fopen");
  EXPECT_EQ(fuzz::fault_of_library(text, false), "") << "outside a call";
}

TEST(LibraryFault, OfThisProgramIsThatOfACallback) {
  EXPECT_EQ(fuzz::fault_of_library(report("READ", {of_libc, ours, of_hdf5, ours},
                                          "0 bytes to the right", {of_libc, of_hdf5, ours}),
                                   true),
            "");
}

TEST(LibraryFault, OfThisProgramIsABufferThatALibraryWasGiven) {
  const std::vector<std::uintptr_t> library{of_libc, of_hdf5, ours}, program{of_libc, ours};
  for (const std::string place : {"0 bytes to the right", "40 bytes to the right"})
    EXPECT_EQ(fuzz::fault_of_library(report("WRITE", library, place, program), true), "") << place;
  EXPECT_EQ(fuzz::fault_of_library(report("READ", library, "0 bytes to the right", program), true),
            "");
  EXPECT_NE(fuzz::fault_of_library(report("READ", library, "40 bytes inside", program), true), "")
      << "far from all that it was given";
}

TEST(LibraryFault, OfALibraryIsAWrongPointerThatItFrees) {
  const auto freed = [](const std::vector<std::uintptr_t>& by) {
    return "==1==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: "
           "0x1 in thread T0\n" +
           stack(by) +
           "\n0x1 is located 0 bytes to the right of 16-byte region\nfreed by thread T0 here:\n" +
           stack({of_libc, ours}) + "SUMMARY: AddressSanitizer: bad-free (a module) \n";
  };
  EXPECT_EQ(fuzz::fault_of_library(freed({of_libc, of_hdf5, ours}), true), "bad-free in H5Fopen");
  EXPECT_EQ(fuzz::fault_of_library(freed({of_libc, ours, of_hdf5}), true), "");
}

TEST(LibraryFault, OfThisProgramIsAVariableAndWhatHasNoReport) {
  const std::string variable =
      "==1==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x1\nWRITE of size 8 at 0x1 "
      "thread T0\n" +
      stack({of_libc, of_hdf5, ours}) +
      "\nAddress 0x1 is located in stack of thread T0 at offset 40 in frame\n" + stack({of_hdf5}) +
      "SUMMARY: AddressSanitizer: stack-buffer-overflow (a module) \n";
  EXPECT_EQ(fuzz::fault_of_library(variable, true), "");
  EXPECT_EQ(fuzz::fault_of_library("", true), "");
}

TEST(LibraryFault, ASignalIsOfTheInnermostFunction) {
  const std::string begin = "==1==ERROR: AddressSanitizer: SEGV on unknown address\n";
  const std::string end = "SUMMARY: AddressSanitizer: SEGV (a module) \n";
  EXPECT_EQ(fuzz::fault_of_library(begin + stack({of_hdf5, of_hdf5, ours}) + end, true),
            "SEGV in H5Fopen, H5Fopen");
  EXPECT_EQ(fuzz::fault_of_library(begin + stack({ours, of_hdf5, ours}) + end, true), "");
  EXPECT_EQ(fuzz::fault_of_library(begin + stack({of_libc}) + end, true), "") << "nobody's";
}

}  // namespace
}  // namespace watersmeet
