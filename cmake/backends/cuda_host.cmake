# SPDX-License-Identifier: Apache-2.0
# CUDA with host code of the candidate's own, which launches its kernels; candidates are <NNN>.host.cu. docs/cuda.md says what is believed of
# it. NVIDIA's libraries are the backend cuda_vendor's.
include("${CMAKE_CURRENT_LIST_DIR}/../KernelCuda.cmake")
_kernel_cuda_host(arguments)
kernel_backend(cuda_host SUFFIX .host.cu ${arguments})
unset(arguments)
