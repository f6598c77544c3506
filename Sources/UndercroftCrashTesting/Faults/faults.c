// A library for LD_PRELOAD that makes chosen system calls of a program fail.
//
// Only calls for files in UNDERCROFT_FAULT_ROOT are counted. The program first runs without
// UNDERCROFT_FAULT_CALL, and the library writes the numbers of all calls to
// UNDERCROFT_FAULT_COUNTS. The program then repeats its work while one call after the other fails.
// A program that repeats its work in one process sets the variables of each fault and calls
// undercroft_fault_begin.
//
// UNDERCROFT_FAULT_ASK and UNDERCROFT_FAULT_ANSWER are the paths of two named pipes. If they are
// set, the program stops before every call that changes files. The library writes the name of the
// call to the first pipe, and continues when it reads a byte from the second one.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum call { OPEN, WRITE, FSYNC, RENAME, LINK, UNLINK, MKDIR, FTRUNCATE, READ, MMAP, CLOSE, CALLS };
static const char *const names[CALLS] = {"open",  "write",     "fsync", "rename", "link", "unlink",
                                         "mkdir", "ftruncate", "read",  "mmap",   "close"};
static int counts[CALLS];
static const char *root;
static size_t root_length;
static int ask = -1, answer = -1;
static char is_asking;
static int chosen = -1, first, last, error_number, is_short, is_half;

static int is_paused;

// Pauses the library, so that calls are neither counted nor made to fail, or ends the pause.
void undercroft_fault_pause(int paused) { __atomic_store_n(&is_paused, paused, __ATOMIC_SEQ_CST); }

// Reads the variables of the next fault and counts from zero again.
void undercroft_fault_begin(void) {
  // Other threads may still close files of the previous fault.
  root = 0;
  chosen = -1;
  memset(counts, 0, sizeof counts);
  const char *path = getenv("UNDERCROFT_FAULT_ROOT");
  if (!path) return;
  const char *text = getenv("UNDERCROFT_FAULT_NUMBER");
  first = text ? atoi(text) : 0;
  text = getenv("UNDERCROFT_FAULT_REPEAT");
  last = first + (text ? atoi(text) : 1) - 1;
  text = getenv("UNDERCROFT_FAULT_ERROR");
  error_number = text ? atoi(text) : 0;
  text = getenv("UNDERCROFT_FAULT_FORM");
  is_short = text && !strcmp(text, "short");
  is_half = text && !strcmp(text, "half");
  const char *call = getenv("UNDERCROFT_FAULT_CALL");
  for (int i = 0; call && i < CALLS; i++)
    if (!strcmp(call, names[i])) chosen = i;
  root_length = strlen(path);
  root = strdup(path);
}

__attribute__((constructor)) static void begin(void) {
  undercroft_fault_begin();
  const char *first_pipe = getenv("UNDERCROFT_FAULT_ASK"), *second_pipe = getenv("UNDERCROFT_FAULT_ANSWER");
  if (first_pipe && second_pipe) {
    ask = syscall(SYS_openat, AT_FDCWD, first_pipe, O_WRONLY | O_CLOEXEC, 0);
    answer = syscall(SYS_openat, AT_FDCWD, second_pipe, O_RDONLY | O_CLOEXEC, 0);
  }
}

__attribute__((destructor)) static void end(void) {
  const char *path = root ? getenv("UNDERCROFT_FAULT_COUNTS") : 0;
  if (!path) return;
  int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  char line[64];
  for (int i = 0; i < CALLS; i++) {
    int length = snprintf(line, sizeof line, "%s %d\n", names[i], counts[i]);
    syscall(SYS_write, file, line, length);
  }
  syscall(SYS_close, file);
}

static int is_under_root(const char *path) {
  const char *start = __atomic_load_n(&is_paused, __ATOMIC_SEQ_CST) ? 0 : root;
  return start && !strncmp(path, start, root_length) && (path[root_length] == '/' || !path[root_length]);
}

// Ask the kernel: this is slow, but needs no table of descriptors that could be wrong.
static int concerns_file(int file) {
  if (!root || file < 0) return 0;
  int saved = errno;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  errno = saved;
  if (length <= 0) return 0;
  path[length] = 0;
  return is_under_root(path);
}

