// What the launchers of both MPIs are given.
#include "launch/launch.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace watersmeet::launch {
namespace {

using Words = std::vector<std::string>;

TEST(Launch, KnowsLaunchersAndLibrariesByTheirVersionTexts) {
  for (const char* const text :
       {"mpiexec (OpenRTE) 4.1.4\n", "mpirun (Open MPI) 5.0.7", "Open MPI v4.1.4"}) {
    EXPECT_EQ(launcher_kind(text), LauncherKind::open_mpi) << text;
  }
  for (const char* const text :
       {"HYDRA build details:\n    Version:  4.0.2", "MPICH Version: 4.0.2",
        "Intel(R) MPI Library for Linux* OS", "MVAPICH2 2.3"}) {
    EXPECT_EQ(launcher_kind(text), LauncherKind::hydra) << text;
  }
  EXPECT_EQ(launcher_kind("slurm 23.02"), LauncherKind::other);
}

TEST(Launch, EachMpiGetsItsOwnFlagsBeforeTheProgram) {
  unsetenv("NCCL_NVLS_ENABLE");
  const Words words = {"run", "case.toml"};
  const LaunchPlan open = plan_launch("/m", LauncherKind::open_mpi, 4, "/w", words, true);
  EXPECT_EQ(open.arguments, (Words{"/m", "-n", "4", "--oversubscribe", "--bind-to", "none",
                                   "--quiet", "-x", "NCCL_NVLS_ENABLE", "/w", "run", "case.toml"}));
  EXPECT_EQ(open.environment, (std::vector<std::pair<std::string, std::string>>{
                                  {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                  {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                  {"NCCL_NVLS_ENABLE", "0"}}));
  EXPECT_EQ(plan_launch("/m", LauncherKind::open_mpi, 4, "/w", words, false).environment.size(),
            1u);
  const LaunchPlan mpich = plan_launch("/m", LauncherKind::hydra, 2, "/w", words, true);
  EXPECT_EQ(mpich.arguments,
            (Words{"/m", "-n", "2", "-bind-to", "none", "/w", "run", "case.toml"}));
  EXPECT_EQ(mpich.environment.size(), 1u);
  EXPECT_EQ(plan_launch("/m", LauncherKind::other, 2, "/w", words, true).arguments,
            (Words{"/m", "-n", "2", "/w", "run", "case.toml"}));
}

TEST(Launch, GpusBecomeTheDeviceOfTheRanks) {
  CommonOptions options;
  options.words = {"--json",   "run", "case.toml", "--gpus",  "2",
                   "--device", "gpu", "--set",     "a=--gpus"};
  options.gpus = 2;
  EXPECT_EQ(rank_arguments(options),
            (Words{"--json", "run", "case.toml", "--set", "a=--gpus", "--device", "gpu"}));
  options.words = {"run", "case.toml", "--gpus=2", "--cpu-ranks", "3", "--dir", "a"};
  options.cpu_ranks = 3;
  EXPECT_EQ(rank_arguments(options),
            (Words{"run", "case.toml", "--cpu-ranks", "3", "--dir", "a", "--device", "auto"}));
  options.gpus = options.cpu_ranks = 0;
  options.ranks = 2;
  options.words = {"run", "case.toml", "--ranks", "2", "--device", "cpu"};
  EXPECT_EQ(rank_arguments(options), (Words{"run", "case.toml", "--device", "cpu"}));
}

TEST(Launch, LinesAreWhatAShellWouldTake) {
  EXPECT_EQ(shell_line({"a", "b c", "", "it's", "$x", "k=[1,2]"}),
            "a 'b c' '' 'it'\\''s' '$x' 'k=[1,2]'");
}

}  // namespace
}  // namespace watersmeet::launch
