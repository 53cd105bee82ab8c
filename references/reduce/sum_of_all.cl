// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch parts: double[div_up(N * C, 32768)]
   kernel add_stretches  global [64 * div_up(N * C, 32768)]  local [64]   (x, parts, long(N * C))
   kernel add_parts      global [256]                        local [256]  (parts, y, long(div_up(N * C, 32768)))
*/
// A work-group adds up a stretch, sixteen numbers at a time, a second kernel the sums of all stretches.
#define ITEMS 64
#define PART_ITEMS 256
#define WIDTH 16
#define STRETCH 32768

double sum_of(double16 v) {
  const double8 a = v.lo + v.hi;
  const double4 b = a.lo + a.hi;
  const double2 c = b.lo + b.hi;
  return c.x + c.y;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void add_stretches(__global const float* restrict x,
                                                                               __global double* restrict parts, long count) {
  __local double part[ITEMS];
  const int item = get_local_id(0);
  const long begin = get_group_id(0) * (long)STRETCH, end = min(begin + STRETCH, count), whole = end / WIDTH * WIDTH;
  double16 sum16 = 0;
  for (long i = begin + item * WIDTH; i < whole; i += ITEMS * WIDTH) sum16 += convert_double16(vload16(0, x + i));
  double sum = sum_of(sum16);
  for (long i = whole + item; i < end; i += ITEMS) sum += x[i];
  part[item] = sum;
  for (int width = ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] += part[item + width];
  }
  if (item == 0) parts[get_group_id(0)] = part[0];
}

__kernel __attribute__((reqd_work_group_size(PART_ITEMS, 1, 1))) void add_parts(__global const double* restrict parts,
                                                                                __global float* restrict y, long count) {
  __local double part[PART_ITEMS];
  const int item = get_local_id(0);
  double sum = 0;
  for (long i = item; i < count; i += PART_ITEMS) sum += parts[i];
  part[item] = sum;
  for (int width = PART_ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) part[item] += part[item + width];
  }
  if (item == 0) *y = (float)part[0];
}
