/* launch
   kernel argmax global [N, B] (x, y, int(M), int(N))
*/
__kernel void argmax(__global const float* x, __global int* y, int M, int N) {
  int n = get_global_id(0);
  int b = get_global_id(1);
  float best = -FLT_MAX;
  int index = 0;
  for (int m = 0; m < M; m++) {
    float v = x[(b * M + m) * N + n];
    if (v > best) {
      best = v;
      index = m;
    }
  }
  y[b * N + n] = index;
}
