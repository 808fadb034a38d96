#include "core/foreign_call.hpp"

namespace watersmeet {
namespace {
thread_local const ForeignCall* innermost = nullptr;
}

ForeignCall::ForeignCall(const char* library, const std::string& path)
    : library_(library), path_(path.c_str()), outer_(innermost) {
  innermost = this;
}

ForeignCall::~ForeignCall() { innermost = outer_; }

const ForeignCall* ForeignCall::current() { return innermost; }

}  // namespace watersmeet
