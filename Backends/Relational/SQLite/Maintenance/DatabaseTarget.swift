import CSQLite
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A database being written beside the one it will replace: a whole new file, or none.
///
/// No descriptor of the new file is open when it gets its final name: another thread may open the
/// database at once, and closing the descriptor would drop the locks of that connection.
struct DatabaseTarget: ~Copyable {
  private var file: GuardedFile
  private let path: String
  private let lockTimeout: Duration
  private let mayReplace: Bool

  /// Makes the temporary, and the folders above it, having swept away what killed processes left.
  ///
  /// - Parameters:
  ///   - lockTimeout: how long to wait at the end for those who use an earlier database at `path`.
  ///   - mayReplace: `false` refuses every database at `path`, also one that is created meanwhile.
  /// - Throws: ``StorageError/Code/unavailable`` when something other than a database is at `path`.
  init(at path: String, lockTimeout: Duration, mayReplace: Bool = true) throws(StorageError) {
    let path = DatabaseFile.resolved(path)
    try DatabaseFile.refuseBadPlace(path)
    try Self.refuseStrangers(at: path)
    do throws(StorageError) {
      try Folder.create(Folder.parent(of: path))
      try TemporaryFile.sweep(try Folder.open(Folder.parent(of: path)))
      self.file = try GuardedFile(replacing: path)
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
    self.path = path
    self.lockTimeout = lockTimeout
    self.mayReplace = mayReplace
  }

  private static func refuseStrangers(at path: String) throws(StorageError) {
    guard DatabaseFile.exists(path) else {
      for suffix in ["-wal", "-journal"] where DatabaseFile.exists(path + suffix) {
        throw StorageError(
          .unavailable,
          "cannot write \(quoted(path)): the journal \(quoted(path + suffix)) of another database is there",
          cure: "move it away, or choose another name", backend: SQLiteBackend.name)
      }
      return
    }
    try DatabaseFile.require(path)
    let source = try DatabaseSource(path)
    guard source.header.isEmpty || source.isDatabase else {
      throw StorageError(
        .unavailable, "cannot write \(quoted(path)): what is there is no database",
        cure: "move it away, or choose another name", backend: SQLiteBackend.name)
    }
  }

  /// The empty file that is to become the database.
  var temporary: String { file.path }

  /// Copies everything that `source` sees, and puts it in place.
  consuming func fill(from source: OpaquePointer) throws(StorageError) {
    do {
      let target = try SQLiteHandle(temporary, .readWrite)
      let backup = try Backup(from: source, to: target.raw)
      while try backup.step(-1) {}
    }
    try commit()
  }

  // A copy says of its journal what the original did. One file by itself needs no log, not even to be read. (Bytes 18 and 19)
  private func forgetLog() throws(StorageError) {
    let versions = (UInt8(1), UInt8(1))
    do throws(StorageError) {
      try file.withDescriptor { (file) throws(StorageError) in
        try withUnsafeBytes(of: versions) { (bytes) throws(StorageError) in
          try file.write(bytes, at: 18)
        }
      }
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  /// Whether another file holds, byte by byte, what this one is going to hold; its connections must be closed.
  func isSame(as other: String) throws(StorageError) -> Bool {
    try forgetLog()
    guard DatabaseFile.isRegular(other), let other = try? DatabaseSource(other) else {
      return false
    }
    return try file.withDescriptor { (file) throws(StorageError) in
      var offset = 0
      while true {
        guard let one = try? file.read(1 << 20, at: offset),
          let two = try? other.read(at: offset, 1 << 20), one == two
        else { return false }
        if one.isEmpty { return true }
        offset += one.count
      }
    }
  }

  /// Puts the database in place; its connections must be closed.
  ///
  /// - Throws: an error which says "is in place" if the new database is there and its name cannot be
  ///   flushed. After any other error the earlier database is in its place.
  consuming func commit() throws(StorageError) {
    try forgetLog()
    if !mayReplace || !DatabaseFile.exists(path) {
      if try file.commitIfAbsent(of: Self.change) { return }
      guard mayReplace else { throw Self.taken(path) }
      // Another process has created it during the flush.
      try Self.refuseStrangers(at: path)
    }
    // A log that stays behind would be taken for that of the new file.
    let old: ExclusiveAccess
    do throws(StorageError) {
      old = try ExclusiveAccess(path, lockTimeout: lockTimeout)
    } catch  where error.code == .corrupted && !DatabaseFile.hasJournal(path) {
      return try file.commit(of: Self.change)
    }
    try file.commit(of: Self.change)
    _ = old.raw
  }

  /// The error of a copy that may not replace what is at its place.
  private static func taken(_ path: String) -> StorageError {
    .sqliteMisuse(
      "cannot write \(quoted(path)): there is something already",
      cure: "remove it, or choose another name")
  }

  private static let change = "the new database"
}
