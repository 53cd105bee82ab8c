// SPDX-License-Identifier: Apache-2.0
#pragma once

int solve_spd(double* a, double* b, int n, int columns);
