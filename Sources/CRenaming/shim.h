#ifndef UNDERCROFT_CRENAMING_SHIM_H
#define UNDERCROFT_CRENAMING_SHIM_H

#if defined(__linux__)

/* The header of glibc declares the function only with _GNU_SOURCE, which Swift does not define when it
   imports that header. */
extern int renameat2(int folder, const char *name, int new_folder, const char *new_name,
                     unsigned int flags);

#endif

#endif
