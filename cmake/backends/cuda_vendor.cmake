# SPDX-License-Identifier: Apache-2.0
# As cuda_host, with NVIDIA's libraries where the toolkit has them, cuDNN among them; candidates are <NNN>.vendor.cu.
include("${CMAKE_CURRENT_LIST_DIR}/../KernelCuda.cmake")
_kernel_cuda_host(arguments cublas cublasLt cufft curand cusolver cusparse nvJitLink cudnn)
kernel_backend(cuda_vendor SUFFIX .vendor.cu ${arguments})
unset(arguments)
