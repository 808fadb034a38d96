#pragma once
// A CUDA graph with a loop that the device ends: work is queued on a stream while it is recorded,
// and the body of the loop likewise. Included by CUDA files only.

#include <cuda_runtime.h>

#include <functional>

#include "exec/check_cuda.hpp"

namespace watersmeet::solve::detail {

#if CUDART_VERSION >= 12040

class LoopGraph {
 public:
  using Handle = cudaGraphConditionalHandle;
  LoopGraph() = default;
  // Records before(queue, handle), then body(queue, handle) as the body of a loop that runs while
  // the handle's value is not 0, then after(queue). Kernels of `before` and `body` set the value.
  LoopGraph(const std::function<void(const Queue&, Handle)>& before,
            const std::function<void(const Queue&, Handle)>& body,
            const std::function<void(const Queue&)>& after) {
    Stream main, inner;
    // The stream's capture makes the graph; the handle belongs to it.
    check(cudaStreamBeginCapture(main.stream, cudaStreamCaptureModeThreadLocal));
    const Capture begun = capture_of(main.stream);
    Handle handle{};
    check(cudaGraphConditionalHandleCreate(&handle, begun.graph, 0, cudaGraphCondAssignDefault));
    before(queue_of(main.stream), handle);

    const Capture at = capture_of(main.stream);
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
    cudaGraphNode_t loop{};
#if CUDART_VERSION >= 13000
    check(cudaGraphAddNode(&loop, at.graph, at.dependencies, nullptr, at.count, &parameters));
#else
    check(cudaGraphAddNode(&loop, at.graph, at.dependencies, at.count, &parameters));
#endif
    check(cudaStreamBeginCaptureToGraph(inner.stream, parameters.conditional.phGraph_out[0],
                                        nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
    body(queue_of(inner.stream), handle);
    cudaGraph_t recorded{};
    check(cudaStreamEndCapture(inner.stream, &recorded));

#if CUDART_VERSION >= 13000
    check(cudaStreamUpdateCaptureDependencies(main.stream, &loop, nullptr, 1,
                                              cudaStreamSetCaptureDependencies));
#else
    check(cudaStreamUpdateCaptureDependencies(main.stream, &loop, 1,
                                              cudaStreamSetCaptureDependencies));
#endif
    after(queue_of(main.stream));
    check(cudaStreamEndCapture(main.stream, &graph_));
    check(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  ~LoopGraph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  LoopGraph(const LoopGraph&) = delete;
  LoopGraph& operator=(const LoopGraph&) = delete;

  void launch(const Queue& queue) const {
    check(cudaGraphLaunch(executable_, static_cast<cudaStream_t>(queue.stream)));
  }

 private:
  struct Stream {
    cudaStream_t stream = nullptr;
    Stream() { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(stream); }
  };
  struct Capture {
    cudaGraph_t graph{};
    const cudaGraphNode_t* dependencies = nullptr;
    std::size_t count = 0;
  };
  static void check(cudaError_t status) {
    exec::check_cuda(status, "cannot make the graph of a multigrid solve");
  }
  static Queue queue_of(cudaStream_t stream) {
    Queue queue;
    queue.backend = Backend::cuda;
    queue.stream = stream;
    return queue;
  }
  static Capture capture_of(cudaStream_t stream) {
    Capture c;
    cudaStreamCaptureStatus status{};
#if CUDART_VERSION >= 13000
    check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &c.graph, &c.dependencies, nullptr,
                                   &c.count));
#else
    check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &c.graph, &c.dependencies, &c.count));
#endif
    return c;
  }
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

#endif

}  // namespace watersmeet::solve::detail
