import UndercroftFileSystem

/// A reader that converts the system calls of a recording to operations on the nodes of a model.
///
/// If a successful call may change files in the folder but is not supported, reading throws.
/// Without this error, the replay would differ from the files that the writer left.
package struct TraceReader {
  var trace: Trace
  /// The files after the current call, without losses.
  var model: DiskModel
  var files = OpenFiles()
  /// The index of the line of the strace output on which each operation ended.
  private var lines: [Int] = []
  let root: [Substring]
  let workingFolder: String
  let mask: UInt32

  /// Reads a recording of a program that ran in the working folder of this process.
  ///
  /// - Parameters:
  ///   - calls: the system calls in the order in which they ended.
  ///   - root: the real path of the recorded folder.
  ///   - model: the files in the folder before the program ran.
  package static func trace(
    of calls: [SystemCall], under root: String, before model: DiskModel
  ) throws(TraceError) -> Trace {
    var reader = TraceReader(root, model)
    for call in calls where call.result >= 0 || call.name == "close" {
      do throws(TraceError) {
        try reader.read(call)
      } catch {
        throw TraceError(
          """
          cannot replay the call \(call.name) in line \(call.end + 1) of the recording: \(error); \
          if another process changed the recorded folder, record the writer again without this \
          process, and otherwise change the writer so that the writer does not make such a call
          """)
      }
    }
    return reader.trace
  }

  private init(_ root: String, _ model: DiskModel) {
    self.root = root.split(separator: "/")
    self.model = model
    trace = Trace(before: model)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    workingFolder = getcwd(&buffer, buffer.count).map { String(cString: $0) } ?? "/"
    let old = umask(0o077)
    umask(old)
    mask = UInt32(old)
  }

  mutating func add(_ operation: FileOperation, _ call: SystemCall) {
    model.apply(operation)
    trace.operations.append(operation)
    lines.append(call.end)
  }

  /// Returns the number of operations that had ended when a call began.
  func operations(before call: SystemCall) -> Int {
    var count = lines.count
    while count > 0, lines[count - 1] > call.begin { count -= 1 }
    return count
  }

  mutating func addProgress(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if let progress = WriterProgress(line) {
        trace.progressLines.append(
          Trace.ProgressLine(position: trace.operations.count, progress: progress))
      }
    }
  }

  private mutating func read(_ call: SystemCall) throws(TraceError) {
    if try readNames(call) { return }
    if try readBytes(call) { return }
    if try readDescriptors(call) { return }
    if Self.harmless.contains(call.name) { return }
    throw TraceError("the replay does not know the effect of this system call on files")
  }

  /// The system calls that accept a path or a descriptor, but change neither bytes nor names.
  private static let harmless: Set = [
    "access", "faccessat", "faccessat2", "stat", "lstat", "newfstatat", "fstatat64", "statx",
    "statfs", "fstatfs", "readlink", "readlinkat", "getcwd", "execve", "utimensat", "utime",
    "utimes", "futimesat", "chown", "lchown", "fchown", "fchownat", "inotify_add_watch", "uselib",
    "name_to_handle_at", "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr",
    "flistxattr", "msync", "sync_file_range", "sync_file_range2", "ioctl", "pread64", "preadv",
    "preadv2",
  ]
}
