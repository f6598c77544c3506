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
      guard try file.status().st_nlink > 0 else { continue }
      self.file = file
      self.name = name
      return
    }
  }

  /// Says whether a name in a folder is that of a temporary.
  package static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(suffix)
  }

  /// Removes the temporaries that dead processes left in a folder.
  package static func sweep(_ folder: borrowing Descriptor) throws(StorageError) {
    for name in try Folder.names(in: folder) where isTemporary(name) {
      do {
        let file = try Descriptor(opening: name, in: folder, O_RDWR | O_NOFOLLOW)
        if FileLock.tryLock(file.raw, byte: 0) { unlinkat(folder.raw, name, 0) }
      } catch {
        // Gone meanwhile, or another user's: not ours to sweep.
        continue
      }
    }
  }
}
