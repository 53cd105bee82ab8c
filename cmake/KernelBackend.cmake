# SPDX-License-Identifier: Apache-2.0
# kernel_backend(): declares a way to build and run candidates. What it learns lies in global properties:
# KERNELASSAY_BACKENDS (the names of those that are on), KERNELASSAY_DECLARED_BACKENDS (of all), KERNELASSAY_BACKEND_OF_<suffix> (from a file to its backend),
# KERNELASSAY_BACKEND_<name>_{SUFFIX,OFF,INTERFACE,LANGUAGE,MEMORY,BOX,COMPILE,READABLE,BOX_READABLE,DEVICES,ENVIRONMENT,LIBRARIES,
# RESOURCES,COMPILE_ONLY,TYPES,HEADERS,INCLUDE,STREAM}, and _OWN_CONTEXT: what the targets of a kernel.h of its own end with.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

#[=======================================================================[.rst:
kernel_backend
--------------

.. code-block:: cmake

  kernel_backend(<name> SUFFIX <.suffix> [OFF <why>] [INTERFACE function|launch_block] [LANGUAGE <language>] [COMPILER <program>] [MEMORY <kind>]
    [REQUIRES <package>...] [READABLE <path>...] [BOX_READABLE <path>...] [LIBRARIES <file>...] [DEVICES <pattern>...]
    [ENVIRONMENT <variable>...] [RESOURCES <group>...] [COMPILE_ONLY <why>] [TYPES <type>=<name>...] [HEADERS <header>...]
    [INCLUDE <folder>...] [STREAM <type>] [FLAGS <flag>...])

Candidates are files that end in ``SUFFIX``. ``INTERFACE`` says what is in them:

``function`` (the default)
  The function that kernel.h declares. The compiler of ``LANGUAGE`` (a CMake language) with ``FLAGS`` makes one shared library of
  sources and objects in one command: ``<compiler> <flags> <sources> -o <library>``. The library may need the C and C++ libraries,
  OpenMP and ``LIBRARIES``, and no others. ``COMPILER`` is a program of ``READABLE`` that compiles by the compiler of ``LANGUAGE``, which it gets as ``-ccbin`` (nvcc).
``launch_block``
  Device code with a launch block (docs/launch.md). The program of ``MEMORY`` builds and launches it.

``MEMORY`` says where a kernel's buffers lie: ``host`` (the default), where ``assay-box`` runs candidates, or a device, where
``KernelAssay::assay-<kind>`` does (``assay-<kind> box --device <selector> --cache <folder> <binary> <kernel>...``, over the wire
of ``assay/wire/wire.h``). A function that works on a device's memory is host code: ``assay-<kind> host --device <selector> --cache
<folder> <library>`` runs it, by the protocol of ``wire::Seal``, and sees ``BOX_READABLE`` beside its libraries. In ``FLAGS``,
``{architecture}`` is then what ``assay-<kind> describe`` says of the device. With a launch block, ``assay-<kind> build <flags> <source> -o <binary>`` is the compiler. It may load all
drivers of the machine, and some open sockets: a socket is refused with an error and does not end it. Its first act is to write
``<binary>.json``, which describes the device in one flat JSON object. A program that prints this object for ``assay-<kind> describe`` finds
it there, and no device files. If it ends before that, or with status 3, it is run again. If
the second run ends in the same way, and so does a run on a source of the judge's own, the machine is to blame: a HARNESS_ERROR, with
the last line that it printed. Any other failure is that of the source: a COMPILE_ERROR. ``assay-<kind> devices`` lists the devices.

With ``OFF``, or if CMake does not find the compiler, the program or a package of ``REQUIRES``, the backend is *off*: a status line says why, and its
candidates are named and not built. With ``COMPILE_ONLY`` candidates are compiled, and their stages test and bench are disabled: CTest
reports them as not run. ``<why>`` tells the reason in the same status line (``no processor of this kind is here``).

