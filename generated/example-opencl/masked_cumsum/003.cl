/* launch
   scratch totals: float[N * div_up(C, 64)]
   kernel segment_totals global [div_up(C, 64), N] (x, mask, totals, C)
   kernel scan_totals    global [N]                (totals, long(div_up(C, 64)))
   kernel segment_scans  global [div_up(C, 64), N] (x, mask, totals, y, C)
*/
// Three phases: sum every segment of 64, turn the sums into starting values, scan the segments from there.
#define SEGMENT 64

__kernel void segment_totals(__global const float* x, __global const uchar* mask, __global float* totals, long C) {
  const long s = get_global_id(0), n = get_global_id(1);
  const long end = min(C, (s + 1) * SEGMENT);
  float sum = 0.0f;
  for (long c = s * SEGMENT; c < end; ++c) sum += x[n * C + c] * convert_float(mask[n * C + c]);
  totals[n * get_global_size(0) + s] = sum;
}

__kernel void scan_totals(__global float* totals, long segments) {
  __global float* row = totals + get_global_id(0) * segments;
  float before = 0.0f;
  for (long s = 0; s < segments; ++s) {
    const float own = row[s];
    row[s] = before;
    before += own;
  }
}

__kernel void segment_scans(__global const float* x, __global const uchar* mask, __global const float* totals,
                            __global float* y, long C) {
  const long s = get_global_id(0), n = get_global_id(1);
  const long end = min(C, (s + 1) * SEGMENT);
  float sum = totals[n * get_global_size(0) + s];
  for (long c = s * SEGMENT; c < end; ++c) {
    sum += x[n * C + c] * convert_float(mask[n * C + c]);
    y[n * C + c] = sum;
  }
}