static int concerns_path(int folder, const char *path) {
  if (!root || !path) return 0;
  return path[0] == '/' ? is_under_root(path) : folder >= 0 && concerns_file(folder);
}

static void wait_before(enum call call) {
  if (ask < 0 || answer < 0 || call == READ || call == MMAP || call == CLOSE) return;
  int saved = errno;
  while (__atomic_test_and_set(&is_asking, __ATOMIC_ACQUIRE)) usleep(100);
  char line[32];
  syscall(SYS_write, ask, line, snprintf(line, sizeof line, "%s\n", names[call]));
  syscall(SYS_read, answer, line, 1);
  __atomic_clear(&is_asking, __ATOMIC_RELEASE);
  errno = saved;
}

// Counts a call and returns whether it must fail.
static int fails(enum call call) {
  wait_before(call);
  int number = __atomic_add_fetch(&counts[call], 1, __ATOMIC_SEQ_CST);
  return (int)call == chosen && number >= first && number <= last;
}

#define REAL(type, name, ...)                                   \
  static type (*real)(__VA_ARGS__);                             \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define FAIL return errno = error_number, -1

// MARK: Names

#define OPENING(function, text)                                                 \
  int function(const char *path, int flags, ...) {                              \
    va_list list;                                                               \
    va_start(list, flags);                                                      \
    mode_t mode = va_arg(list, mode_t);                                         \
    va_end(list);                                                               \
    REAL(int, text, const char *, int, ...);                                    \
    if (concerns_path(AT_FDCWD, path) && fails(OPEN)) FAIL;                     \
    return real(path, flags, mode);                                             \
  }
OPENING(open, "open")
OPENING(open64, "open64")

#define OPENING_AT(function, text)                                              \
  int function(int folder, const char *path, int flags, ...) {                  \
    va_list list;                                                               \
    va_start(list, flags);                                                      \
    mode_t mode = va_arg(list, mode_t);                                         \
    va_end(list);                                                               \
    REAL(int, text, int, const char *, int, ...);                               \
    if (concerns_path(folder, path) && fails(OPEN)) FAIL;                       \
    return real(folder, path, flags, mode);                                     \
  }
OPENING_AT(openat, "openat")
OPENING_AT(openat64, "openat64")

// Programs that are built with _FORTIFY_SOURCE call these functions if they pass no mode.
#define OPENING_FORTIFIED(function, text)                                       \
  int function(const char *path, int flags) {                                   \
    REAL(int, text, const char *, int);                                         \
    if (concerns_path(AT_FDCWD, path) && fails(OPEN)) FAIL;                     \
    return real(path, flags);                                                   \
  }
OPENING_FORTIFIED(__open_2, "__open_2")
OPENING_FORTIFIED(__open64_2, "__open64_2")

int rename(const char *old, const char *new) {
  REAL(int, "rename", const char *, const char *);
  if (concerns_path(AT_FDCWD, new) && fails(RENAME)) FAIL;
  return real(old, new);
}

int renameat(int from, const char *old, int to, const char *new) {
  REAL(int, "renameat", int, const char *, int, const char *);
  if (concerns_path(to, new) && fails(RENAME)) FAIL;
  return real(from, old, to, new);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
  if (concerns_path(to, new) && fails(RENAME)) FAIL;
  return real(from, old, to, new, flags);
}

int link(const char *old, const char *new) {
  REAL(int, "link", const char *, const char *);
  if (concerns_path(AT_FDCWD, new) && fails(LINK)) FAIL;
  return real(old, new);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
  REAL(int, "linkat", int, const char *, int, const char *, int);
  if (concerns_path(to, new) && fails(LINK)) FAIL;
  return real(from, old, to, new, flags);
}

#define REMOVING(function, text)                                                \
  int function(const char *path) {                                              \
    REAL(int, text, const char *);                                              \
    if (concerns_path(AT_FDCWD, path) && fails(UNLINK)) FAIL;                   \
    return real(path);                                                          \
  }
REMOVING(unlink, "unlink")
REMOVING(rmdir, "rmdir")

