package import UndercroftCore

/// A new file that no other process knows, beside the one it will replace.
///
/// A writer holds a lock on its temporary as long as it lives; so a temporary that can be locked was left by a dead process.
package struct TemporaryFile: ~Copyable {
  package let file: Descriptor
  package let name: String

  /// What the names of all files begin with that belong to a store and are no values.
  package static let prefix = ".undercroft-"
  private static let suffix = ".tmp"

  /// Makes an empty one, readable by its owner alone. (`O_EXCL`)
  ///
  /// - Parameter owner: begins the random part of the name; an opener knows its own temporaries by it.
  package init(in folder: borrowing Descriptor, owner: String = "") throws(StorageError) {
    try self.init(in: folder, owner: owner, suffix: Self.suffix)
  }

  /// Makes one that outlives its descriptor: ``sweep(_:)`` leaves it to whoever knows the suffix.
  package init(
    in folder: borrowing Descriptor, owner: String = "", suffix: String
  ) throws(StorageError) {
    while true {
      let number = String(UInt64.random(in: .min ... .max), radix: 16)
      let name = Self.prefix + owner + number + suffix
      let flags = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW
      let file = try Descriptor(opening: name, in: folder, flags)
      guard FileLock.tryLock(file.raw, byte: 0) else {
        // A sweeper may have come between the two calls: then the file is its to remove, and we take another.
        if errno == EAGAIN || errno == EACCES { continue }
        let number = errno
        unlinkat(folder.raw, name, 0)
        throw .system("lock", file.path, number: number)
      }
      // Nor has the sweeper come and gone. A name of 64 random bits is never used again.
      guard try FileIdentity(name, in: folder) != nil else { continue }
      self.file = file
      self.name = name
      return
    }
  }

  /// Says whether a name in a folder is that of a temporary.
  package static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(suffix)
  }

  /// Returns the name of a file that belongs to a temporary and goes with it.
  package static func companion(of temporary: String, _ purpose: String) -> String {
    temporary + "-" + purpose
  }

  /// Returns the temporary that a companion, or a journal of SQLite beside it, belongs to.
  private static func owner(ofCompanion name: String) -> String? {
    guard name.hasPrefix(prefix), let end = name.firstRange(of: suffix + "-") else { return nil }
    return String(name[..<end.lowerBound]) + suffix
  }

  /// Removes the temporaries that dead processes left in a folder, and then their companions.
  ///
  /// A companion is never opened: it may be about to become a database, whose locks the closing of
  /// any descriptor would drop.
  package static func sweep(_ folder: borrowing Descriptor) throws(StorageError) {
    _ = try firstFailure(ofSweeping: folder)
  }

  /// Removes what ``sweep(_:)`` removes.
  ///
  /// - Returns: the first error of an abandoned temporary that could not be removed.
  package static func firstFailure(
    ofSweeping folder: borrowing Descriptor
  ) throws(StorageError) -> StorageError? {
    var failure: StorageError?
    let names = try Folder.names(in: folder)
    for name in names where isTemporary(name) {
      do {
        let file = try Descriptor(opening: name, in: folder, O_RDWR | O_NOFOLLOW)
        if FileLock.tryLock(file.raw, byte: 0), unlinkat(folder.raw, name, 0) != 0, errno != ENOENT
        {
          failure = failure ?? .system("remove", file.path)
        }
      } catch {
        // Gone meanwhile, or another user's: not ours to sweep.
        continue
      }
    }
    for name in names {
      // A temporary is made before its companions and removed after them.
      guard let owner = owner(ofCompanion: name), try FileIdentity(owner, in: folder) == nil else {
        continue
      }
      unlinkat(folder.raw, name, 0)
    }
    return failure
  }
}