``TYPES`` says which types of the compiler stand for ONNX's short reals in kernel.h (``float16``, ``bfloat16``, ``float8_e4m3``,
``float8_e5m2``: ``bfloat16=__bf16``), and ``HEADERS`` what declares them. A type that is not named is its bits in kernel.h; in C++ all but
``float16`` are then classes that convert to float and back.
``INCLUDE`` are the folders of ``HEADERS``, where the compiler of C++ does not know them.
``STREAM`` is the type of a last parameter of every kernel, an order of work such as ``cudaStream_t``; the box of ``MEMORY`` passes it.

``READABLE`` are further files and folders that compiler and box may read.
``DEVICES`` are patterns of device files that they may open for writing (``/dev/nvidia*``). A box gets them where its device is no CPU,
and with them what drivers need: its own ``/proc/self``, and an unlimited address space (memory stays limited).
``ENVIRONMENT`` are variables that compiler and box get from the environment of the build and of CTest, where they are set there. They may
read a value that is an absolute path, or a list of them with colons. They get no other variable.

``RESOURCES`` are CTest resource groups (``gpus:1``), which the stages test and bench then hold. Benches of such a backend run side by
side, in turns where they share a device; those of others run alone. A resource becomes a device by its id, the number of a device: a selector ends
in ``#<number>`` where several devices have one name, and the number of what CTest has allotted takes its place (one group, whose
first resource is the device).

In the sandbox a C or C++ compiler sees its own programs, their libraries, what it links to by ``FLAGS``, the standard headers
(``toolchain_headers.cpp``) and nothing else of ``/usr``; another one sees the system's programs, libraries and headers.

