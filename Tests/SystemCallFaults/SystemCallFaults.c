#define _GNU_SOURCE
#include "SystemCallFaults.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER 1
#endif
#endif

#if defined(__linux__) && !defined(HAS_THREAD_SANITIZER)

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static _Thread_local int armed_calls, first_failure, failure_count, failure_error, calls_seen,
    was_halved, has_length, short_length, open_at_rename, exclusive_opens;
static _Thread_local void (*before_sync)(void *);
static _Thread_local void *before_sync_context;
static _Thread_local int reads_before_action;
static _Thread_local void (*before_read)(void *);
static _Thread_local void *before_read_context;

int faults_are_available(void) { return 1; }

void faults_arm(int calls, int first, int count, int error) {
  calls_seen = 0;
  was_halved = 0;
  has_length = 0;
  open_at_rename = 0;
  exclusive_opens = 0;
  first_failure = first;
  failure_count = count;
  failure_error = error;
  armed_calls = calls;
}

void faults_shorten_to(int count) {
  has_length = 1;
  short_length = count;
}

int faults_open_at_rename(void) { return open_at_rename; }

int faults_exclusive_opens(void) { return exclusive_opens; }

void faults_before_sync(void (*action)(void *), void *context) {
  before_sync_context = context;
  before_sync = action;
}

void faults_before_read(int number, void (*action)(void *), void *context) {
  reads_before_action = number;
  before_read_context = context;
  before_read = action;
}

int faults_disarm(void) {
  armed_calls = 0;
  return calls_seen;
}

/// Returns whether the current call must fail.
static int is_due(int call) {
  if (!(armed_calls & call)) return 0;
  calls_seen++;
  int due = calls_seen >= first_failure && calls_seen - first_failure < failure_count;
  if (due && failure_error == FAULTS_KILL) raise(SIGKILL);
  return due;
}

/// Returns whether the current call fails, and sets `errno` if it does.
static int fails(int call) {
  if (!is_due(call) || failure_error == 0) return 0;
  errno = abs(failure_error);
  return 1;
}

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

static void count_exclusive(int flags) {
  if (armed_calls & FAULTS_OPEN && flags & O_CREAT && flags & O_EXCL) exclusive_opens++;
}

/// Returns the number of descriptors of this process that refer to a file.
static int descriptors(int folder, const char *path) {
  struct stat file, other;
  int count = 0;
  if (fstatat(folder, path, &file, AT_SYMLINK_NOFOLLOW)) return 0;
  for (int number = 0; number < 1024; number++)
    if (!fstat(number, &other) && other.st_dev == file.st_dev && other.st_ino == file.st_ino) count++;
  return count;
}

#define OPEN(name)                                                        \
  int name(const char *path, int flags, ...) {                            \
    va_list arguments;                                                    \
    va_start(arguments, flags);                                           \
    mode_t mode = mode_of(flags, arguments);                              \
    va_end(arguments);                                                    \
    if (fails(FAULTS_OPEN)) return -1;                                    \
    count_exclusive(flags);                                               \
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);         \
  }

#define OPENAT(name)                                                      \
  int name(int folder, const char *path, int flags, ...) {                \
    va_list arguments;                                                    \
    va_start(arguments, flags);                                           \
    mode_t mode = mode_of(flags, arguments);                              \
    va_end(arguments);                                                    \
    if (fails(FAULTS_OPEN)) return -1;                                    \
    count_exclusive(flags);                                               \
    return (int)syscall(SYS_openat, folder, path, flags, mode);           \
  }

#define PWRITE(name)                                                      \
  ssize_t name(int file, const void *bytes, size_t count, off_t offset) { \
    if (is_due(FAULTS_WRITE) && !shorten(&count)) return -1;              \
    return syscall(SYS_pwrite64, file, bytes, count, offset);             \
  }

#define PREAD(name)                                                       \
  ssize_t name(int file, void *bytes, size_t count, off_t offset) {       \
    prepare_read();                                                       \
    return syscall(SYS_pread64, file, bytes, count, offset);              \
  }

