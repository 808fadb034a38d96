// Which device each rank gets, and which part of the grid. GPUs are given as a list, ranks are
// threads.
#include "run/placement.hpp"

#include <atomic>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "support/temporary.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::run {
namespace {

using test::ThreadTeam;

Case case_with(const std::vector<std::string>& set, const std::string& cells = "[8,8,26]") {
  SimulationOptions options;
  options.set = set;
  return load_case_text("[case]\nsystem = \"isothermal\"\n[grid]\ncells = " + cells +
                            "\n[time]\nsteps = 1\n[[initial]]\nvelocity = [\"0\", \"0\", \"0\"]\n",
                        "test", options);
}

std::vector<DeviceInfo> gpus(int count) {
  std::vector<DeviceInfo> list;
  for (int d = 0; d < count; ++d) {
    DeviceInfo info;
    info.index = d;
    info.name = "GPU " + std::to_string(d);
    info.free_bytes = 6000;
    list.push_back(info);
  }
  return list;
}

// "cpu" or the number of the GPU, of every rank of one host.
std::string devices_of(const std::vector<std::string>& set, int ranks, int count) {
  const Case loaded = case_with(set);
  std::string text;
  for (int r = 0; r < ranks; ++r) {
    comm::Locality place;
    place.local_rank = r;
    place.local_size = ranks;
    const DeviceChoice choice = choose_device(loaded.input, place, gpus(count));
    text +=
        (r ? " " : "") + (choice.backend == Backend::cpu ? "cpu" : std::to_string(choice.index));
  }
  return text;
}

TEST(ChooseDevice, EachRankOfAHostHasAGpu) {
  EXPECT_EQ(devices_of({}, 1, 4), "0");
  EXPECT_EQ(devices_of({}, 4, 4), "0 1 2 3");
  EXPECT_EQ(devices_of({"device.kind=\"cpu\""}, 2, 4), "cpu cpu");
  EXPECT_EQ(devices_of({}, 3, 0), "cpu cpu cpu");
  EXPECT_EQ(devices_of({"device.index=2"}, 1, 4), "2");
}

TEST(GpusAreBound, WhereEachRankSeesAnotherOneAlone) {
  const auto bound = [](const std::vector<std::vector<std::string>>& seen) {
    std::atomic<int> yes{0};
    ThreadTeam::run(static_cast<int>(seen.size()), [&](comm::Communicator& world) {
      std::vector<DeviceInfo> mine;
      for (const std::string& uuid : seen[static_cast<std::size_t>(world.rank())]) {
        mine.emplace_back();
        mine.back().uuid = uuid;
      }
      yes += gpus_are_bound(world, comm::Locality{}, mine) ? 1 : 0;
    });
    EXPECT_TRUE(yes == 0 || yes == static_cast<int>(seen.size()));
    return yes > 0;
  };
  EXPECT_TRUE(bound({{"a"}, {"b"}, {"c"}}));
  EXPECT_TRUE(bound({{"a"}}));
  EXPECT_FALSE(bound({{"a"}, {"b"}, {"a"}}));
  EXPECT_FALSE(bound({{"a", "b"}, {"a", "b"}}));
  EXPECT_FALSE(bound({{"a"}, {}}));
  EXPECT_FALSE(bound({{}, {}}));
}

// As where a launcher sets CUDA_VISIBLE_DEVICES for each rank.
TEST(ChooseDevice, OfOneVisibleGpuARankEachRankTakesItsOwn) {
  const auto chosen = [](const std::vector<std::string>& uuids,
                         const std::vector<std::string>& set = {}) {
    const Case loaded = case_with(set);
    std::vector<DeviceChoice> choices(uuids.size());
    ThreadTeam::run(static_cast<int>(uuids.size()), [&](comm::Communicator& world) {
      std::vector<DeviceInfo> mine = gpus(1);
      const auto rank = static_cast<std::size_t>(world.rank());
      mine[0].uuid = uuids[rank];
      comm::Locality place;
      place.local_rank = world.rank();
      place.local_size = world.size();
      choices[rank] = choose_device(loaded.input, world, place, mine);
    });
    return choices;
  };
  for (const DeviceChoice& choice : chosen({"a", "b", "c"}, {"device.kind=\"gpu\""})) {
    EXPECT_EQ(choice.backend, Backend::cuda);
    EXPECT_EQ(choice.index, 0);
    EXPECT_FALSE(choice.shared);
    EXPECT_EQ(choice.free_bytes, 6000u);
  }
  EXPECT_HAS(message_of(ErrorKind::resource,
                        [&] {
                          chosen({"a", "b", "a"});
                        }),
             "would share 1 GPU");
  for (const DeviceChoice& choice : chosen({"a", "a"}, {"device.share=true"})) {
    EXPECT_TRUE(choice.shared);
    EXPECT_EQ(choice.free_bytes, 3000u);
  }
  for (const DeviceChoice& choice : chosen({"a", "b"}, {"device.kind=\"cpu\""}))
    EXPECT_EQ(choice.backend, Backend::cpu);
}

TEST(ChooseDevice, TheLastRanksOfAHostComputeOnTheCpu) {
  EXPECT_EQ(devices_of({"device.cpu_ranks=1"}, 3, 2), "0 1 cpu");
  EXPECT_EQ(devices_of({"device.cpu_ranks=2", "device.kind=\"gpu\""}, 4, 2), "0 1 cpu cpu");
  // One is left to a GPU, whatever the number asked for.
  EXPECT_EQ(devices_of({"device.cpu_ranks=7"}, 3, 2), "0 cpu cpu");
  EXPECT_EQ(devices_of({"device.cpu_ranks=1"}, 1, 2), "0");
  // A GPU of one rank alone is not shared, chosen or not.
  EXPECT_EQ(devices_of({"device.cpu_ranks=1", "device.index=1"}, 2, 2), "1 cpu");
}

TEST(ChooseDevice, RanksShareAGpuOnlyWhenAsked) {
  const auto refusal = [](const std::vector<std::string>& set, int ranks, int count) {
    return message_of(ErrorKind::resource, [&] { devices_of(set, ranks, count); });
  };
  EXPECT_HAS(refusal({}, 3, 2), "3 ranks on");
  EXPECT_HAS(refusal({}, 3, 2), "would share 2 GPUs. Try --gpus 2");
  EXPECT_HAS(refusal({"device.index=1"}, 2, 4), "would share GPU 1");
  EXPECT_HAS(refusal({"device.cpu_ranks=1"}, 4, 2), "3 ranks on");
  EXPECT_EQ(devices_of({"device.share=true"}, 5, 2), "0 1 0 1 0");
  EXPECT_EQ(devices_of({"device.share=true", "device.index=1"}, 3, 2), "1 1 1");
}

TEST(ChooseDevice, SharedMemoryIsSharedOut) {
  const auto free_of = [](const std::vector<std::string>& set, int ranks) {
    comm::Locality place;
    place.local_size = ranks;
    const DeviceChoice choice = choose_device(case_with(set).input, place, gpus(2));
    EXPECT_EQ(choice.shared, choice.free_bytes < 6000u);
    return choice.free_bytes;
  };
  EXPECT_EQ(free_of({}, 2), 6000u);
  EXPECT_EQ(free_of({"device.share=true"}, 2), 6000u);
  EXPECT_EQ(free_of({"device.share=true"}, 3), 3000u);
  EXPECT_EQ(free_of({"device.share=true", "device.index=0"}, 3), 2000u);
  EXPECT_EQ(free_of({"device.share=true", "device.cpu_ranks=1"}, 3), 6000u);
}

TEST(ChooseDevice, AGpuThatIsNotThereIsRefused) {
  for (const auto& [key, count] :
       {std::pair{"device.kind=\"gpu\"", 0}, std::pair{"device.index=3", 2}}) {
    const Case loaded = case_with({key});
    const std::string text = message_of(
        ErrorKind::resource, [&] { choose_device(loaded.input, comm::Locality{}, gpus(count)); });
    EXPECT_HAS(text, "--device cpu");
  }
}

// Sets a variable of the environment, or takes it away, until the end of a scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

