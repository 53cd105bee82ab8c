# SPDX-License-Identifier: Apache-2.0
# OpenCL C through the ICD loader: PoCL on a processor, or a GPU's own driver (ASSAY_OPENCL_DEVICE chooses; OCL_ICD_VENDORS is
# the loader's own variable, a folder of drivers). Candidates are <NNN>.cl, device code with a launch block (docs/launch.md).
kernel_backend(opencl
  SUFFIX      .cl
  MEMORY      opencl
  READABLE    /etc/OpenCL /usr/share/pocl /usr/local/nvidia /sys/devices/system /proc/cpuinfo /proc/driver/nvidia
  DEVICES     /dev/nvidia* /dev/dri /dev/kfd
  ENVIRONMENT ASSAY_OPENCL_DEVICE OCL_ICD_VENDORS
  FLAGS       -cl-std=CL1.2)
