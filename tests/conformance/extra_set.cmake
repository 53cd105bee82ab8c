# SPDX-License-Identifier: Apache-2.0

#[=======================================================================[.rst:
.. command:: conformance_extra_set

  Adds the test ``conformance.<name>`` for one more set of ONNX backend tests::

    conformance_extra_set(<path>)

  ``<path>``, relative to the top source folder, is a folder or an archive that ``cmake -E tar`` reads; ``<name>`` is its
  file name up to the first dot. An archive is unpacked in the build tree, again when it is newer.
#]=======================================================================]
function(conformance_extra_set path)
  cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" NORMALIZE)
  cmake_path(GET path STEM name)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "KERNELASSAY_ONNX_TESTS_EXTRA: no such folder or archive: ${path}. "
                        "do: give a folder of ONNX backend tests, or an archive of one")
  endif()
  if(NOT name MATCHES "^[A-Za-z0-9_-]+$")
    message(FATAL_ERROR "KERNELASSAY_ONNX_TESTS_EXTRA: bad name. got: '${name}' of ${path}. "
                        "do: call the folder or archive by letters, digits, _ and -")
  endif()
  if(TEST conformance.${name})
    message(FATAL_ERROR "KERNELASSAY_ONNX_TESTS_EXTRA: two sets are called '${name}'. do: rename ${path}")
  endif()
  if(IS_DIRECTORY "${path}")
    conformance_tests(${name} "${path}")
    return()
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/sets/${name}")
  add_custom_command(OUTPUT "${folder}.unpacked"
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${folder}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
    COMMAND ${CMAKE_COMMAND} -E chdir "${folder}" ${CMAKE_COMMAND} -E tar xf "${path}"
    COMMAND ${CMAKE_COMMAND} -E touch "${folder}.unpacked"
    DEPENDS "${path}" COMMENT "Unpacking ${path}" VERBATIM)
  add_custom_target(conformance_set_${name} ALL DEPENDS "${folder}.unpacked")
  conformance_tests(${name} "${folder}")
endfunction()