Call it at file scope, before the first ``kernel_task()``. ``<name>`` is ``[a-z][a-z0-9_]*``.
#]=======================================================================]
function(kernel_backend name)
  set(who "kernel_backend(${name})")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SUFFIX;OFF;INTERFACE;LANGUAGE;COMPILER;MEMORY;COMPILE_ONLY;STREAM"
    "TYPES;HEADERS;INCLUDE;REQUIRES;READABLE;BOX_READABLE;LIBRARIES;DEVICES;ENVIRONMENT;RESOURCES;FLAGS")
  _kernel_check_arguments("${who}" "SUFFIX OFF INTERFACE LANGUAGE COMPILER MEMORY REQUIRES READABLE BOX_READABLE LIBRARIES DEVICES ENVIRONMENT RESOURCES COMPILE_ONLY TYPES HEADERS INCLUDE STREAM FLAGS" SUFFIX)
  set(box assay-box)
  set(memory "")
  if(NOT "${arg_MEMORY}" MATCHES "^(host)?$")
    set(memory ${arg_MEMORY})
    set(box assay-${memory})
  endif()
  _kernel_choose_interface(interface "${who}" "${arg_INTERFACE}" "${arg_LANGUAGE}" ${box})
  _kernel_check_name("${who}" "${name}" "^[a-z][a-z0-9_]*$")
  _kernel_check_name("${who}: SUFFIX" "${arg_SUFFIX}" "^(\\.[A-Za-z0-9_]+)+$")
  foreach(pair IN LISTS arg_TYPES)
    _kernel_check_name("${who}: TYPES" "${pair}" "^(b?float16|float8_e4m3|float8_e5m2)=[A-Za-z_][A-Za-z0-9_: ]*$")
  endforeach()
  foreach(variable IN LISTS arg_ENVIRONMENT)
    _kernel_check_name("${who}: ENVIRONMENT" "${variable}" "^[A-Za-z_][A-Za-z0-9_]*$")
  endforeach()
  get_property(owner GLOBAL PROPERTY KERNELASSAY_BACKEND_OF_${arg_SUFFIX})
  if(NOT "${owner}" STREQUAL "")
    message(FATAL_ERROR "${who}: suffix ${arg_SUFFIX} belongs to backend ${owner}. do: choose another")
  endif()
  get_property(declared GLOBAL PROPERTY KERNELASSAY_BACKEND_${name}_SUFFIX SET)
  if(declared)
    message(FATAL_ERROR "${who}: declared twice. do: choose another name")
  endif()
  get_property(tasks GLOBAL PROPERTY KERNELASSAY_TASKS)
  if(NOT "${tasks}" STREQUAL "")
    list(GET tasks 0 first_task)
    message(FATAL_ERROR "${who}: comes after kernel_task(${first_task}), which then lacks it. do: declare it before")
  endif()

  set(property KERNELASSAY_BACKEND_${name})
  set_property(GLOBAL PROPERTY KERNELASSAY_BACKEND_OF_${arg_SUFFIX} ${name})
  set_property(GLOBAL PROPERTY ${property}_SUFFIX ${arg_SUFFIX})
  set_property(GLOBAL APPEND PROPERTY KERNELASSAY_DECLARED_BACKENDS ${name})
  _kernel_why_backend_off(reason "${arg_LANGUAGE}" ${box} ${arg_REQUIRES})
  if(NOT "${arg_OFF}" STREQUAL "")
    set(reason "${arg_OFF}")
  elseif(reason STREQUAL "" AND NOT "${arg_COMPILER}" STREQUAL "" AND NOT EXISTS "${arg_COMPILER}")
    set(reason "no ${arg_COMPILER} found")
  endif()
  set_property(GLOBAL PROPERTY ${property}_OFF "${reason}")
  if(NOT reason STREQUAL "")
    message(STATUS "backend ${name}: off (${reason})")
    return()
  endif()
  if(interface STREQUAL "launch_block")
    set(compiler KernelAssay::${box})
    set(command $<TARGET_FILE:${compiler}> build ${arg_FLAGS})
    _kernel_system_folders(readable)
    set(libraries "")
  else()
    set(compiler "${CMAKE_${arg_LANGUAGE}_COMPILER}")
    separate_arguments(first UNIX_COMMAND "${CMAKE_${arg_LANGUAGE}_COMPILER_ARG1}")
    _kernel_installed_compiler(installed "${compiler}")
    set(command "${installed}" ${first})
    if("${arg_COMPILER}" STREQUAL "")
      list(APPEND command ${arg_FLAGS})
      _kernel_toolchain_view(readable ${arg_LANGUAGE} ${command})
    else()
      _kernel_toolchain_view(readable ${arg_LANGUAGE} ${command} -shared -fPIC -fopenmp)
    endif()
    _kernel_runtime_libraries(libraries "${compiler}" ${first})
    if(NOT "${arg_COMPILER}" STREQUAL "")
      set(command "${arg_COMPILER}" -ccbin "${installed}" ${arg_FLAGS})
      set(compiler "${arg_COMPILER}")
    endif()
  endif()
  set_property(GLOBAL PROPERTY ${property}_INTERFACE ${interface})
  set_property(GLOBAL PROPERTY ${property}_LANGUAGE ${arg_LANGUAGE})
  set_property(GLOBAL PROPERTY ${property}_MEMORY "${memory}")
  set_property(GLOBAL PROPERTY ${property}_BOX ${box})
  set_property(GLOBAL PROPERTY ${property}_COMPILE ${command})
  set_property(GLOBAL PROPERTY ${property}_READABLE ${readable} ${arg_READABLE})
  set_property(GLOBAL PROPERTY ${property}_BOX_READABLE ${arg_BOX_READABLE})
  set_property(GLOBAL PROPERTY ${property}_DEVICES ${arg_DEVICES})
  set_property(GLOBAL PROPERTY ${property}_ENVIRONMENT ${arg_ENVIRONMENT})
  set_property(GLOBAL PROPERTY ${property}_LIBRARIES ${libraries} ${arg_LIBRARIES})
  set_property(GLOBAL PROPERTY ${property}_RESOURCES ${arg_RESOURCES})
  set_property(GLOBAL PROPERTY ${property}_TYPES ${arg_TYPES})
  set_property(GLOBAL PROPERTY ${property}_HEADERS ${arg_HEADERS})
  set_property(GLOBAL PROPERTY ${property}_INCLUDE ${arg_INCLUDE})
  set_property(GLOBAL PROPERTY ${property}_STREAM "${arg_STREAM}")
  if(NOT "${arg_TYPES}${arg_HEADERS}${arg_STREAM}" STREQUAL "")
    set_property(GLOBAL PROPERTY ${property}_OWN_CONTEXT .${name})
  endif()
  set_property(GLOBAL PROPERTY ${property}_COMPILE_ONLY "${arg_COMPILE_ONLY}")
  set_property(GLOBAL APPEND PROPERTY KERNELASSAY_BACKENDS ${name})
  _kernel_write_toolchain(${name})
  set(note "")
  if(NOT "${arg_COMPILE_ONLY}" STREQUAL "")
    set(note ", compiles only (${arg_COMPILE_ONLY})")
  endif()
  message(STATUS "backend ${name}: ${compiler}${note}")
