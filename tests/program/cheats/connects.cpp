// verdict: POLICY
#include <sys/socket.h>

#include "histogram.h"

std::size_t count_values(const std::int32_t*, std::size_t, std::int32_t, std::uint64_t*) { return socket(AF_INET, SOCK_STREAM, 0); }
