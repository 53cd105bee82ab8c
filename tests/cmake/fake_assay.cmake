# SPDX-License-Identifier: Apache-2.0
# The imported executables of find_package(KernelAssay), with the stand-in of fake_assay.sh behind them.
foreach(tool IN ITEMS assay assay-context assay-compile assay-judge assay-program assay-box assay-baseline assay-escape assay-cuda)
  add_executable(KernelAssay::${tool} IMPORTED GLOBAL)
  set_target_properties(KernelAssay::${tool} PROPERTIES IMPORTED_LOCATION "${CMAKE_CURRENT_LIST_DIR}/fake_assay.sh")
endforeach()
