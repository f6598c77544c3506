#pragma once

/// System calls that fail on demand, in the calling thread alone.
///
/// The functions replace those of the C library in the executable of the tests. Without an armed
/// fault, each function makes its system call.

/// The system calls, each with one bit.
enum faults_call {
  FAULTS_OPEN = 1 << 0,
  FAULTS_WRITE = 1 << 1,
  FAULTS_SYNC = 1 << 2,
  FAULTS_RENAME = 1 << 3,
  FAULTS_UNLINK = 1 << 4,
  FAULTS_MKDIR = 1 << 5,
  FAULTS_TRUNCATE = 1 << 6,
  FAULTS_ALL = (1 << 7) - 1,
  /// Hard links, which are not part of `FAULTS_ALL` because some file systems do not support them.
  FAULTS_LINK = 1 << 7,
  /// New watches of folders, which change no file. (`inotify_init1`)
  FAULTS_WATCH = 1 << 8,
  /// The types of the entries of a folder, which are omitted instead of failing. (`DT_UNKNOWN`)
  FAULTS_TYPE = 1 << 9
};

/// An error number that kills the process instead of making the call. (`SIGKILL`)
enum { FAULTS_KILL = 1 << 20 };

/// Returns whether calls can be made to fail: on Linux, without the thread sanitizer, which
/// replaces the same functions.
int faults_are_available(void);

/// Makes calls of this thread fail.
///
/// @param calls the calls that fail, as a set of `faults_call`.
/// @param first the number of the first call that fails, counted from 1.
/// @param count the number of successive calls that fail.
/// @param error the error number of the failures. If it is 0, writes write half of their bytes, and
///   other calls succeed. If it is -n, the first failing write writes half of its bytes, and every
///   other failing call fails with n. If it is `FAULTS_KILL`, the process is killed.
void faults_arm(int calls, int first, int count, int error);

/// Sets the number of bytes that a shortened write of this thread writes, instead of half of them.
///
/// Call it after `faults_arm`.
///
/// @param count the number of bytes, or, if it is negative, the number of missing bytes.
void faults_shorten_to(int count);

/// Ends the failures of this thread, and returns the number of the chosen calls that it made.
int faults_disarm(void);

/// Calls `action` once, before the next flush of a file by this thread.
void faults_before_sync(void (*action)(void *), void *context);

/// Calls `action` once, before the call of `pread` by this thread whose number from now, beginning
/// with 1, is `number`.
void faults_before_read(int number, void (*action)(void *), void *context);

/// Returns the number of descriptors of renamed files that this process had open at the renames,
/// since renames of this thread were last armed.
int faults_open_at_rename(void);

/// Returns the number of files that this thread created with `O_CREAT` and `O_EXCL` since
/// `FAULTS_OPEN` was last armed.
int faults_exclusive_opens(void);

/// Makes this thread access files with the permissions of a user, until it is called with user 0.
/// (`setfsuid`)
///
/// It works only for the superuser on Linux, also with the thread sanitizer.
void faults_use_files_as(unsigned user);
