import UndercroftFoundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The cause of a failed system call.
package struct SystemError: Error, Sendable, CustomStringConvertible {
  /// The value of `errno` after the call.
  package let number: Int32

  /// Creates the cause from a value of `errno`.
  package init(number: Int32) { self.number = number }

  /// Creates the system error that underlies an error of Foundation, or `nil` if there is none.
  package init?(foundation error: any Error) {
    guard let cause = (error as? CocoaError)?.underlying as? POSIXError else { return nil }
    number = cause.code.rawValue
  }

  package var description: String { String(cString: strerror(number)) }
}

extension StorageError {
  /// The suggestion of an error because too many files are open. (`EMFILE`, `ENFILE`)
  package static let openFileLimitSuggestion =
    "raise the limit of open files with ulimit -n, or close other files or programs"

  /// Returns the error for a failed system call, with a
  /// message of the form *cannot open "path": reason*.
  ///
  /// The whole project translates values of `errno` to error codes with this function.
  ///
  /// - Parameters:
  ///   - action: the verb of the message, such as "open".
  ///   - path: the path of the file or folder.
  ///   - number: the value of `errno`.
  package static func system(
    _ action: String, _ path: String, number: Int32 = errno
  ) -> StorageError {
    let error = SystemError(number: number)
    let (code, suggestion) = meaning(of: number)
    return StorageError(
      code, "cannot \(action) \(quoted(path)): \(error.description.lowercased())",
      suggestion: suggestion,
      underlying: error)
  }

  private static func meaning(of number: Int32) -> (Code, String?) {
    switch number {
    case EACCES, EPERM:
      (.accessDenied, "check the owner and mode of this path and of its parent folders")
    case EROFS: (.accessDenied, "mount the file system for writing")
    case ELOOP: (.accessDenied, "replace the symbolic link with its target")
    case ENOSPC: (.full, "free disk space")
    case EDQUOT: (.full, "free disk space, or raise the disk quota of the user")
    case EFBIG: (.full, "raise the file size limit of the process (ulimit -f), or save less data")
    case ENOENT: (.unavailable, "check the path, and create missing folders")
    case EAGAIN, EWOULDBLOCK, ETXTBSY, EBUSY:
      (.locked, "wait until no other program uses the file")
    case EMFILE, ENFILE: (.io, openFileLimitSuggestion)
    case ENOMEM: (.unavailable, "free some memory, or raise the memory limit of the process")
    case ENOTDIR: (.io, "check the path: a file exists where a folder is needed")
    case EISDIR: (.io, "move or rename the folder at this path")
    case ENAMETOOLONG: (.io, "choose a shorter path")
    case ENOTSUP, ENOSYS, ENOLCK: (.io, "use another file system, such as a local one")
    case EIO: (.io, "check the disk and the system log for errors")
    default: (.io, nil)
    }
  }
}
