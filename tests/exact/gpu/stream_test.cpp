// Streamed grids on a GPU: the bits of resident ones there. Skipped where no GPU answers.
#include "support/on_gpu.hpp"
#include "support/stream_cases.hpp"

using namespace watersmeet;
using namespace watersmeet::test;

using GpuStream = OnGpu;

TEST_F(GpuStream, HasTheBitsOfResidentRunsInDouble) {
  expect_streams_like_resident("gpu", "double");
}
TEST_F(GpuStream, HasTheBitsOfResidentRunsInSingle) {
  expect_streams_like_resident("gpu", "single");
}

TEST_F(GpuStream, StagesThatTheHostUpdatesHaveTheBitsOfResidentRuns) {
  for (const char* const precision : {"double", "single"})
    expect_host_updates_like_resident("gpu", precision);
}

// The sources of both runs are those of the GPU.
TEST_F(GpuStream, SourcesJoinTheRatesOfHostUpdates) {
  for (const char* const precision : {"double", "single"})
    expect_sources_of_host_updates("gpu", precision);
}
