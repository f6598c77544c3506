#pragma once

#include <stddef.h>

/// Returns the bytes that this process has allocated and not freed, or 0 if the C library does not
/// count them. (`mallinfo2`, `malloc_zone_statistics`)
///
/// The number includes freed blocks that glibc retains for the same thread, but not other memory
/// that the allocator retains.
size_t allocated_bytes(void);
