// SPDX-License-Identifier: Apache-2.0
#pragma once

int singular_values(const double* a, int m, int n, double* values);
