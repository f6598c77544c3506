#define _GNU_SOURCE
#include "SanitizedMutex.h"

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MUTEX_HANDLE "$s15Synchronization12_MutexHandleV"
#define LOCK_SLOW MUTEX_HANDLE "9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW MUTEX_HANDLE "12_tryLockSlowSbyF"
#define UNLOCK_SLOW MUTEX_HANDLE "11_unlockSlowyyF"

// The handle is a single atomic word, so its address is also the address at which the sanitizer
// observes the inlined path.
#define HANDLE __attribute__((swift_context)) void *handle
#define SWIFT __attribute__((swiftcall))

typedef SWIFT void (*LockSlow)(uint32_t thread, HANDLE);
typedef SWIFT bool (*TryLockSlow)(HANDLE);
typedef SWIFT void (*UnlockSlow)(HANDLE);

static LockSlow lock_slow;
static TryLockSlow try_lock_slow;
static UnlockSlow unlock_slow;

static void *original(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) {
    fprintf(
        stderr, "cannot find \"%s\": this Swift library has another Mutex; %s\n", name,
        "update SanitizedMutex.c");
    abort();
  }
  return function;
}

__attribute__((constructor)) static void find_originals(void) {
  lock_slow = (LockSlow)original(LOCK_SLOW);
  try_lock_slow = (TryLockSlow)original(TRY_LOCK_SLOW);
  unlock_slow = (UnlockSlow)original(UNLOCK_SLOW);
}

SWIFT void sanitized_lock_slow(uint32_t thread, HANDLE) __asm__(LOCK_SLOW);
SWIFT bool sanitized_try_lock_slow(HANDLE) __asm__(TRY_LOCK_SLOW);
SWIFT void sanitized_unlock_slow(HANDLE) __asm__(UNLOCK_SLOW);

SWIFT void sanitized_lock_slow(uint32_t thread, HANDLE) {
  lock_slow(thread, handle);
  __tsan_acquire(handle);
}

SWIFT bool sanitized_try_lock_slow(HANDLE) {
  bool is_locked = try_lock_slow(handle);
  if (is_locked) __tsan_acquire(handle);
  return is_locked;
}

SWIFT void sanitized_unlock_slow(HANDLE) {
  // Before the call: the next owner may run as soon as the kernel releases the lock.
  __tsan_release(handle);
  unlock_slow(handle);
}

#endif
#endif
