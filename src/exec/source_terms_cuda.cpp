// Compiles the pass of source terms with NVRTC and launches it. Neither NVRTC nor the driver is linked: a program without sources starts
// where NVRTC is missing, and one for a CPU where both are.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nvrtc.h>

#include <algorithm>
#include <type_traits>

#include "core/error.hpp"
#include "exec/source_terms.hpp"
#include "exec/source_text.hpp"

namespace watersmeet::exec {

namespace {

// A library that stays open until the program ends.
class Library {
 public:
  Library(const std::string& name, const std::string& needed_for) : name_(name) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    const char* const reason = dlerror();
    throw Error(ErrorKind::device,
                fmt::format("{} needs the library {}, which cannot be opened: {}", needed_for, name,
                            reason ? reason : "no reason is given"));
  }
  template <class Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(dlsym(handle_, name));
    if (function == nullptr)
      throw Error(ErrorKind::device, fmt::format("the library {} has no {}", name_, name));
  }

 private:
  std::string name_;
  void* handle_ = nullptr;
};

struct Compiler {
  decltype(nvrtcCreateProgram)* create = nullptr;
  decltype(nvrtcCompileProgram)* compile = nullptr;
  decltype(nvrtcGetProgramLogSize)* log_size = nullptr;
  decltype(nvrtcGetProgramLog)* log = nullptr;
  decltype(nvrtcGetCUBINSize)* code_size = nullptr;
  decltype(nvrtcGetCUBIN)* code = nullptr;
  decltype(nvrtcDestroyProgram)* destroy = nullptr;
  decltype(nvrtcGetErrorString)* error_string = nullptr;

  Compiler() {
    const Library library(fmt::format("libnvrtc.so.{}", CUDART_VERSION / 1000),
                          "[[source]] on a GPU");
    library.find(create, "nvrtcCreateProgram");
    library.find(compile, "nvrtcCompileProgram");
    library.find(log_size, "nvrtcGetProgramLogSize");
    library.find(log, "nvrtcGetProgramLog");
    library.find(code_size, "nvrtcGetCUBINSize");
    library.find(code, "nvrtcGetCUBIN");
    library.find(destroy, "nvrtcDestroyProgram");
    library.find(error_string, "nvrtcGetErrorString");
  }
  void check(nvrtcResult result, const std::string& words = "") const {
    if (result == NVRTC_SUCCESS) return;
    throw Error(ErrorKind::internal, fmt::format("source terms cannot be compiled: {}\n{}",
                                                 error_string(result), words));
  }
};

struct Driver {
  decltype(cuModuleLoadData)* load = nullptr;
  decltype(cuModuleGetFunction)* function = nullptr;
  decltype(cuModuleUnload)* unload = nullptr;
  decltype(cuLaunchKernel)* launch = nullptr;
  decltype(cuOccupancyMaxActiveBlocksPerMultiprocessor)* occupancy = nullptr;
  decltype(cuGetErrorString)* error_string = nullptr;

  Driver() {
    const Library library("libcuda.so.1", "a GPU");
    library.find(load, "cuModuleLoadData");
    library.find(function, "cuModuleGetFunction");
    library.find(unload, "cuModuleUnload");
    library.find(launch, "cuLaunchKernel");
    library.find(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    library.find(error_string, "cuGetErrorString");
  }
  void check(CUresult result, const char* what) const {
    if (result == CUDA_SUCCESS) return;
    const char* text = nullptr;
    error_string(result, &text);
    throw Error(ErrorKind::device, fmt::format("{}: {}", what, text ? text : "unknown error"));
  }
};

const Driver& driver() {
  static const Driver driver;
  return driver;
}

// Headers that the kernel sees: ours, and of the standard library what they use.
constexpr const char* headers[][2] = {
#include "source_pass.inc"
    {"cmath", ""},
    {"cstdint",
     "namespace std { using int64_t = long long; using uint64_t = unsigned long long; }\n"},
    {"limits",
     "namespace std { template <class T> struct numeric_limits;\n"
     "template <> struct numeric_limits<float> { static constexpr float min() { return 0x1p-126f; "
     "} };\n"
     "template <> struct numeric_limits<double> { static constexpr double min() { return "
     "0x1p-1022; } };\n"
     "}\n"},
};

}  // namespace

