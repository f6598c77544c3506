#ifndef UNDERCROFT_CZLIB_SHIM_H
#define UNDERCROFT_CZLIB_SHIM_H

#include <zlib.h>

#endif
