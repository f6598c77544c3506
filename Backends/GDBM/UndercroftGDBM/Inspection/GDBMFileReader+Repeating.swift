import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

extension GDBMFileReader {
  private static let maximumAttempts = 8
  /// The number of repetitions of an error after which a file is damaged even if it is locked.
  private static let certainRepetitions = 5

  /// Runs `body` until it reads one state of the file, and returns its result.
  ///
  /// A writer may map the file into memory, and then changes the file without changing its
  /// modification time. `body` therefore reads everything twice. If both times are equal, all bytes
  /// were in the file at the instant between the two.
  ///
  /// A file in the middle of a change can seem damaged. The file is damaged if `body` throws the
  /// same error again although the file has not changed, and no process has a lock on the file. If
  /// the file is locked, more repetitions are necessary.
  ///
  /// - Parameter body: returns `nil` if the file changed while `body` read it.
  /// - Throws: the error of `body`, or ``StorageError/Code/busy`` if the file changed during each
  ///   attempt.
  func repeating<Result>(
    _ body: () throws(StorageError) -> Result?
  ) throws(StorageError) -> Result {
    var failure: StorageError?
    var (version, repetitions) = (FileVersion(try file.status()), 0)
    for attempt in 1...Self.maximumAttempts {
      if attempt > 2 { usleep(UInt32.random(in: 500...20_000)) }
      do throws(StorageError) {
        if let result = try body() { return result }
        failure = nil
      } catch {
        guard error.code == .corrupted else { throw error }
        let present = FileVersion(try file.status())
        let isSame = error.failure == failure?.failure && present == version
        repetitions = isSame ? repetitions + 1 : 0
        if isSame, repetitions == Self.certainRepetitions || !isLocked { throw error }
        (failure, version) = (error, present)
      }
    }
    throw busy(failure)
  }

  /// Returns the error for a file that changed during each attempt to read it.
  func busy(_ underlying: StorageError? = nil) -> StorageError {
    StorageError(
      .busy, "cannot inspect \(quoted(path)): the file changed during each attempt to read it",
      suggestion: "repeat the call when other processes write less often", underlying: underlying)
  }

  /// Whether a process has a lock on the file. (`/proc/locks`)
  ///
  /// The value is `false` on systems without this file.
  private var isLocked: Bool {
    guard let inode, let locks = try? Data(contentsOf: URL(filePath: "/proc/locks")) else {
      return false
    }
    return String(decoding: locks, as: UTF8.self).split(separator: " ")
      .contains { $0.hasSuffix(":\(inode)") }
  }
}