/// Runs the action that waits for this read, which may read by itself.
static void prepare_read(void) {
  void (*action)(void *) = before_read;
  if (!action || --reads_before_action > 0) return;
  before_read = NULL;
  action(before_read_context);
}

/// Reduces the number of bytes to write, or fails if an error number is set.
static int shorten(size_t *count) {
  int is_half = failure_error < 0 && !was_halved;
  was_halved = 1;
  if (failure_error != 0 && !is_half) {
    errno = abs(failure_error);
    return 0;
  }
  if (has_length) {
    off_t length = short_length < 0 ? (off_t)*count + short_length : short_length;
    if (length >= 0 && length < (off_t)*count) *count = (size_t)length;
  } else if (*count > 1) {
    *count /= 2;
  }
  return 1;
}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
PWRITE(pwrite)
PWRITE(pwrite64)
PREAD(pread)
PREAD(pread64)

ssize_t write(int file, const void *bytes, size_t count) {
  if (is_due(FAULTS_WRITE) && !shorten(&count)) return -1;
  return syscall(SYS_write, file, bytes, count);
}

/// Runs the action that was registered for the next flush. The action may flush as well.
static void prepare_sync(void) {
  void (*action)(void *) = before_sync;
  before_sync = NULL;
  if (action) action(before_sync_context);
}

int fsync(int file) {
  prepare_sync();
  return fails(FAULTS_SYNC) ? -1 : (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  prepare_sync();
  return fails(FAULTS_SYNC) ? -1 : (int)syscall(SYS_fdatasync, file);
}

int renameat(int from, const char *old, int to, const char *new) {
  if (armed_calls & FAULTS_RENAME) open_at_rename += descriptors(from, old);
  return fails(FAULTS_RENAME) ? -1 : (int)syscall(SYS_renameat2, from, old, to, new, 0);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  if (armed_calls & FAULTS_RENAME) open_at_rename += descriptors(from, old);
  return fails(FAULTS_RENAME) ? -1 : (int)syscall(SYS_renameat2, from, old, to, new, flags);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
  return fails(FAULTS_LINK) ? -1 : (int)syscall(SYS_linkat, from, old, to, new, flags);
}

int rename(const char *old, const char *new) {
  return renameat(AT_FDCWD, old, AT_FDCWD, new);
}

int unlinkat(int folder, const char *path, int flags) {
  return fails(FAULTS_UNLINK) ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int mkdirat(int folder, const char *path, mode_t mode) {
  return fails(FAULTS_MKDIR) ? -1 : (int)syscall(SYS_mkdirat, folder, path, mode);
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int inotify_init1(int flags) {
  return fails(FAULTS_WATCH) ? -1 : (int)syscall(SYS_inotify_init1, flags);
}

#define READDIR(name, entry)                                              \
  struct entry *name(DIR *folder) {                                       \
    struct entry *(*original)(DIR *) =                                    \
        (struct entry *(*)(DIR *))dlsym(RTLD_NEXT, #name);                \
    struct entry *found = original(folder);                               \
    if (found && is_due(FAULTS_TYPE)) found->d_type = DT_UNKNOWN;         \
    return found;                                                         \
  }

READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

int ftruncate(int file, off_t size) {
  return fails(FAULTS_TRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}

#else

int faults_are_available(void) { return 0; }
void faults_arm(int calls, int first, int count, int error) {}
void faults_shorten_to(int count) {}
void faults_before_sync(void (*action)(void *), void *context) {}
void faults_before_read(int number, void (*action)(void *), void *context) {}
int faults_disarm(void) { return 0; }
int faults_open_at_rename(void) { return 0; }
int faults_exclusive_opens(void) { return 0; }

#endif

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

void faults_use_files_as(unsigned user) { syscall(SYS_setfsuid, user); }
#else
void faults_use_files_as(unsigned user) {}
#endif
