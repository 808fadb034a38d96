// Recording is stream capture: the kernels that are queued meanwhile become the nodes of a CUDA
// graph, in their order, and do not run. Other threads may allocate and wait during it.
#include "exec/check_cuda.hpp"
#include "exec/recorded_work.hpp"

namespace watersmeet::exec {

struct RecordedWork::Graph {
  cudaGraphExec_t executable = nullptr;
  ~Graph() {
    if (executable != nullptr) cudaGraphExecDestroy(executable);
  }
};

RecordedWork::RecordedWork() = default;
RecordedWork::~RecordedWork() = default;
RecordedWork::RecordedWork(RecordedWork&&) noexcept = default;
RecordedWork& RecordedWork::operator=(RecordedWork&&) noexcept = default;

bool can_record(const Queue& queue) { return queue.backend == Backend::cuda; }

void RecordedWork::record(const Queue& queue, const std::function<void()>& work) {
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  constexpr const char* what = "cannot record the work of a step";
  check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), what);
  cudaGraph_t recorded = nullptr;
  try {
    work();
  } catch (...) {
    cudaStreamEndCapture(stream, &recorded);
    if (recorded != nullptr) cudaGraphDestroy(recorded);
    throw;
  }
  check_cuda(cudaStreamEndCapture(stream, &recorded), what);
  graph_ = std::make_unique<Graph>();
  const cudaError_t status = cudaGraphInstantiate(&graph_->executable, recorded, 0);
  cudaGraphDestroy(recorded);
  check_cuda(status, what);
}

void RecordedWork::replay(const Queue& queue) const {
  check_cuda(cudaGraphLaunch(graph_->executable, static_cast<cudaStream_t>(queue.stream)),
             "cannot launch the recorded work of a step");
}

}  // namespace watersmeet::exec
