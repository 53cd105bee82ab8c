# SPDX-License-Identifier: Apache-2.0
# C++ with a stream as the kernel's last parameter; candidates are <NNN>.cc.
kernel_backend(ordered SUFFIX .cc LANGUAGE CXX STREAM "std::nullptr_t*" HEADERS cstddef FLAGS -std=c++20 -O2 -shared -fPIC -Wl,--no-undefined)
