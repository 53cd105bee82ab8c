// SPDX-License-Identifier: Apache-2.0
// Rows in groups that follow each other: group g has the rows offsets[g] to offsets[g + 1] - 1. Tiles of rows are of one group each, so
// that there may be one for each group more than the rows need: M / rows of a tile + G at most.
#pragma once

#include <stdint.h>

struct GroupTile {
  int64_t group, first, end;  // the first row of the tile, the end of the group
  bool exists;

  __device__ GroupTile(const int64_t* __restrict__ offsets, int64_t G, int64_t tile, int rows) : exists(false) {
    for (group = 0; group < G; ++group) {
      const int64_t begin = offsets[group], tiles = (offsets[group + 1] - begin + rows - 1) / rows;
      if (tile < tiles) {
        first = begin + tile * rows;
        end = offsets[group + 1];
        exists = true;
        return;
      }
      tile -= tiles;
    }
  }
};
