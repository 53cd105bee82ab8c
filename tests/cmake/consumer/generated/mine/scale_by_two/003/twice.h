// SPDX-License-Identifier: Apache-2.0
#pragma once
float twice(float x);