endfunction()

# Sets <out> to <interface>, or to the default where it is empty. Refuses one without what makes its candidates.
function(_kernel_choose_interface out who interface language box)
  if(interface STREQUAL "")
    set(interface function)
  endif()
  if(interface STREQUAL "function")
    if(language STREQUAL "")
      message(FATAL_ERROR "${who}: INTERFACE function needs a LANGUAGE. do: name a CMake language, or INTERFACE launch_block")
    endif()
  elseif(interface STREQUAL "launch_block")
    if(box STREQUAL "assay-box" OR NOT language STREQUAL "")
      message(FATAL_ERROR "${who}: INTERFACE launch_block needs the MEMORY of a device, whose program is the compiler, and no LANGUAGE")
    endif()
  else()
    message(FATAL_ERROR "${who}: INTERFACE must be function or launch_block. got: '${interface}'")
  endif()
  set(${out} ${interface} PARENT_SCOPE)
endfunction()

# Sets <out> to why a backend cannot be built, empty if it can. ARGN: packages.
function(_kernel_why_backend_off out language box)
  set(reason "")
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT CXX IN_LIST enabled)  # the stub that every candidate is linked to is C++
    set(reason "this project does not enable the language CXX")
  elseif(language AND NOT language IN_LIST enabled)
    include(CheckLanguage)
    check_language(${language})
    if(NOT CMAKE_${language}_COMPILER)
      set(reason "no ${language} compiler found")
    endif()
  endif()
  foreach(package IN LISTS ARGN)
    if(reason STREQUAL "")
      find_package(${package} QUIET)
      if(NOT ${package}_FOUND)
        set(reason "package ${package} not found")
      endif()
    endif()
  endforeach()
  if(reason STREQUAL "" AND NOT box STREQUAL "assay-box" AND NOT TARGET KernelAssay::${box})
    set(reason "this KernelAssay was built without ${box}")
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Programs and libraries of the system.
function(_kernel_system_folders out)
  set(${out} /usr/bin /usr/lib /usr/lib32 /usr/lib64 /usr/libexec /bin /lib /lib32 /lib64 /etc/ld.so.cache /etc/alternatives
      PARENT_SCOPE)
endfunction()

# What NVIDIA's driver reads of a machine, its libraries aside.
function(_kernel_nvidia_driver_files out)
  set(${out} /usr/local/nvidia /sys/devices/system /proc/driver/nvidia PARENT_SCOPE)
endfunction()

# All that the compiler of <language> needs to see. ARGN: its command line's beginning.
function(_kernel_toolchain_view out language compiler)
  _kernel_compiler_folder(view "${compiler}")
  if(language MATCHES "^(C|CXX)$")
    _kernel_toolchain_files(files "${compiler}" ${ARGN})
  else()
    _kernel_system_folders(files)
    list(APPEND files /usr/include)
  endif()
  set(${out} "${view}" "${files}" PARENT_SCOPE)
