// SPDX-License-Identifier: Apache-2.0
// cheat: 47
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// Asks for the answer over the network.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
}
