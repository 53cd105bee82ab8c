# SPDX-License-Identifier: Apache-2.0
# Packs this build as .deb and .tar.gz and looks at what is in them. The .deb is unpacked to WORK/root, where nothing of it was built:
# consumer.cmake uses it there. A bare Debian installs what Depends names; here apt says whether it could.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(run out)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error WORKING_DIRECTORY "${WORK}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}\n${output}${error}")
  endif()
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

function(expect what text regex)
  if(NOT text MATCHES "${regex}")
    message(FATAL_ERROR "${what}: expected ${regex}, got:\n${text}")
  endif()
endfunction()

run(output ${CPACK} --config "${KERNELASSAY_BUILD}/CPackConfig.cmake" -C "${CONFIG}" -B "${WORK}")
file(GLOB deb "${WORK}/kernelassay_${VERSION}_*.deb")
file(GLOB archive "${WORK}/kernelassay-${VERSION}-*.tar.gz")
foreach(package IN ITEMS deb archive)
  list(LENGTH ${package} count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "one ${package} of ${VERSION} expected in ${WORK}, got: '${${package}}'\n${output}")
  endif()
endforeach()

# What Debian is told.
run(control dpkg-deb --field "${deb}")
expect("control" "${control}" "Package: kernelassay\n")
expect("control" "${control}" "\nVersion: ${VERSION}\n")
foreach(each IN ITEMS "g\\+\\+" "cmake \\(>= 3\\.25\\)" "ninja-build" "libc6 \\(>= " "libstdc\\+\\+6" "libonnx" "libprotobuf" "libyaml-cpp" "libseccomp2" "libsodium")
  expect("Depends" "${control}" "\nDepends: [^\n]*${each}")
endforeach()
expect("Recommends" "${control}" "\nRecommends: pocl-opencl-icd\n")
find_program(APT_GET apt-get NO_CACHE)
if(APT_GET)
  run(simulated ${APT_GET} --simulate --option Debug::NoLocking=1 install "${deb}")
  expect("apt-get install" "${simulated}" "Inst kernelassay ")
endif()

# The same files in both, none of them where the build was.
set(root "${WORK}/root")
run(output dpkg-deb --extract "${deb}" "${root}")
run(listing ${CMAKE_COMMAND} -E tar tf "${archive}")
foreach(file IN ITEMS bin/assay libexec/kernelassay/assay-context libexec/kernelassay/assay-compile libexec/kernelassay/assay-judge libexec/kernelassay/assay-program libexec/kernelassay/assay-box libexec/kernelassay/assay-baseline libexec/kernelassay/assay-escape
        share/man/man1/assay.1 share/bash-completion/completions/assay share/doc/kernelassay/LICENSE share/doc/kernelassay/copyright
        share/doc/kernelassay/CHANGELOG.md share/doc/kernelassay/README.md share/kernelassay/schema/task.schema.json
        share/kernelassay/schema/record.schema.json share/kernelassay/schema/report.schema.json
        share/kernelassay/schema/openapi.yaml share/kernelassay/python/pyproject.toml share/kernelassay/python/kernelassay_client/__init__.py
        share/kernelassay/python/kernelassay_client/inspect_scorer.py share/kernelassay/python/kernelassay_client/verifiers_environment.py)
  if(NOT EXISTS "${root}/usr/${file}")
    message(FATAL_ERROR "the .deb has no /usr/${file}")
  endif()
  string(REPLACE "+" "\\+" pattern "${file}")
  expect("${archive}" "${listing}" "kernelassay-${VERSION}-[^/\n]*/${pattern}\n")
endforeach()
file(GLOB_RECURSE scripts "${root}/*.cmake")
foreach(file IN LISTS scripts)
  file(READ "${file}" text)
  string(FIND "${text}" "${KERNELASSAY_BUILD}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} remembers where it was built")
  endif()
endforeach()
run(said "${root}/usr/bin/assay" --version)
expect("assay --version" "${said}" "^assay ${VERSION}\n$")

# The client runs where it lies, without pip; the test score.pypi has pip install it.
run(said ${CMAKE_COMMAND} -E env "PYTHONPATH=${root}/usr/share/kernelassay/python" "${PYTHON}" -B -c
    "print(__import__('kernelassay_client').Judge(server='http://host:1/').server)")
expect("kernelassay_client" "${said}" "^http://host:1\n$")
file(READ "${root}/usr/share/kernelassay/python/pyproject.toml" project)
expect("pyproject.toml" "${project}" "\nversion = \"${VERSION}\"\n")

# Each component by itself.
foreach(component IN ITEMS tools cmake doc)
  run(output ${CMAKE_COMMAND} --install "${KERNELASSAY_BUILD}" --config "${CONFIG}" --component ${component} --prefix "${WORK}/${component}")
endforeach()
file(GLOB of_tools RELATIVE "${WORK}/tools" "${WORK}/tools/*")
file(GLOB of_doc RELATIVE "${WORK}/doc" "${WORK}/doc/*")
expect("component tools" "${of_tools}" "^bin;libexec;share$")
expect("component doc" "${of_doc}" "^share$")
file(GLOB_RECURSE config "${WORK}/cmake/*/KernelAssayConfig.cmake")
file(GLOB_RECURSE programs "${WORK}/cmake/*/assay*" "${WORK}/doc/*/assay*")
list(FILTER programs EXCLUDE REGEX "/python/[^/]+[.]py$")  # which the modules name, and an interpreter runs
expect("component cmake" "${config}" "/KernelAssayConfig.cmake$")
expect("programs in components cmake and doc" "${programs}" "^$")
file(GLOB_RECURSE boxes "${WORK}/cmake/*.py")
file(GLOB sources "${CMAKE_CURRENT_LIST_DIR}/../../harness/python/*.py")
foreach(list IN ITEMS boxes sources)
  list(TRANSFORM ${list} REPLACE ".*/" "")
endforeach()
expect("boxes in Python" "${boxes}" "^${sources}$")
