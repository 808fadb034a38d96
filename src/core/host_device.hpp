#pragma once
// The one macro that lets a function be called on the host and in a kernel, and the two hints that
// kernels need.

#if defined(__CUDACC__)
#define WM_HD __host__ __device__ __forceinline__
#else
#define WM_HD inline __attribute__((always_inline))
#endif

#if defined(__CUDA_ARCH__)
#define WM_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define WM_UNROLL  // nvcc's host pass knows neither
#else
#define WM_UNROLL _Pragma("GCC unroll 16")
#endif
