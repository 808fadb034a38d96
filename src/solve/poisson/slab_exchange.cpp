// Messages between slabs, and the answers of every slab, which each rank computes for itself: they
// depend on the grid alone.
#include "solve/poisson/slab_exchange.hpp"

#include "core/error.hpp"

namespace watersmeet::solve {

SlabExchange::SlabExchange(const ColumnPlan& plan, std::size_t bytes, comm::Team& team,
                           const Queue&)
    : team_(&team),
      stride_(message_bytes(bytes)),
      here_(static_cast<std::size_t>(plan.mine) * stride_) {
  require(team.transport() != nullptr, "several slabs need a transport");
  for (int s = 0; s < plan.slabs(); ++s) {
    if (s == plan.mine) continue;
    const std::size_t slab = static_cast<std::size_t>(s);
    sends_.push_back({plan.ranks[slab], 0, stride_});
    receives_.push_back({plan.ranks[slab], slab * stride_, stride_});
  }
  const MemorySpace space = team.transport()->buffer_space();
  out_ = memory::Buffer(space, stride_);
  in_ = memory::Buffer(space, stride_ * static_cast<std::size_t>(plan.slabs()));
}

void SlabExchange::exchange(const Queue& queue) {
  const Queue& messages = team_->queue_in_turn(queue);
  team_->order(queue, messages);
  team_->transport()->start(sends_, out_.start(), receives_, in_.start(), messages);
  copy_bytes(in_.as<char>() + here_, out_.start(), stride_, queue);
  team_->transport()->finish(messages);
  team_->order(messages, queue);
}

template <class R>
std::vector<R> slab_answers(const ColumnPlan& plan, int slab, std::int64_t pitch, int threads) {
  const std::int64_t nx = std::ssize(plan.mu_x), ny = std::ssize(plan.mu_y);
  const std::size_t modes = static_cast<std::size_t>(pitch * ny);
  // Columns that are not there answer nothing, and with themselves to all: u = 1.
  std::vector<R> answers(section_answers * modes, R(0));
  std::fill_n(answers.begin(), 2 * modes, R(1));
  const std::size_t begin = static_cast<std::size_t>(plan.first[static_cast<std::size_t>(slab)]);
  const std::size_t end = static_cast<std::size_t>(plan.first[static_cast<std::size_t>(slab) + 1]);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t j = 0; j < ny; ++j) {
    for (std::int64_t i = 0; i < nx; ++i) {
      const double mu =
          plan.mu_x[static_cast<std::size_t>(i)] + plan.mu_y[static_cast<std::size_t>(j)];
      if (plan.singular && i == 0 && j == 0) continue;
      Elimination<double> e = begin_column(plan.cells[begin], mu, 0.0);
      SectionSum<double> sum = begin_section(e);
      for (std::size_t k = begin + 1; k < end; ++k) {
        e = continue_column(plan.cells[k], mu, 0.0, e);
        continue_section(sum, e);
      }
      const Section<double>& s = sum.s;
      const double values[section_answers] = {s.u_first, s.u_last,  s.v_first,
                                              s.v_last,  s.w_first, s.w_last};
      for (std::size_t a = 0; a < section_answers; ++a)
        answers[a * modes + static_cast<std::size_t>(j * pitch + i)] = static_cast<R>(values[a]);
    }
  }
  return answers;
}

template std::vector<float> slab_answers<float>(const ColumnPlan&, int, std::int64_t, int);
template std::vector<double> slab_answers<double>(const ColumnPlan&, int, std::int64_t, int);

}  // namespace watersmeet::solve
