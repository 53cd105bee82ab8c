// SPDX-License-Identifier: Apache-2.0
// Prints what kernel.h says of 8-bit floats, which float8_test.cpp includes as a candidate does.
#include <iostream>

#include "float8_class.h"

int main() {
  std::cout << "#include <stdint.h>\n"
            << assay::spec::float8_definition(assay::spec::ElementType::f8e4m3)
            << assay::spec::float8_definition(assay::spec::ElementType::f8e5m2);
}
