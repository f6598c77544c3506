public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation
import UndercroftSQLite

/// A copy of a database in its state before a migration.
///
/// The copy is a file beside the database, and only the owner of the file can read it. The snapshot
/// remains until the application calls ``discard()``.
public struct MigrationSnapshot: Sendable, Hashable {
  /// The location of the snapshot, such as
  /// "library.sqlite.version-2.snapshot" for "library.sqlite" at version 2.
  public let location: URL
  /// The version of the database in the snapshot.
  public let version: String

  private static let suffix = ".snapshot"

  init(of database: URL, version: String) {
    let name = "\(database.lastPathComponent).version-\(FileName.path(for: version))\(Self.suffix)"
    location = database.deletingLastPathComponent().appending(
      path: name.replacing("/", with: ""), directoryHint: .notDirectory)
    self.version = version
  }

  /// Returns the size of the snapshot in bytes.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the snapshot does not exist any more.
  public func byteCount() throws(StorageError) -> Int {
    try DatabaseFiles(at: location).byteCount()
  }

  /// Throws if the file name is too long, or if the path is a symbolic link,
  /// which could lead to another database.
  func requireUsable() throws(StorageError) {
    let path = location.path
    // When a connection opens the snapshot, SQLite needs a journal beside the snapshot.
    let length = location.lastPathComponent.utf8.count + "-journal".utf8.count
    guard length <= 255 else {
      throw .migration(
        """
        the name of the snapshot \(quoted(location.lastPathComponent)) is too long: with the \
        suffix "-journal", the name would have \(length) bytes, and the limit is 255 bytes
        """,
        suggestion: """
          give the database a shorter name, or set Migrator.takesSnapshot to false to migrate \
          without a snapshot
          """,
        as: .unavailable)
    }
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil { return }
    throw .migration(
      """
      the path of the snapshot, \(quoted(path)), is a symbolic link, so the snapshot would \
      overwrite the file to which the link refers
      """,
      suggestion: """
        remove the symbolic link, or set Migrator.takesSnapshot to false to migrate without a \
        snapshot
        """,
      as: .unavailable)
  }

  /// Removes the snapshot.
  ///
  /// If the file does not exist any more, does nothing.
  ///
  /// - Throws: ``StorageError/Code/locked`` if any process has the snapshot open;
  ///   ``StorageError/Code/accessDenied`` if the file may not be removed.
  public func discard() throws(StorageError) {
    try DatabaseFiles(at: location).remove()
  }

  /// Returns all snapshots that migrations have created beside a database.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a URL that is not a file URL;
  ///   ``StorageError/Code/unavailable`` if the folder does not exist;
  ///   ``StorageError/Code/accessDenied`` if the folder may not be read.
  public static func all(of database: URL) throws(StorageError) -> [MigrationSnapshot] {
    let files = try DatabaseFiles(at: database)
    let folder = files.location.deletingLastPathComponent()
    let prefix = "\(files.location.lastPathComponent).version-"
    let names = try Folder.names(in: try Folder.open(try FilePath.of(folder)))
    return names.sorted().compactMap { name in
      guard name.utf8.starts(with: prefix.utf8) else { return nil }
      let path = String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      return FileName.name(for: path, suffix: suffix)
        .map { MigrationSnapshot(of: files.location, version: $0) }
    }
  }
}
