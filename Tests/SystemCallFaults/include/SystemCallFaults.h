#pragma once

/// System calls that change files. They fail on demand, in the calling thread alone.
///
/// The functions replace those of the C library in the executable that they are linked into, the
/// executable of the tests. Without an armed fault each makes its system call.

/// The system calls, one bit each.
enum faults_call {
  FAULTS_OPEN = 1 << 0,
  FAULTS_WRITE = 1 << 1,
  FAULTS_SYNC = 1 << 2,
  FAULTS_RENAME = 1 << 3,
  FAULTS_UNLINK = 1 << 4,
  FAULTS_MKDIR = 1 << 5,
  FAULTS_TRUNCATE = 1 << 6,
  FAULTS_ALL = (1 << 7) - 1,
  /// Hard links, which are not among `FAULTS_ALL`: file systems without them exist.
  FAULTS_LINK = 1 << 7,
  /// New watches of folders, which change no file. (`inotify_init1`)
  FAULTS_WATCH = 1 << 8,
  /// The types of the entries of a folder, which do not fail but are left out. (`DT_UNKNOWN`)
  FAULTS_TYPE = 1 << 9
};

/// Whether calls can be made to fail: on Linux, without the thread sanitizer, which replaces them itself.
int faults_are_available(void);

/// Makes calls of this thread fail.
///
/// @param calls which calls, as a set of `faults_call`.
/// @param first the number of the first call that fails, from 1.
/// @param count how many calls fail, beginning with that one.
/// @param error the error number that they fail with. 0: writes write half of their bytes, and
///   other calls succeed. A negative number -n: the first write that is due writes half of its
///   bytes, and every other call that is due fails with n.
void faults_arm(int calls, int first, int count, int error);

/// Sets how many bytes a shortened write of this thread writes, instead of half of them; call it after
/// `faults_arm`.
///
/// @param count the number of bytes, or, if it is negative, how many bytes are missing.
void faults_shorten_to(int count);

/// Makes no call of this thread fail any longer; returns how many of the chosen calls there were.
int faults_disarm(void);

/// Calls `action` once, before the next flush of a file by this thread.
void faults_before_sync(void (*action)(void *), void *context);

/// How many descriptors of renamed files this process had open at the renaming, since renamings of
/// this thread were last armed.
int faults_open_at_rename(void);

/// How many files this thread made by `O_CREAT` with `O_EXCL` since `FAULTS_OPEN` was last armed.
int faults_exclusive_opens(void);

/// Lets this thread use files with the rights of a user, until the user is 0 again. (`setfsuid`)
///
/// Works for the superuser on Linux alone, with the thread sanitizer as well.
void faults_use_files_as(unsigned user);
