#include <cuda_runtime.h>

#include "exec/check_cuda.hpp"
#include "exec/recorded.hpp"

namespace watersmeet::exec {

struct Recorded::Graph {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ~Graph() {
    if (executable != nullptr) cudaGraphExecDestroy(executable);
    if (graph != nullptr) cudaGraphDestroy(graph);
    if (stream != nullptr) cudaStreamDestroy(stream);
  }
};

Recorded::Recorded(const std::function<void(const Queue&)>& work)
    : graph_(std::make_unique<Graph>()) {
  constexpr const char* what = "cannot record the work of a step";
  Graph& g = *graph_;
  check_cuda(cudaStreamCreateWithFlags(&g.stream, cudaStreamNonBlocking), what);
  Queue queue;
  queue.backend = Backend::cuda;
  queue.stream = g.stream;
  check_cuda(cudaStreamBeginCapture(g.stream, cudaStreamCaptureModeThreadLocal), what);
  try {
    work(queue);
  } catch (...) {
    cudaStreamEndCapture(g.stream, &g.graph);
    throw;
  }
  check_cuda(cudaStreamEndCapture(g.stream, &g.graph), what);
  check_cuda(cudaGraphInstantiate(&g.executable, g.graph, 0), what);
}

Recorded::~Recorded() = default;

void Recorded::run(const Queue& queue) const {
  check_cuda(cudaGraphLaunch(graph_->executable, static_cast<cudaStream_t>(queue.stream)),
             "cannot repeat the work of a step");
}

}  // namespace watersmeet::exec