endfunction()

# The files of a C or C++ compiler by name: it, the programs that it starts, their libraries, what a link opens, and the headers
# behind toolchain_headers.cpp. Whatever else lies beside them stays hidden, for .incbin reads any file. Asking takes the compiler
# some seconds: the answer is kept.
function(_kernel_toolchain_files out compiler)
  set(probe "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/toolchain_headers.cpp")
  string(SHA1 key "${compiler};${ARGN}")
  set(cache KERNELASSAY_TOOLCHAIN_${key})
  _kernel_times(times "${probe}" "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" ${${cache}})
  if(NOT DEFINED ${cache} OR NOT "${times}" STREQUAL "${${cache}_TIMES}")
    set(command "${compiler}" ${ARGN})
    _kernel_toolchain_programs(programs ${command})
    _kernel_shared_libraries(libraries ${programs})
    _kernel_link_inputs(inputs ${command})
    _kernel_standard_headers(headers ${command})
    set(view ${programs} ${libraries} ${inputs} ${headers} /etc/ld.so.cache)
    list(REMOVE_DUPLICATES view)
    _kernel_times(times "${probe}" "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" ${view})
    set(${cache} "${view}" CACHE INTERNAL "files that a candidate's compiler may read")
    set(${cache}_TIMES "${times}" CACHE INTERNAL "when they were written")
  endif()
  # A package that is upgraded may bring other libraries.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${compiler}" /etc/ld.so.cache)
  set(${out} "${${cache}}" PARENT_SCOPE)
endfunction()

# Sets <out> to a fingerprint of the files' times of modification. ARGN: the files.
function(_kernel_times out)
  set(times "")
  foreach(path IN LISTS ARGN)
    file(TIMESTAMP "${path}" time)
    string(APPEND times "${time};")
  endforeach()
  string(SHA1 times "${times}")
  set(${out} ${times} PARENT_SCOPE)
endfunction()

# The compiler and what it starts or loads. ARGN: its command line's beginning.
function(_kernel_toolchain_programs out)
  list(GET ARGN 0 programs)
  file(READ "${programs}" first_line LIMIT 128)
  if("${first_line}" MATCHES "^#! *(/[^ \n]+)")  # a script around a compiler
    list(APPEND programs "${CMAKE_MATCH_1}")
  endif()
  set(names cc1 cc1plus collect2 as ld lto-wrapper)
  if("${ARGN}" MATCHES "-fuse-ld=([^;]+)")
    list(APPEND names ld.${CMAKE_MATCH_1})
  endif()
  if("${ARGN}" MATCHES "-flto")
    list(APPEND names lto1)
  endif()
  foreach(name IN LISTS names)
    execute_process(COMMAND ${ARGN} -print-prog-name=${name} OUTPUT_VARIABLE path ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT IS_ABSOLUTE "${path}")  # looked up in the PATH that the sandbox has
      find_program(_kernel_program NAMES ${name} PATHS /usr/bin /bin NO_DEFAULT_PATH NO_CACHE)
      set(path "${_kernel_program}")
      unset(_kernel_program)
    endif()
    list(APPEND programs "${path}")
    cmake_path(GET path PARENT_PATH folder)
    list(APPEND programs "${folder}/liblto_plugin.so")  # of the linker, which lies beside collect2
  endforeach()
  execute_process(COMMAND ${ARGN} -print-file-name=libgomp.spec OUTPUT_VARIABLE path ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND programs "${path}")
  _kernel_existing_files(programs ${programs})
  set(${out} "${programs}" PARENT_SCOPE)
endfunction()

