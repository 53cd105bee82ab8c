// verdict: WRONG_RESULT
#include "histogram.h"

int main() { return 0; }

std::size_t count_values(const std::int32_t*, std::size_t, std::int32_t, std::uint64_t*) { return 0; }
