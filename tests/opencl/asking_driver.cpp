// SPDX-License-Identifier: Apache-2.0
// An OpenCL driver that looks for a server of its own when it is loaded, as NVIDIA's does, and has no device without it.
#include <sys/socket.h>

[[gnu::constructor]] static void look_for_a_server() { socket(AF_UNIX, SOCK_STREAM, 0); }
