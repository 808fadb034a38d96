#pragma once
// A CUDA graph with a loop that the device ends: work is queued on a stream while it is recorded,
// and the body of the loop likewise, which may have branches. Included by CUDA files only.

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
    Stream main;
    // The stream's capture makes the graph; the handle belongs to it.
    check(cudaStreamBeginCapture(main.stream, cudaStreamCaptureModeThreadLocal));
    const Handle handle = make_handle(queue_of(main.stream));
    before(queue_of(main.stream), handle);
    add(cudaGraphCondTypeWhile, queue_of(main.stream), handle,
        [&](const Queue& queue) { body(queue, handle); });
    after(queue_of(main.stream));
    check(cudaStreamEndCapture(main.stream, &graph_));
    check(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  // In `body`: a handle that earlier kernels of it set, and work that is done where its value is not 0 then.
  static Handle make_handle(const Queue& queue) {
    Handle handle{};
    check(cudaGraphConditionalHandleCreate(&handle, capture_of(queue).graph, 0,
                                           cudaGraphCondAssignDefault));
    return handle;
  }
  static void branch(const Queue& queue, Handle handle,
                     const std::function<void(const Queue&)>& work) {
    add(cudaGraphCondTypeIf, queue, handle, work);
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
  // A conditional node behind what the queue has captured, and its body.
  static void add(cudaGraphConditionalNodeType type, const Queue& queue, Handle handle,
                  const std::function<void(const Queue&)>& body) {
    const auto stream = static_cast<cudaStream_t>(queue.stream);
    const Capture at = capture_of(queue);
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = 1;
    cudaGraphNode_t node{};
#if CUDART_VERSION >= 13000
    check(cudaGraphAddNode(&node, at.graph, at.dependencies, nullptr, at.count, &parameters));
#else
    check(cudaGraphAddNode(&node, at.graph, at.dependencies, at.count, &parameters));
#endif
    Stream inner;
    check(cudaStreamBeginCaptureToGraph(inner.stream, parameters.conditional.phGraph_out[0],
                                        nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
    body(queue_of(inner.stream));
    cudaGraph_t recorded{};
    check(cudaStreamEndCapture(inner.stream, &recorded));
#if CUDART_VERSION >= 13000
    check(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                              cudaStreamSetCaptureDependencies));
#else
    check(cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies));
#endif
  }
  static Capture capture_of(const Queue& queue) {
    const auto stream = static_cast<cudaStream_t>(queue.stream);
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
