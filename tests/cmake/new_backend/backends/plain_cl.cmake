# SPDX-License-Identifier: Apache-2.0
# OpenCL C without optimisation; candidates are <NNN>.ocl.
kernel_backend(plain_cl SUFFIX .ocl INTERFACE launch_block MEMORY opencl READABLE /etc/OpenCL /usr/share/pocl /sys/devices/system /proc/cpuinfo
               ENVIRONMENT OCL_ICD_VENDORS FLAGS -cl-std=CL1.2 -cl-opt-disable)
