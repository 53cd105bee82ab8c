// verdict: WRONG_RESULT
#include "best_by_score.h"

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <algorithm>

std::size_t best_by_score(const float* scores, std::size_t count, std::size_t k, int* best) {
  const thrust::device_ptr<const float> from(scores);
  thrust::device_vector<float> sorted(from, from + count);
  thrust::device_vector<int> places(count);
  thrust::sequence(places.begin(), places.end());
  thrust::stable_sort_by_key(sorted.begin(), sorted.end(), places.begin(), thrust::less<float>());
  const std::size_t found = std::min(k, count);
  thrust::copy_n(places.rbegin(), found, thrust::device_ptr<int>(best));
  return found;
}
