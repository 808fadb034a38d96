// The steps of a spectrum on the CPU: one-dimensional KissFFT transforms.
#include <complex>
#include <kissfft.hh>

#include "solve/spectra.hpp"

namespace watersmeet::solve::detail {

namespace {
using Complex = std::complex<double>;

// Transforms `lines` lines of n numbers; load(l, line) fills one, store(l, line) takes the result.
template <class Load, class Store>
void transform_lines(std::int64_t n, std::int64_t lines, int threads, Load load, Store store) {
#pragma omp parallel num_threads(threads)
  {
    const std::size_t length = static_cast<std::size_t>(n);
    kissfft<double> fft(length, false);
    std::vector<Complex> line(length), transformed(length);
#pragma omp for schedule(static)
    for (std::int64_t l = 0; l < lines; ++l) {
      load(l, line.data());
      if (n > 1) {
        fft.transform(line.data(), transformed.data());
      } else {
        transformed = line;
      }
      store(l, transformed.data());
    }
  }
}

// Lines of complex numbers `stride` apart, the first one of line l at first(l).
template <class First>
void transform_in_place(Complex* values, std::int64_t n, std::int64_t stride, std::int64_t lines,
                        int threads, First first) {
  if (n == 1) return;
  transform_lines(
      n, lines, threads,
      [&](std::int64_t l, Complex* line) {
        for (std::int64_t i = 0; i < n; ++i) line[i] = values[first(l) + i * stride];
      },
      [&](std::int64_t l, const Complex* line) {
        for (std::int64_t i = 0; i < n; ++i) values[first(l) + i * stride] = line[i];
      });
}

class StepsOnCpu final : public FourierSteps {
 public:
  void pack(const SpectrumInput& input, std::size_t component, const Index3& n, double* values,
            std::int64_t pitch, const Queue& queue) const override {
    const auto copy = [&](const auto* from) {
#pragma omp parallel for collapse(2) num_threads(queue.threads) schedule(static)
      for (std::int64_t k = 0; k < n[2]; ++k) {
        for (std::int64_t j = 0; j < n[1]; ++j) {
          const auto* const row = from + k * input.stride_k + j * input.stride_j;
          double* const to = values + (k * n[1] + j) * pitch;
          for (std::int64_t i = 0; i < n[0]; ++i)
            to[i] = static_cast<double>(row[i * input.stride_i]);
        }
      }
    };
    if (input.precision == Precision::double_) {
      copy(static_cast<const double*>(input.components[component]));
    } else {
      copy(static_cast<const float*>(input.components[component]));
    }
  }

  void transform_planes(double* values, const Index3& n, const Queue& queue) const override {
    const std::int64_t half = n[0] / 2 + 1;
    auto* const modes = reinterpret_cast<Complex*>(values);
    transform_lines(
        n[0], n[1] * n[2], queue.threads,
        [&](std::int64_t l, Complex* line) {
          for (std::int64_t i = 0; i < n[0]; ++i) line[i] = values[l * 2 * half + i];
        },
        [&](std::int64_t l, const Complex* line) {
          for (std::int64_t i = 0; i < half; ++i) modes[l * half + i] = line[i];
        });
    transform_in_place(modes, n[1], half, n[2] * half, queue.threads,
                       [&](std::int64_t l) { return l / half * (n[1] * half) + l % half; });
  }

  void transform_columns(double* values, std::int64_t n, std::int64_t columns,
                         const Queue& queue) const override {
    transform_in_place(reinterpret_cast<Complex*>(values), n, columns, columns, queue.threads,
                       [](std::int64_t l) { return l; });
  }

  std::vector<double> power(const double* values, std::int64_t count, double scale,
                            const Queue& queue) const override {
    const auto* const modes = reinterpret_cast<const Complex*>(values);
    std::vector<double> power(static_cast<std::size_t>(count));
#pragma omp parallel for num_threads(queue.threads) schedule(static)
    for (std::int64_t m = 0; m < count; ++m) {
      power[static_cast<std::size_t>(m)] = std::norm(modes[m] * scale);
    }
    return power;
  }
};
}  // namespace

const FourierSteps& fourier_steps_cpu() {
  static const StepsOnCpu steps;
  return steps;
}

}  // namespace watersmeet::solve::detail
