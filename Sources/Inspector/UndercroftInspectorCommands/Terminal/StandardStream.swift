import Foundation

/// The file descriptors of standard input, standard output and standard error.
enum StandardStream {
  /// Opens the descriptors that the parent process has closed, so that no file of a store gets one
  /// of them: output would then be written to the store. (`open`)
  ///
  /// Reading from such a descriptor, or writing to it, still fails (`EBADF`).
  static func reserveAll() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The system assigns the lowest descriptor that is closed.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
