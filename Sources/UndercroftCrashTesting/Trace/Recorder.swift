import UndercroftCore
import UndercroftFileSystem
import UndercroftTesting

/// A recorder that runs a writer under strace and reads the operations on the files of one folder.
package enum Recorder {
  /// Returns whether strace is installed and may trace programs.
  package static func isAvailable() -> Bool {
    guard let strace = path else { return false }
    guard let child = try? ChildProcess([strace, "-o", "/dev/null", "/bin/true"]) else {
      return false
    }
    return child.status() == 0
  }

  static let path: String? = ["/usr/bin/strace", "/usr/local/bin/strace", "/bin/strace"]
    .first { (path: String) in access(path, X_OK) == 0 }

  /// The reason and the advice in an error message if ``path`` is `nil`.
  static let missing = """
    /usr/bin, /usr/local/bin and /bin contain no executable program strace; install strace, which \
    exists only for Linux, in one of these folders
    """

  /// The system calls that strace records, as names and classes of its option `-e trace`.
  ///
  /// The list contains every call that can change the content or attributes of a file, the names in
  /// a folder, or the file to which a descriptor refers. It also contains the calls that read, move
  /// a file offset or start a process, because the replay of later calls depends on them.
  private static let calls = [
    "%file", "write", "writev", "pwrite64", "pwritev", "pwritev2", "read", "readv", "ftruncate",
    "fallocate", "fchmod", "fchown", "fsync", "fdatasync", "sync", "syncfs", "copy_file_range",
    "sendfile", "splice", "tee", "vmsplice", "mmap", "close", "close_range", "dup", "dup2", "dup3",
    "fcntl", "lseek", "clone", "clone3", "fork", "vfork", "fchdir", "fsetxattr", "fremovexattr",
    "io_setup", "io_submit", "io_uring_setup", "io_uring_enter", "open_by_handle_at",
    "remap_file_pages", "pidfd_getfd",
  ]

  /// Runs `command` until it ends and returns its trace.
  ///
  /// - Parameters:
  ///   - folder: the real path of the folder whose files are recorded.
  ///   - model: a model of the files in the folder, whose node numbers the trace continues, or
  ///     `nil` to read the files from the folder.
  /// - Throws: ``TraceError`` if the program fails, or if the replay of the recording does not lead
  ///   to the files that the program left.
  package static func record(
    _ command: [String], in folder: String, continuing model: DiskModel? = nil
  ) throws -> Trace {
    guard let path else {
      throw TraceError(
        """
        cannot record the system calls of the writer \(quoted(command.joined(separator: " "))): \
        \(missing)
        """)
    }
    let before = try model ?? DiskModel(readingFrom: folder)
    let log = folder + ".strace"
    defer { unlink(log) }
    let flags = [
      "-f", "-X", "raw", "-xx", "-s", "67108864", "-o", log,
      "-e", "trace=" + calls.map { $0.hasPrefix("%") ? $0 : "?" + $0 }.joined(separator: ","),
      "-e", "signal=none",
    ]
    let child = try ChildProcess([path] + flags + command)
    let lines = child.lines()
    let status = child.status()
    guard status == 0 else {
      throw TraceError(
        """
        cannot record the system calls of the writer \(quoted(command.joined(separator: " "))): \
        strace, which runs the writer, ended with \(ChildProcess.describe(waitStatus: status)) \
        (the last lines of the output are \(quoted(lines.suffix(3).joined(separator: "; ")))); run \
        the command of the writer without strace to see whether the writer itself fails
        """)
    }
    let text = [UInt8](try Descriptor(opening: log, O_RDONLY).readAll())
    let trace = try TraceReader.trace(
      of: try StraceText.calls(in: text), under: folder, before: before)
    let differences = try trace.after.differences(from: DiskModel(readingFrom: folder))
    guard differences.isEmpty else {
      throw TraceError(
        """
        cannot use the recording of the writer \(quoted(command.joined(separator: " "))): the \
        replay of the recording does not produce the files that are in the folder \
        \(quoted(folder)) (in the replay, \(differences.prefix(5).joined(separator: ", "))); \
        record the writer again while no other process changes this folder
        """)
    }
    return trace
  }
}
