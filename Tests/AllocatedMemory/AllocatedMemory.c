#include "AllocatedMemory.h"

// Defines `__GLIBC__` and `__GLIBC_PREREQ`.
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#define HAS_MALLINFO2
#endif
#endif

#if defined(IS_SANITIZED)
#include <sanitizer/allocator_interface.h>
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(HAS_MALLINFO2)
#include <malloc.h>
#endif

size_t allocated_bytes(void) {
#if defined(IS_SANITIZED)
  // The sanitizers replace the allocator of the C library.
  return __sanitizer_get_current_allocated_bytes();
#elif defined(__APPLE__)
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
#elif defined(HAS_MALLINFO2)
  struct mallinfo2 information = mallinfo2();
  return information.uordblks + information.hblkhd;
#else
  return 0;
#endif
}
