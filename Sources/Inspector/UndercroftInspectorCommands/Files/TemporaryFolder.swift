import Foundation
import UndercroftCore
import UndercroftFileSystem

/// A new folder that only its owner can enter, for files that are incomplete or private.
///
/// The folder is removed with its content at the end of the command, also after an error, and when
/// the user interrupts the command. If the command is killed, ``InterruptedItem`` finds the folder
/// when the command is repeated.
struct TemporaryFolder {
  let path: String
  /// The lock that shows other processes that the command runs, or `nil` if the file system has no
  /// locks.
  private let lock: FolderLock?

  /// Creates a folder with mode 0700 in the folder `parent`.
  init(in parent: String) throws(StorageError) {
    while true {
      let number = String(UInt64.random(in: .min ... .max), radix: 16)
      let path = "\(parent)/\(TemporaryFile.prefix)\(number).tmp"
      TemporaryItems.register(path)
      guard mkdir(path, 0o700) == 0 else {
        let error = StorageError.system("create a temporary folder in", parent)
        TemporaryItems.unregister(path)
        throw error
      }
      var lock: FolderLock?
      var isTaken = false
      do throws(StorageError) {
        lock = try FolderLock(path)
      } catch {
        let number = (error.underlying as? SystemError)?.number
        isTaken = number == EWOULDBLOCK || number == ENOENT
      }
      // Before the folder was locked, another command may have found it, and removed it as the
      // folder of a killed command. Another name is then tried.
      if !isTaken, FileState(at: path) != nil {
        self.path = path
        self.lock = lock
        return
      }
      rmdir(path)
      TemporaryItems.unregister(path)
    }
  }

  /// Creates a private folder in the folder for temporary files. (`TMPDIR`)
  init() throws(StorageError) {
    try self.init(in: EnvironmentVariable.text(of: "TMPDIR") ?? "/tmp")
  }
}
