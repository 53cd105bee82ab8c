// SPDX-License-Identifier: Apache-2.0
// A management library for the devices of fake_driver.cpp: 1980 MHz, 300 W, and a clock that its power holds down.
#pragma GCC visibility push(default)
extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  static int devices[2];
  return index < 2 ? (*device = &devices[index], 0) : 2;
}
int nvmlDeviceGetName(void*, char* name, unsigned room) {
  const char* text = "Fake GPU";
  for (unsigned i = 0; i < room && (i == 0 || name[i - 1] != 0); ++i) name[i] = text[i];
  return 0;
}
int nvmlDeviceGetClockInfo(void*, unsigned which, unsigned* megahertz) { return *megahertz = which == 1 ? 1980 : 2619, 0; }
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) { return *milliwatts = 300000, 0; }
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* celsius) { return *celsius = 41, 0; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) { return *reasons = 0x4, 0; }

}  // extern "C"
#pragma GCC visibility pop
