/* pattern_tiles.h: patterns of a wrong matrix: which rows and columns of its tiles are wrong, and
 * right values in another place of their tile. */
#ifndef WARPUP_PATTERN_TILES_H
#define WARPUP_PATTERN_TILES_H

#include "judge/result/pattern_values.h"

extern pattern_try pattern_tile_places, pattern_tile_moved;

#endif
