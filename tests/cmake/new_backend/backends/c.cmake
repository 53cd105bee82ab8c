# SPDX-License-Identifier: Apache-2.0
# C11 on this machine's processor; candidates are <NNN>.c.
kernel_backend(c SUFFIX .c LANGUAGE C FLAGS -std=c11 -O2 -shared -fPIC -Wl,--no-undefined)
