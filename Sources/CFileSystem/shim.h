#ifndef UNDERCROFT_CFILESYSTEM_SHIM_H
#define UNDERCROFT_CFILESYSTEM_SHIM_H

#if defined(__linux__)

/* The headers of glibc declare these functions only with _GNU_SOURCE, which Swift does not define when
   it imports these headers. */
extern int renameat2(int folder, const char *name, int new_folder, const char *new_name,
                     unsigned int flags);

#include <features.h>

#if defined(__GLIBC__)
#include <linux/stat.h>

/* Further headers of the C library would become a part of this module. */
extern unsigned long long gnu_dev_makedev(unsigned int major, unsigned int minor);
extern int statx(int folder, const char *path, int flags, unsigned int mask,
                 struct statx *status);

/* Finds out which file a path leads to, and asks for nothing else. `stat` also asks for the times of
   the file. Linux 6.13 and later then gives the next write a time of its own and writes it to the
   inode, which costs that write more than a microsecond. */
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
