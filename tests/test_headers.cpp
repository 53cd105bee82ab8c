// SPDX-License-Identifier: Apache-2.0
// The program that CMake compiles the tests' common headers with; see CMakeLists.txt.
int main() {}
