// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: No space left on device
// Forges what a compiler says on a full disk.
#error No space left on device. Disk quota exceeded
