# SPDX-License-Identifier: Apache-2.0
# What CMake tells the judge, in four kinds of JSON files below <build>/kernelassay, each with what changes together:
#
#   <backend>.toolchain.json    how a backend's candidates are compiled, and what runs them
#   <task>/<backend>.plan.json  what a candidate of the task includes and is linked to; where the other files are
#   <task>/task.json            what the task is: labels, files, limits
#   settings.json               what is chosen at run time: effort, shapes, cache, profile, tier
#
# A candidate is compiled again where one of the first two changes, and where the others do not.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

# Sets <out> to <text> as a JSON string.
function(_kernel_json_string out text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()

# Sets the member <key> of the object in the variable <out> to a string.
function(_kernel_json_text out key text)
  _kernel_json_string(value "${text}")
  string(JSON object SET "${${out}}" ${key} "${value}")
  set(${out} "${object}" PARENT_SCOPE)
endfunction()

# Sets the member <key> of the object in the variable <out> to an array of the strings ARGN.
function(_kernel_json_list out key)
  set(values "")
  foreach(text IN LISTS ARGN)
    _kernel_json_string(value "${text}")
    list(APPEND values "${value}")
  endforeach()
  list(JOIN values "," values)
  string(JSON object SET "${${out}}" ${key} "[${values}]")
  set(${out} "${object}" PARENT_SCOPE)
endfunction()

# <backend>.toolchain.json, by the global properties of kernel_backend(). ARGN: another name for the file.
function(_kernel_write_toolchain backend)
  set(file ${backend} ${ARGN})
  list(GET file -1 file)
  foreach(field IN ITEMS SUFFIX INTERFACE BOX COMPILE READABLE DEVICES ENVIRONMENT LIBRARIES TYPES HEADERS STREAM)
    get_property(${field} GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_${field})
  endforeach()
  set(json "{\"version\": 2}")
  _kernel_json_text(json backend ${backend})
  _kernel_json_text(json suffix "${SUFFIX}")
  _kernel_json_text(json interface "${INTERFACE}")
  _kernel_json_text(json box "$<TARGET_FILE:KernelAssay::${BOX}>")
  _kernel_json_list(json compile ${COMPILE})
  _kernel_json_list(json readable ${READABLE})
  _kernel_json_list(json devices ${DEVICES})
  _kernel_json_list(json environment ${ENVIRONMENT})
  _kernel_json_list(json libraries ${LIBRARIES})
  set(types "{}")
  foreach(pair IN LISTS TYPES)
    string(REGEX MATCH "^([a-z0-9_]+)=(.+)$" pair "${pair}")
    _kernel_json_text(types ${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  endforeach()
  string(JSON json SET "${json}" types "${types}")
  _kernel_json_list(json headers ${HEADERS})
  _kernel_json_text(json stream "${STREAM}")
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/kernelassay/${file}.toolchain.json" CONTENT "${json}\n")
endfunction()

# <task>/<backend>.plan.json.
function(_kernel_write_plan name backend)
  set(root "${CMAKE_BINARY_DIR}/kernelassay")
  get_property(interface GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_INTERFACE)
  _kernel_context_of(target ${name} ${backend})
  get_target_property(context ${target} INTERFACE_INCLUDE_DIRECTORIES)
  set(stub "")
  if(interface STREQUAL "function")
    set(stub $<TARGET_OBJECTS:${name}.stub.${backend}>)
  endif()
  get_property(json GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_PLAN)
  if("${json}" STREQUAL "")
    set(json "{\"version\": 2}")
    _kernel_json_text(json toolchain "${root}/${backend}.toolchain.json")
    _kernel_json_text(json settings "${root}/settings.json")
    set_property(GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_PLAN "${json}")
  endif()
  _kernel_json_text(json task "${root}/${name}/task.json")
  _kernel_json_list(json context ${context})
  _kernel_json_text(json stub "${stub}")
  file(GENERATE OUTPUT "${root}/${name}/${backend}.plan.json" CONTENT "${json}\n")
endfunction()

# <task>/task.json. <harness>: the library of the task's own C++, or empty. ARGN: its suites.
function(_kernel_write_task name category difficulty task_file harness time_limit memory_limit)
  set(json "{\"version\": 2, \"difficulty\": ${difficulty}, \"time_limit\": ${time_limit}, \"memory_limit\": ${memory_limit}}")
  _kernel_json_text(json task ${name})
  _kernel_json_text(json category ${category})
  _kernel_json_list(json suites ${ARGN})
  _kernel_json_text(json task_yaml "${task_file}")
  _kernel_json_text(json harness "${harness}")
  _kernel_json_text(json cases "${CMAKE_BINARY_DIR}/kernelassay/${name}/cases.bin")
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/kernelassay/${name}/task.json" CONTENT "${json}\n")
endfunction()

set(_kernel_python_folder "${CMAKE_CURRENT_LIST_DIR}/python")  # of the package
if(NOT IS_DIRECTORY "${_kernel_python_folder}")
  cmake_path(SET _kernel_python_folder NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../harness/python")
endif()
set_property(GLOBAL PROPERTY KERNELASSAY_PYTHON_FOLDER "${_kernel_python_folder}")
unset(_kernel_python_folder)

# Sets <out> to a JSON object: how PyTorch evaluates a task's torch line, by the Python of KERNELASSAY_TORCH_PYTHON.
function(_kernel_describe_torch out)
  find_program(KERNELASSAY_TORCH_PYTHON NAMES python3 DOC "A Python that can import torch")
  execute_process(COMMAND "${KERNELASSAY_TORCH_PYTHON}" -B -c
    "import sys, torch; print('torch', torch.__version__); print(torch.version.cuda is not None); print(*{sys.executable, sys.prefix, sys.base_prefix, *filter(None, sys.path)}, sep='\\n')"
    OUTPUT_VARIABLE said ERROR_VARIABLE error OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE code)
  if(NOT code STREQUAL "0")
    message(FATAL_ERROR "KERNELASSAY_BASELINE=torch: '${KERNELASSAY_TORCH_PYTHON}' has no PyTorch: ${error}. do: scripts/setup --with torch, or set "
                        "KERNELASSAY_TORCH_PYTHON to a Python that can import torch")
  endif()
  get_property(folder GLOBAL PROPERTY KERNELASSAY_PYTHON_FOLDER)
  string(REPLACE "\n" ";" paths "${said}")
  list(POP_FRONT paths name cuda)
  list(REMOVE_ITEM paths /usr)  # of which a box of ours sees what programs need
  set(json "{}")
  _kernel_json_text(json name "${name}")
  string(TOLOWER "${cuda}" cuda)
  string(JSON json SET "${json}" cuda ${cuda})
  _kernel_json_list(json command "${KERNELASSAY_TORCH_PYTHON}" -B "${folder}/torch_baseline.py")
  _kernel_json_list(json readable "${folder}" ${paths} /proc/cpuinfo /sys/devices/system)  # PyTorch counts processors
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# settings.json, by the cache variables that kernel_task() names.
function(_kernel_write_settings)
  set(root "${CMAKE_BINARY_DIR}/kernelassay")
  set(json "{\"version\": 2}")
  _kernel_json_text(json compiler "$<TARGET_FILE:KernelAssay::assay-compile>")
  _kernel_json_text(json judge "$<TARGET_FILE:KernelAssay::assay-judge>")
  _kernel_json_text(json baseline "$<TARGET_FILE:KernelAssay::assay-baseline>")
  if(KERNELASSAY_BASELINE STREQUAL "torch")
    _kernel_describe_torch(torch)
    string(JSON json SET "${json}" torch "${torch}")
  endif()
  _kernel_json_text(json escape "$<TARGET_FILE:KernelAssay::assay-escape>")
  _kernel_json_text(json sandbox "${root}/sandbox.json")
  _kernel_json_text(json machine "${root}/machine.json")
  _kernel_json_text(json require_tier "${KERNELASSAY_REQUIRE_TIER}")
  _kernel_json_text(json effort "${KERNELASSAY_EFFORT}")
  _kernel_json_text(json shapes "${KERNELASSAY_SHAPES}")
  _kernel_json_text(json cache "${KERNELASSAY_CACHE}")
  _kernel_json_text(json profile "${KERNELASSAY_PROFILE}")
  file(GENERATE OUTPUT "${root}/settings.json" CONTENT "${json}\n")
endfunction()
