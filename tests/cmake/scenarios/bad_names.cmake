# SPDX-License-Identifier: Apache-2.0
# Names that fit no rule are reported, never built, and stop nobody else. In every folder a good candidate sorts before
# and after them, since such a name must not swallow its neighbours.
include("${CMAKE_CURRENT_LIST_DIR}/../scenario.cmake")
candidate(a/relu/000.cpp ok)
candidate(a/relu/999.cpp ok)
candidate(zz/sum/000.cpp ok)
set(here "${source}/generated")

function(make name)  # a file whose name CMake's own file() would mangle
  execute_process(COMMAND sh -c "printf ok > \"$1\"" sh "${here}/${name}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
make("a/relu/00 1.cpp")
make("a/relu/002;.cpp")
make("a/relu/003.cpp;004.cpp")
make("a/relu/[005.cpp")
make("a/relu/006].cpp")
make("a/relu/007\".cpp")
make("a/relu/008'.cpp")
make("a/relu/009$.cpp")
make("a/relu/\${CMAKE_COMMAND}.cpp")
make("a/relu/$<TARGET_FILE:nobody>.cpp")
make("a/relu/010\\")
make("a/relu/011\n.cpp")
make("a/relu/012é.cpp")
make("a/relu/13.cpp")
make("a/relu/0014.cpp")
make("a/relu/015.fortran")
make("a/relu/016.CPP")
make("a/relu/017")
make("a/relu/README.md")
make("a/relu/.hidden")
make("a/relu/.000.cpp.swp")
make("a/run.yaml")
make("a/requests.jsonl")
make("a/answers.jsonl")
make("a/notes.txt")
make("README")
make(".gitkeep")
file(CREATE_LINK nowhere "${here}/a/relu/018.cpp" SYMBOLIC)
file(CREATE_LINK 000.cpp "${here}/a/relu/019.cpp" SYMBOLIC)
file(MAKE_DIRECTORY "${source}/outside")
file(WRITE "${source}/outside/secret.cpp" "not yours")
file(CREATE_LINK "${source}/outside/secret.cpp" "${here}/a/relu/024.cpp" SYMBOLIC)
file(CREATE_LINK "${source}/outside/secret.cpp" "${here}/a/relu/025.cpp")
file(CREATE_LINK "${source}/outside" "${here}/a/relu/026" SYMBOLIC)
execute_process(COMMAND mkfifo "${here}/a/relu/027.cpp" COMMAND_ERROR_IS_FATAL ANY)
candidate(a/relu/028/kernel.cpp ok)
file(CREATE_LINK "${source}/outside/secret.cpp" "${here}/a/relu/028/secret.h" SYMBOLIC)
candidate(a/relu/029/kernel.cpp ok)
file(CREATE_LINK "${source}/outside/secret.cpp" "${here}/a/relu/029/secret.h")
file(CREATE_LINK a "${here}/linked-run" SYMBOLIC)
file(MAKE_DIRECTORY "${here}/zy")
file(CREATE_LINK ../zz/sum "${here}/zy/sum" SYMBOLIC)
file(MAKE_DIRECTORY "${source}/references/reduce")
file(CREATE_LINK "${source}/outside/secret.cpp" "${source}/references/reduce/sum.cpp" SYMBOLIC)
candidate(a/relu/020.cpp/inside.cpp ok)
candidate(a/relu/021.cpp ok)
candidate(a/relu/021/kernel.cpp ok)
candidate(a/unknown_task/000.cpp ok)
candidate(a/Relu/000.cpp ok)
candidate(B/relu/000.cpp ok)
candidate(c_d/relu/000.cpp ok)
candidate(reference/relu/001.cpp ok)
file(MAKE_DIRECTORY "${here}/[/relu" "${here}/a b/relu" "${here}/a/re[lu")
candidate(a/relu/022.cpp "")
string(REPEAT "// 100 MB\n" 10485760 large)
file(WRITE "${here}/a/relu/023.cpp" "${large}")
unset(large)

configure()
foreach(line IN ITEMS "00 1.cpp: a candidate is" "002: a candidate" "003.cpp: no such file: a dangling link, or a name with"
        "004.cpp: no such file" "[?]005.cpp: a candidate" "006[?].cpp: a candidate" "007\".cpp: a cand" "008'.cpp: a cand"
        "009[$].cpp: a cand" "[$]{CMAKE_COMMAND}.cpp: a cand" "[$]<TARGET_FILE:nobody>.cpp: a cand" "/010: a candidate of one file"
        "011[?].cpp: a cand" "012[?][?].cpp: a cand" "/13.cpp: a cand" "0014.cpp: a cand"
        "015.fortran: no backend has the suffix .fortran" "016.CPP: no backend has the suffix .CPP"
        "017: a candidate of one file needs a suffix" "relu/README.md: a cand" "notes.txt: a task is a folder named"
        "generated/README: a run is a folder" "018.cpp: no such file: a dangling link" "020.cpp: is a folder"
        "021.cpp: the folder of the same number" "021: a file of the same number" "unknown_task: unknown task 'unknown_task'"
        "a/Relu: a task is" "generated/B: a run is" "generated/c_d: a run is" "generated/reference: the run"
        "019.cpp: is a symbolic link" "024.cpp: is a symbolic link" "025.cpp: is a hard link" "026: is a symbolic link"
        "027.cpp: is neither a file" "028: 'secret.h' in it is a symbolic link" "029: 'secret.h' in it is a hard link"
        "linked-run: is a symbolic link" "zy/sum: is a symbolic link" "references/reduce/sum.cpp: is a symbolic link"
        "generated/[?]: a run" "generated/a b: a run" "a/re[?]lu: a task is")
  expect_said("kernel_candidates: skipped [^\n]*${line}")
endforeach()
expect_not_said("hidden|swp|gitkeep|skipped [^\n]*(run.yaml|jsonl):|CMake Error|CMake Warning")
build()
set(good a.relu.cpp.000 a.relu.cpp.022 a.relu.cpp.023 a.relu.cpp.999 zz.sum.cpp.000 reference.relu.cpp.000)
expect_compiled(${good})
expect_candidates(${good})
build()
expect_said("no work to do")
file(REMOVE "${here}/a/relu/023.cpp")
