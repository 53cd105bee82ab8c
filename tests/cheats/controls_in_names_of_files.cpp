// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: error:
// The same in the name of a file, with bytes that are no text at all.
#line 1 "\302\233H\342\200\250\377\376\033]0;title\007"
#error here
