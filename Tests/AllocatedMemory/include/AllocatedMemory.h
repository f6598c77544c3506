#pragma once

#include <stddef.h>

/// Returns the bytes that this process has allocated and not freed, or 0 if the C library does not
/// count them.
///
/// Resident memory also contains the bytes that are free again but that the allocator retains.
size_t allocated_bytes(void);
