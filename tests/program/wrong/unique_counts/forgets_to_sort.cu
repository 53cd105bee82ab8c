// verdict: WRONG_RESULT
#include "unique_counts.h"

#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

std::size_t unique_counts(const int* keys, std::size_t count, int* unique, int* times) {
  const thrust::device_ptr<const int> from(keys);
  thrust::device_vector<int> sorted(from, from + count);
  const thrust::device_ptr<int> to(unique), numbers(times);
  const auto ends = thrust::reduce_by_key(sorted.begin(), sorted.end(), thrust::make_constant_iterator(1), to, numbers);
  return ends.first - to;
}
