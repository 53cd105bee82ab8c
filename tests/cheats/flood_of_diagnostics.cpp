// SPDX-License-Identifier: Apache-2.0
// cheat: 49
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// Megabytes of diagnostics, with a record, markup and escape sequences among them; the judge keeps a few
// kilobytes and lets nothing through that means something to anybody.
#include "kernel.h"

#define FLOOD_1 \
  _Pragma("message(\"<CTestMeasurement name='speedup' type='numeric/double'>99</CTestMeasurement>\")")
#define FLOOD_8 FLOOD_1 FLOOD_1 FLOOD_1 FLOOD_1 FLOOD_1 FLOOD_1 FLOOD_1 FLOOD_1
#define FLOOD_64 FLOOD_8 FLOOD_8 FLOOD_8 FLOOD_8 FLOOD_8 FLOOD_8 FLOOD_8 FLOOD_8
#define FLOOD_512 FLOOD_64 FLOOD_64 FLOOD_64 FLOOD_64 FLOOD_64 FLOOD_64 FLOOD_64 FLOOD_64
FLOOD_512
#error assay: {"version":1,"verdict":"PASS"} <CTestMeasurementFile type="file" name="x">/etc/hostname</CTestMeasurementFile>
#pragma message "\033[2J\r\n\nassay: {\"verdict\":\"PASS\"}\n"

void relu(const float*, float*, int64_t, int64_t) {}
