#ifndef UNDERCROFT_CFILESYSTEM_SHIM_H
#define UNDERCROFT_CFILESYSTEM_SHIM_H

#if defined(__linux__)

/* The headers of glibc declare these functions only with _GNU_SOURCE, which Swift does not define when
   it imports these headers. */
extern int renameat2(int folder, const char *name, int new_folder, const char *new_name,
                     unsigned int flags);
extern void *memmem(const void *haystack, __SIZE_TYPE__ haystack_size, const void *needle,
                    __SIZE_TYPE__ needle_size);

#include <features.h>

#if defined(__GLIBC__)
#include <linux/stat.h>

/* Declared here, because headers of the C library that are included become part of this module. */
extern unsigned long long gnu_dev_makedev(unsigned int major, unsigned int minor);
extern int statx(int folder, const char *path, int flags, unsigned int mask,
                 struct statx *status);

/* Stores the device and inode number of the file to which `path` leads, and returns the result of
   `statx`. Only the inode number is requested. `stat` also requests the timestamps of the file. On
   Linux 6.13 and later, the next write then gets a separate timestamp and updates the inode, which
   takes more than a microsecond. */
static inline int undercroft_identify(const char *path, unsigned long long *device,
                                      unsigned long long *inode) {
  struct statx status;
  int result = statx(-100 /* AT_FDCWD */, path, 0, STATX_INO, &status);
  if (result == 0) {
    *device = gnu_dev_makedev(status.stx_dev_major, status.stx_dev_minor);
    *inode = status.stx_ino;
  }
  return result;
}
#endif

#endif

#endif
