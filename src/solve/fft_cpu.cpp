// Power of a three-dimensional real field on the CPU: one-dimensional KissFFT transforms along the
// three axes.
#include <complex>
#include <kissfft.hh>

#include "solve/spectra.hpp"

namespace watersmeet::solve::detail {

namespace {
using Complex = std::complex<double>;

// Transforms n values at `stride` of each other, for every line that `first(line)` names.
template <class First>
void transform_lines(std::vector<Complex>& values, std::int64_t n, std::int64_t stride,
                     std::int64_t lines, First first, int threads) {
  if (n == 1) return;
#pragma omp parallel num_threads(threads)
  {
    const std::size_t length = static_cast<std::size_t>(n);
    kissfft<double> fft(length, false);
    std::vector<Complex> line(length), transformed(length);
#pragma omp for schedule(static)
    for (std::int64_t l = 0; l < lines; ++l) {
      Complex* const start = values.data() + first(l);
      for (std::int64_t i = 0; i < n; ++i) line[static_cast<std::size_t>(i)] = start[i * stride];
      fft.transform(line.data(), transformed.data());
      for (std::int64_t i = 0; i < n; ++i)
        start[i * stride] = transformed[static_cast<std::size_t>(i)];
    }
  }
}
}  // namespace

std::vector<double> power_cpu(const SpectrumInput& input, std::size_t component,
                              const Queue& queue) {
  const std::int64_t nx = input.n[0], ny = input.n[1], nz = input.n[2], half = nx / 2 + 1;
  std::vector<Complex> values(static_cast<std::size_t>(half * ny * nz));
#pragma omp parallel num_threads(queue.threads)
  {
    const std::size_t length = static_cast<std::size_t>(nx);
    kissfft<double> fft(length, false);
    std::vector<Complex> row(length), transformed(length);
#pragma omp for collapse(2) schedule(static)
    for (std::int64_t k = 0; k < nz; ++k) {
      for (std::int64_t j = 0; j < ny; ++j) {
        const std::int64_t from = k * input.stride_k + j * input.stride_j;
        for (std::int64_t i = 0; i < nx; ++i) {
          row[static_cast<std::size_t>(i)] =
              input.precision == Precision::double_
                  ? static_cast<const double*>(input.components[component])[from + i]
                  : double(static_cast<const float*>(input.components[component])[from + i]);
        }
        if (nx > 1) {
          fft.transform(row.data(), transformed.data());
        } else {
          transformed = row;
        }
        for (std::int64_t i = 0; i < half; ++i) {
          values[static_cast<std::size_t>((k * ny + j) * half + i)] =
              transformed[static_cast<std::size_t>(i)];
        }
      }
    }
  }
  transform_lines(
      values, ny, half, nz * half,
      [&](std::int64_t l) { return l / half * (ny * half) + l % half; }, queue.threads);
  transform_lines(
      values, nz, ny * half, ny * half, [](std::int64_t l) { return l; }, queue.threads);
  const double scale = 1.0 / (double(nx) * double(ny) * double(nz));
  std::vector<double> power(values.size());
#pragma omp parallel for num_threads(queue.threads) schedule(static)
  for (std::size_t i = 0; i < values.size(); ++i) power[i] = std::norm(values[i] * scale);
  return power;
}

}  // namespace watersmeet::solve::detail