int unlinkat(int folder, const char *path, int flags) {
  REAL(int, "unlinkat", int, const char *, int);
  if (concerns_path(folder, path) && fails(UNLINK)) FAIL;
  return real(folder, path, flags);
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  if (concerns_path(AT_FDCWD, path) && fails(MKDIR)) FAIL;
  return real(path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  REAL(int, "mkdirat", int, const char *, mode_t);
  if (concerns_path(folder, path) && fails(MKDIR)) FAIL;
  return real(folder, path, mode);
}

// MARK: Bytes

// A short call does half of the work. A half call does the same, and then the next call fails.
#define SHORTENED(count)                              \
  if (is_half) is_half = 0, is_short = 0, first = counts[chosen] + 1, last = first; \
  else if (!is_short) FAIL;                           \
  if (count > 1) count /= 2

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  if (concerns_file(file) && fails(WRITE)) { SHORTENED(count); }
  return real(file, bytes, count);
}

#define PWRITING(function, text)                                                \
  ssize_t function(int file, const void *bytes, size_t count, off_t offset) {   \
    REAL(ssize_t, text, int, const void *, size_t, off_t);                      \
    if (concerns_file(file) && fails(WRITE)) { SHORTENED(count); }              \
    return real(file, bytes, count, offset);                                    \
  }
PWRITING(pwrite, "pwrite")
PWRITING(pwrite64, "pwrite64")

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  if (concerns_file(file) && fails(WRITE)) { SHORTENED(count); }
  return real(file, parts, count);
}

#define PWRITING_PARTS(function, text)                                              \
  ssize_t function(int file, const struct iovec *parts, int count, off_t offset) {  \
    REAL(ssize_t, text, int, const struct iovec *, int, off_t);                     \
    if (concerns_file(file) && fails(WRITE)) { SHORTENED(count); }                  \
    return real(file, parts, count, offset);                                        \
  }
PWRITING_PARTS(pwritev, "pwritev")
PWRITING_PARTS(pwritev64, "pwritev64")

ssize_t read(int file, void *bytes, size_t count) {
  REAL(ssize_t, "read", int, void *, size_t);
  if (concerns_file(file) && fails(READ)) { SHORTENED(count); }
  return real(file, bytes, count);
}

#define PREADING(function, text)                                                \
  ssize_t function(int file, void *bytes, size_t count, off_t offset) {         \
    REAL(ssize_t, text, int, void *, size_t, off_t);                            \
    if (concerns_file(file) && fails(READ)) { SHORTENED(count); }               \
    return real(file, bytes, count, offset);                                    \
  }
PREADING(pread, "pread")
PREADING(pread64, "pread64")

#define ON_FILE(function, text, call)                                           \
  int function(int file) {                                                      \
    REAL(int, text, int);                                                       \
    if (concerns_file(file) && fails(call)) FAIL;                               \
    return real(file);                                                          \
  }
ON_FILE(fsync, "fsync", FSYNC)
ON_FILE(fdatasync, "fdatasync", FSYNC)

#define CUTTING(function, text)                                                 \
  int function(int file, off_t size) {                                          \
    REAL(int, text, int, off_t);                                                \
    if (concerns_file(file) && fails(FTRUNCATE)) FAIL;                          \
    return real(file, size);                                                    \
  }
CUTTING(ftruncate, "ftruncate")
CUTTING(ftruncate64, "ftruncate64")

#define MAPPING(function, text)                                                              \
  void *function(void *address, size_t size, int protection, int flags, int file, off_t at) {  \
    REAL(void *, text, void *, size_t, int, int, int, off_t);                                \
    if (file >= 0 && concerns_file(file) && fails(MMAP))                                     \
      return errno = error_number, MAP_FAILED;                                               \
    return real(address, size, protection, flags, file, at);                                   \
  }
MAPPING(mmap, "mmap")
MAPPING(mmap64, "mmap64")

// The kernel releases the descriptor even if it reports an error.
int close(int file) {
  REAL(int, "close", int);
  if (concerns_file(file) && fails(CLOSE)) {
    real(file);
    FAIL;
  }
  return real(file);
}
