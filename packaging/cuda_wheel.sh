#!/usr/bin/env bash
# For tools/wheel.sh: makes an unpacked wheel, the folder of the argument, one with CUDA. It gets another name, depends on NVIDIA's packages of the libraries, and
# finds these beside itself in site-packages. Program and module are linked with cuFFT and cuBLAS and open NVRTC and NCCL where a run needs them.
set -euo pipefail
cd -- "$1"
information=$(echo watersmeet-*.dist-info)
mv "$information" "watersmeet_cuda${information#watersmeet}"
sed -i 's/^Name: watersmeet$/Name: watersmeet-cuda/
  0,/^Requires-Dist:/{/^Requires-Dist:/i\
Requires-Dist: nvidia-cublas<14,>=13\
Requires-Dist: nvidia-cufft<13,>=12\
Requires-Dist: nvidia-cuda-nvrtc<14,>=13\
Requires-Dist: nvidia-nccl-cu13
}' watersmeet_cuda-*.dist-info/METADATA
for file in watersmeet/bin/watersmeet watersmeet/_engine*.so; do
  up=$(dirname "$file" | sed 's,[^/]\+,..,g')
  patchelf --set-rpath "\$ORIGIN/$up/nvidia/cu13/lib:\$ORIGIN/$up/nvidia/nccl/lib" "$file"
done
