package import UndercroftCore

/// A new file with a unique name, beside the file that it will replace.
///
/// A writer locks its temporary file until the writer ends, so a
/// temporary file that can be locked was left by a dead process.
package struct TemporaryFile: ~Copyable {
  /// The open file, which this process has locked.
  package let file: Descriptor
  /// The name of the file in its folder.
  package let name: String

  /// The prefix of the names of temporary files and of
  /// other auxiliary files in the folder of a store.
  package static let prefix = ".undercroft-"
  private static let suffix = ".tmp"

  /// Creates an empty temporary file with mode 0600 (`O_EXCL`).
  ///
  /// - Parameter owner: the first characters of the random part of the name. An instance of a store
  ///   recognises its own temporary files by these characters.
  package init(in folder: borrowing Descriptor, owner: String = "") throws(StorageError) {
    try self.init(in: folder, owner: owner, suffix: Self.suffix)
  }

  /// Creates an empty file whose name ends in `suffix` instead of the suffix of temporary files.
  ///
  /// ``sweep(_:)`` does not remove a file with another suffix. The file may
  /// outlive its descriptor, so code that uses the suffix must remove the file.
  package init(
    in folder: borrowing Descriptor, owner: String = "", suffix: String
  ) throws(StorageError) {
    while true {
      let number = String(UInt64.random(in: .min ... .max), radix: 16)
      let name = Self.prefix + owner + number + suffix
      let flags = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW
      let file = try Descriptor(opening: name, in: folder, flags)
      guard FileLock.tryLock(file.raw, byte: 0) else {
        // A sweep may have locked the file between the two calls.
        // The sweep then removes the file, so another name is tried.
        if errno == EAGAIN || errno == EACCES { continue }
        let number = errno
        unlinkat(folder.raw, name, 0)
        throw .system("lock", file.path, number: number)
      }
      // A sweep may also have removed the file already.
      // A name with 64 random bits is never used again.
      guard try Folder.hasEntry(name, in: folder) else { continue }
      self.file = file
      self.name = name
      return
    }
  }

  /// Returns whether `name` is the name of a temporary file.
  package static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(suffix)
  }

  /// Returns the name of a companion file of the temporary file `temporary`.
  ///
  /// A companion is another file of the same writer, whose name begins with the name of the
  /// temporary file. A sweep removes a companion together with its temporary file.
  package static func companion(of temporary: String, _ purpose: String) -> String {
    temporary + "-" + purpose
  }

  /// Returns the name of the temporary file with which the name of the companion file `name`
  /// begins, or `nil` if `name` is not the name of a companion file.
  ///
  /// The SQLite journal of a companion file is a companion file of the same temporary file.
  private static func owner(ofCompanion name: String) -> String? {
    guard name.hasPrefix(prefix), let end = name.firstRange(of: suffix + "-") else { return nil }
    return String(name[..<end.lowerBound]) + suffix
  }

  /// Removes the temporary files that dead processes left in a folder, and then the companion files
  /// of these temporary files.
  ///
  /// A companion file is another file of the same writer, whose name begins with the name of the
  /// temporary file. This method does not open companion files, because a companion file may be
  /// about to become a database. Closing any file descriptor of a database releases all POSIX
  /// record locks of this process on it.
  package static func sweep(_ folder: borrowing Descriptor) throws(StorageError) {
    _ = try firstFailure(ofSweeping: folder)
  }

  /// Removes the same files as ``sweep(_:)``, and returns an error instead of ignoring it.
  ///
  /// - Returns: the first error that occurred when opening a temporary
  ///   file or removing an abandoned one, or `nil` if there was none.
  package static func firstFailure(
    ofSweeping folder: borrowing Descriptor
  ) throws(StorageError) -> StorageError? {
    var failure: StorageError?
    let names = try Folder.names(in: folder)
    for name in names where isTemporary(name) {
      do throws(StorageError) {
        // Not opened for writing, because a temporary file may already have
        // the mode of the read-only file that it was meant to replace.
        let file = try Descriptor(
          opening: name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard try file.status().st_mode & S_IFMT == S_IFREG,
          FileLock.trySharedLock(file.raw, byte: 0)
        else { continue }
        if unlinkat(folder.raw, name, 0) != 0, errno != ENOENT {
          failure = failure ?? .system("remove", file.path)
        }
      } catch {
        // After any other error the file was removed after it was listed, or belongs to another
        // user and is not removed.
        let transient = [EMFILE, ENFILE, ENOMEM, EIO]
        guard let number = (error.underlying as? SystemError)?.number, transient.contains(number)
        else { continue }
        failure = failure ?? error
      }
    }
    for name in names {
      // A temporary file is created before its companions and removed after them.
      guard let owner = owner(ofCompanion: name), try !Folder.hasEntry(owner, in: folder) else {
        continue
      }
      unlinkat(folder.raw, name, 0)
    }
    return failure
  }
}