std::vector<char> compiled_source(const std::string& text, int compute_capability) {
  static const Compiler compiler;
  std::vector<const char*> names, texts;
  for (const auto& [name, content] : headers) {
    names.push_back(name);
    texts.push_back(content);
  }
  nvrtcProgram program = nullptr;
  compiler.check(compiler.create(&program, text.c_str(), "source_terms.cu",
                                 static_cast<int>(names.size()), texts.data(), names.data()));
  // No product is fused with a sum, as on the CPU.
  const std::string device = fmt::format("--gpu-architecture=sm_{}", compute_capability);
  const char* const options[] = {device.c_str(),    "--std=c++20",         "--fmad=false",
                                 "-default-device", "-D__builtin_fma=fma", "-D__builtin_fmaf=fmaf"};
  const nvrtcResult result = compiler.compile(program, std::size(options), options);
  std::string log;
  if (result != NVRTC_SUCCESS) {
    std::size_t size = 0;
    compiler.log_size(program, &size);
    log.resize(size);
    compiler.log(program, log.data());
  }
  std::vector<char> code;
  if (result == NVRTC_SUCCESS) {
    std::size_t size = 0;
    compiler.code_size(program, &size);
    code.resize(size);
    compiler.code(program, code.data());
  }
  compiler.destroy(&program);
  compiler.check(result, log);
  return code;
}

class SourceKernel {
 public:
  explicit SourceKernel(const SourceTerms& terms) {
    int device = 0, major = 0, minor = 0, processors = 1, blocks = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    const SourceText source = source_text(terms);
    segments_ = source_rows * source.cells_of_thread;
    const std::vector<char> code = compiled_source(source.text, major * 10 + minor);
    driver().check(driver().load(&module_, code.data()), "cannot load the kernel of source terms");
    driver().check(driver().function(&function_, module_, "add_sources"),
                   "cannot find the kernel of source terms");
    driver().check(driver().occupancy(&blocks, function_, source_columns * source_rows, 0),
                   "cannot compute the occupancy of the kernel of source terms");
    most_blocks_ = std::int64_t(processors) * blocks;
  }
  SourceKernel(const SourceKernel&) = delete;
  SourceKernel& operator=(const SourceKernel&) = delete;
  ~SourceKernel() { driver().unload(module_); }

  void launch(const SourcePass& pass, const Queue& queue) const {
    const auto size = [&](int axis) { return std::int64_t(pass.upper[axis] - pass.lower[axis]); };
    const std::int64_t segments =
        (size(0) + source_columns - 1) / source_columns * size(1) * size(2);
    const std::int64_t blocks = std::min((segments + segments_ - 1) / segments_, most_blocks_);
    SourcePass parameters = pass;
    void* arguments[] = {&parameters};
    driver().check(
        driver().launch(function_, static_cast<unsigned>(blocks), 1, 1, source_columns, source_rows,
                        1, 0, static_cast<CUstream>(queue.stream), arguments, nullptr),
        "cannot add source terms");
  }

 private:
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  int segments_ = 1;              // of a tile
  std::int64_t most_blocks_ = 1;  // that the device holds at once
};

namespace detail {

std::shared_ptr<const SourceKernel> compile_sources_cuda(const SourceTerms& terms) {
  return std::make_shared<const SourceKernel>(terms);
}

void add_sources_cuda(const SourceKernel& kernel, const SourcePass& pass, const Queue& queue) {
  kernel.launch(pass, queue);
}

}  // namespace detail

}  // namespace watersmeet::exec