  void set(const char* value) const {
    if (value != nullptr) {
      ::setenv(name_, value, 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(ChooseDevice, ThreadsOfTheCaseComeBeforeThoseOfTheEnvironmentAndThePlace) {
  comm::Locality place;
  place.threads = 5;
  const Case unset = case_with({}), three = case_with({"device.threads=3"});
  const Variable variable("OMP_NUM_THREADS", nullptr);
  EXPECT_EQ(choose_device(unset.input, place, {}).threads, 5);
  EXPECT_EQ(choose_device(three.input, place, {}).threads, 3);
  for (const auto& [text, threads] :
       {std::pair{"2", 2}, {"4,2", 4}, {"many", 5}, {"0", 5}, {"", 5}}) {
    variable.set(text);
    EXPECT_EQ(choose_device(unset.input, place, {}).threads, threads) << text;
    EXPECT_EQ(choose_device(three.input, place, {}).threads, 3) << text;
  }
}

TEST(PlaceCase, PartsCoverTheGridOnce) {
  const Case loaded = case_with({"device.kind=\"cpu\""}, "[13,11,26]");
  for (const int ranks : {1, 2, 3, 4, 6}) {
    ThreadTeam::run(ranks, [&](comm::Communicator& world) {
      const Placement placement = place_case(loaded, world);
      ASSERT_NE(placement.ranks, nullptr);
      EXPECT_EQ(placement.ranks->size(), ranks);
      EXPECT_EQ(placement.devices.size(), static_cast<std::size_t>(ranks));
      const io::Share mine = placement.share({13, 11, 26});
      std::vector<Box> boxes(static_cast<std::size_t>(ranks));
      world.all_gather(&mine.mine, sizeof mine.mine, boxes.data());
      std::set<Index3> cells;
      std::int64_t count = 0;
      for (const Box& box : boxes) {
        count += box.count();
        for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k)
          for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j)
            for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) cells.insert({i, j, k});
      }
      EXPECT_EQ(count, 13 * 11 * 26);
      EXPECT_EQ(cells.size(), 13u * 11u * 26u);
      EXPECT_EQ(*cells.begin(), (Index3{0, 0, 0}));
      EXPECT_EQ(*cells.rbegin(), (Index3{12, 10, 25}));
    });
  }
}

TEST(PlaceCase, LayoutAndWeightsAreTheUsers) {
  const Case cut = case_with({"device.kind=\"cpu\"", "device.ranks_along=[2,1,1]"});
  ThreadTeam::run(2, [&](comm::Communicator& world) {
    const Placement placement = place_case(cut, world);
    const Box mine = placement.share({8, 8, 26}).mine;
    EXPECT_EQ(mine.lower, (Index3{4 * world.rank(), 0, 0}));
    EXPECT_EQ(mine.upper, (Index3{4 + 4 * world.rank(), 8, 26}));
  });
  const Case weighed = case_with(
      {"device.kind=\"cpu\"", "device.weights=[1,3]", "device.ranks_along=[1,1,2]"}, "[8,8,40]");
  ThreadTeam::run(2, [&](comm::Communicator& world) {
    const Placement placement = place_case(weighed, world);
    EXPECT_EQ(placement.share({8, 8, 40}).mine.size(2), world.rank() == 0 ? 10 : 30);
  });
}

// Such as those of a run that resumes with another number of ranks.
TEST(PlaceCase, RanksAlongTheAxesMustSuit) {
  const Case loaded = case_with({"device.kind=\"cpu\"", "device.ranks_along=[3,1,1]"});
  ThreadTeam::run(2, [&](comm::Communicator& world) {
    const std::string text = message_of(ErrorKind::user_input, [&] { place_case(loaded, world); });
    for (const char* const part :
         {"device.ranks_along = [3, 1, 1]: ", "must be the number of ranks, 2",
          "--> --set device.ranks_along=[3,1,1]",
          "--set device.ranks_along=[1,1,2], or remove it"}) {
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  });
}

TEST(PlaceCase, EveryRankNeedsAWeight) {
  const Case loaded = case_with({"device.kind=\"cpu\"", "device.weights=[1,2,1]"});
  ThreadTeam::run(2, [&](comm::Communicator& world) {
    const std::string text = message_of(ErrorKind::user_input, [&] { place_case(loaded, world); });
    for (const char* const part : {"--> --set device.weights=[1,2,1]", "has 3 numbers for 2 ranks",
                                   "--set device.weights=[1,1]"}) {
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  });
}

TEST(PlaceCase, RanksWithoutRoomAreLeftOut) {
  const Case loaded = case_with({"device.kind=\"cpu\""}, "[4,5,7]");
  std::vector<int> number(5, -2);
  ThreadTeam::run(5, [&](comm::Communicator& world) {
    const Placement placement = place_case(loaded, world);
    int& mine = number[static_cast<std::size_t>(world.rank())];
    mine = placement.ranks ? placement.ranks->rank() : -1;
    // Another one is that five ranks are more than the processors, where they are.
    ASSERT_GE(placement.remarks.size(), 1u);
    EXPECT_HAS(placement.remarks[0], "2 of 5 ranks compute");
    EXPECT_EQ(placement.devices.size(), 2u);
    if (!placement.ranks) return;
    EXPECT_EQ(placement.ranks->size(), 2);
    // 7 planes, at least 3 a part.
    EXPECT_EQ(placement.share({4, 5, 7}).mine.count(), 4 * 5 * (mine == 0 ? 4 : 3));
  });
  EXPECT_EQ(std::count(number.begin(), number.end(), -1), 3);
  EXPECT_EQ(std::count(number.begin(), number.end(), 0), 1);
  EXPECT_EQ(std::count(number.begin(), number.end(), 1), 1);
}

TEST(PlaceCase, EqualDevicesAreCounted) {
  Placement placement;
  placement.devices = {"A", "A", "CPU, 2 threads", "A"};
  EXPECT_EQ(placement.description(), "3 x A + CPU, 2 threads");
  placement.devices = {"A"};
  EXPECT_EQ(placement.description(), "A");
}

}  // namespace
}  // namespace watersmeet::run
