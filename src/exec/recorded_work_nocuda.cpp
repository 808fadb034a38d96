#include "core/error.hpp"
#include "exec/recorded_work.hpp"

namespace watersmeet::exec {

struct RecordedWork::Graph {};

RecordedWork::RecordedWork() = default;
RecordedWork::~RecordedWork() = default;
RecordedWork::RecordedWork(RecordedWork&&) noexcept = default;
RecordedWork& RecordedWork::operator=(RecordedWork&&) noexcept = default;

bool can_record(const Queue&) { return false; }
void RecordedWork::record(const Queue&, const std::function<void()>&) {
  require(false, "no CUDA back end in this build");
}
void RecordedWork::replay(const Queue&) const { require(false, "no CUDA back end in this build"); }

}  // namespace watersmeet::exec