# What the loader opens for each of the programs ARGN.
function(_kernel_shared_libraries out)
  set(libraries "")
  foreach(program IN LISTS ARGN)
    execute_process(COMMAND ldd "${program}" OUTPUT_VARIABLE text ERROR_QUIET)
    string(REGEX MATCHALL "/[^ \n:]+ \\(0x" paths "${text}")
    list(TRANSFORM paths REPLACE " .*" "")
    list(APPEND libraries ${paths})
  endforeach()
  _kernel_existing_files(libraries ${libraries})
  set(${out} "${libraries}" PARENT_SCOPE)
endfunction()

# The files that the linker opens for a library of one object, compiled by the command ARGN.
function(_kernel_link_inputs out)
  set(folder "${CMAKE_BINARY_DIR}/CMakeFiles/kernelassay")
  file(WRITE "${folder}/link_probe.cpp" "extern int kernel; int kernel = 0;\n")
  execute_process(COMMAND ${ARGN} -x c++ "${folder}/link_probe.cpp" -Wl,--trace -o "${folder}/link_probe.so"
                  OUTPUT_VARIABLE trace ERROR_VARIABLE error RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    string(STRIP "${error}" error)
    message(FATAL_ERROR "kernel_backend: ${command} makes no shared library of a source. got: ${error}. do: check the backend's FLAGS")
  endif()
  string(REGEX MATCHALL "/[^\n() ]+" paths "${trace}\n${error}")  # a linker that says it elsewhere
  list(FILTER paths EXCLUDE REGEX "^/tmp/")
  _kernel_shared_libraries(libraries "${folder}/link_probe.so")
  _kernel_existing_files(paths ${paths} ${libraries})
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()

# Those of ARGN that are files, by the names that they are opened by, without "..".
function(_kernel_existing_files out)
  set(files "")
  foreach(path IN LISTS ARGN)
    cmake_path(NORMAL_PATH path)
    if(IS_ABSOLUTE "${path}" AND EXISTS "${path}" AND NOT IS_DIRECTORY "${path}")
      list(APPEND files "${path}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES files)
  set(${out} "${files}" PARENT_SCOPE)
endfunction()

# The headers behind toolchain_headers.cpp for the command ARGN: whole folders where they are the compiler's or the C library's, and
# single files of those folders that everybody installs to.
function(_kernel_standard_headers out)
  set(probe "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/toolchain_headers.cpp")
  execute_process(COMMAND ${ARGN} -M "${probe}" OUTPUT_VARIABLE rule ERROR_VARIABLE error RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    string(STRIP "${error}" error)
    message(FATAL_ERROR "kernel_backend: ${command} cannot list its standard headers. got: ${error}. do: check the backend's FLAGS")
  endif()
  string(REGEX MATCHALL "/[^ \n\\]+" files "${rule}")
  set(view "")
  foreach(file IN LISTS files)
    cmake_path(NORMAL_PATH file)
    if(file STREQUAL probe)
      continue()
    elseif(file MATCHES "^(/usr(/local)?/include/([^/]*-linux-gnu[^/]*/)?[^/]+)")
      list(APPEND view "${CMAKE_MATCH_1}")
    elseif(file MATCHES "^(.*/(gcc|clang)/.*/include(-fixed)?)/")
      list(APPEND view "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  _kernel_clang_folders(folders ${ARGN})
  list(APPEND view ${folders})
  list(REMOVE_DUPLICATES view)
  set(${out} "${view}" PARENT_SCOPE)
endfunction()

# Folders that clang must be able to list: it searches for its headers beside the link that started it, and for an installed GCC. Empty
# for other compilers, which need single files only.
function(_kernel_clang_folders out compiler)
  set(folders "")
  execute_process(COMMAND "${compiler}" ${ARGN} -print-resource-dir OUTPUT_VARIABLE resources ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(IS_DIRECTORY "${resources}")
    cmake_path(GET resources FILENAME version)
    cmake_path(GET compiler PARENT_PATH beside)
    cmake_path(SET beside NORMALIZE "${beside}/../lib/clang/${version}/include")
    list(APPEND folders "${beside}")
    execute_process(COMMAND "${compiler}" ${ARGN} -print-file-name=crtbegin.o OUTPUT_VARIABLE gcc ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(IS_ABSOLUTE "${gcc}")
      cmake_path(NORMAL_PATH gcc)
      cmake_path(GET gcc PARENT_PATH gcc)
      cmake_path(GET gcc PARENT_PATH gcc)
      list(APPEND folders "${gcc}")
    endif()
  endif()
  set(${out} "${folders}" PARENT_SCOPE)
endfunction()

# What a candidate may be linked with, where the compiler finds it. ARGN: its first arguments.
function(_kernel_runtime_libraries out compiler)
  set(libraries "")
  foreach(name IN ITEMS libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1 libgomp.so.1 libomp.so.5)
    execute_process(COMMAND "${compiler}" ${ARGN} -print-file-name=${name} OUTPUT_VARIABLE path ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(IS_ABSOLUTE "${path}")
      cmake_path(NORMAL_PATH path)
      list(APPEND libraries "${path}")
    endif()
  endforeach()
  set(${out} "${libraries}" PARENT_SCOPE)
endfunction()

# Sets <out> to the compiler by its name where it is installed: clang looks for its libraries beside its real file, and the sandbox
# shows files, not the links to them. A link of ccache leads to the compiler that it stands for.
function(_kernel_installed_compiler out compiler)
  cmake_path(GET compiler FILENAME name)
  file(REAL_PATH "${compiler}" real)
  cmake_path(GET real PARENT_PATH folder)
  string(REGEX REPLACE "-[0-9.]+$" "" plain "${name}")
  set(${out} "${compiler}" PARENT_SCOPE)
  foreach(each IN ITEMS "${plain}" "${name}")
    if(EXISTS "${folder}/${each}" AND NOT IS_DIRECTORY "${folder}/${each}")
      file(REAL_PATH "${folder}/${each}" same)
      if(same STREQUAL real OR each STREQUAL name)
        set(${out} "${folder}/${each}" PARENT_SCOPE)
      endif()
    endif()
  endforeach()
endfunction()

# A compiler outside /usr (/opt/gcc/bin/g++) needs its own tree visible in the sandbox.
function(_kernel_compiler_folder out compiler)
  file(REAL_PATH "${compiler}" compiler)
  cmake_path(GET compiler PARENT_PATH folder)
  cmake_path(GET folder PARENT_PATH folder)
  if(folder MATCHES "^/(usr(/.*)?)?$")
    set(folder "")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# Reads the caller's arg_*: refuses what is unknown, lacks a value, or is missing. ARGN: the required keywords.
function(_kernel_check_arguments who known)
  list(JOIN arg_UNPARSED_ARGUMENTS " " unknown)
  if(NOT unknown STREQUAL "")
    message(FATAL_ERROR "${who}: unknown argument(s): ${unknown}. known: ${known}")
  endif()
  list(JOIN arg_KEYWORDS_MISSING_VALUES " " bare)
  if(NOT bare STREQUAL "")
    message(FATAL_ERROR "${who}: no value after ${bare}. do: give one, or leave the keyword out")
  endif()
  foreach(keyword IN LISTS ARGN)
    if("${arg_${keyword}}" STREQUAL "")
      message(FATAL_ERROR "${who}: ${keyword} is missing. known: ${known}")
    endif()
  endforeach()
endfunction()

function(_kernel_check_name who name pattern)
  if(NOT name MATCHES "${pattern}")
    message(FATAL_ERROR "${who}: bad name. got: '${name}', must match ${pattern}")
  endif()
endfunction()

# One short file per backend; a new file is all that a new backend needs here.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/backends")
file(GLOB _kernel_backend_files "${CMAKE_CURRENT_LIST_DIR}/backends/*.cmake")
foreach(_kernel_backend_file IN LISTS _kernel_backend_files)
  include("${_kernel_backend_file}")
endforeach()
