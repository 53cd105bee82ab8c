# SPDX-License-Identifier: Apache-2.0
# OpenCL C through the ICD loader: PoCL on a processor, or a GPU's own driver (ASSAY_OPENCL_DEVICE chooses; OCL_ICD_VENDORS is
# the loader's own variable, a folder of drivers). Candidates are <NNN>.cl, device code with a launch block (docs/launch.md).
set(KERNELASSAY_OPENCL_RESOURCES "" CACHE STRING "CTest resources that a test on an OpenCL device takes (gpus:1); ids are the devices' numbers")
set(resources "")
if(NOT KERNELASSAY_OPENCL_RESOURCES STREQUAL "")
  set(resources RESOURCES ${KERNELASSAY_OPENCL_RESOURCES})
endif()
_kernel_nvidia_driver_files(driver)
kernel_backend(opencl
  SUFFIX      .cl
  INTERFACE   launch_block
  MEMORY      opencl
  READABLE    /etc/OpenCL /usr/share/pocl /proc/cpuinfo ${driver}
  DEVICES     /dev/nvidia* /dev/dri /dev/kfd
  ENVIRONMENT ASSAY_OPENCL_DEVICE OCL_ICD_VENDORS
  FLAGS       -cl-std=CL1.2
  ${resources})
unset(driver)
unset(resources)
