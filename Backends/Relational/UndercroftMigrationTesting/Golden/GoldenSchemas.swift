import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation
public import UndercroftMigration
import UndercroftSQLite

/// The golden schemas of all versions, each in a separate file of the application's repository.
///
/// The file of version "3" is "3.sql". Characters that a file name
/// cannot contain are written as `%xx`.
public struct GoldenSchemas: Sendable {
  /// The folder that contains the golden files.
  public let folder: URL

  /// Creates a reference to the golden schemas in a folder.
  ///
  /// The folder need not exist yet.
  public init(in folder: URL) { self.folder = folder }

  private static let suffix = ".sql"

  /// The path of the folder in quotes, for error messages.
  var quotedPath: String { quoted(folder.path) }

  /// Returns the location of the golden file of a version.
  ///
  /// The file need not exist.
  public func location(of version: String) -> URL {
    folder.appending(path: Self.fileName(of: version), directoryHint: .notDirectory)
  }

  /// Returns the name of the golden file of a version, such as "3.sql".
  static func fileName(of version: String) -> String { FileName.path(for: version, suffix: suffix) }

  /// Returns the versions that have a file, sorted by name.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a folder that is not a file URL;
  ///   ``StorageError/Code/accessDenied`` if the folder may not be read.
  public func versions() throws -> [String] {
    let path = try FilePath.of(folder)
    guard try Folder.hasEntry(at: path) else { return [] }
    let names = try Folder.names(in: try Folder.open(path))
    return names.compactMap { FileName.name(for: $0, suffix: Self.suffix) }.sorted()
  }

  /// Returns the schema of a version, or `nil` if the version has no golden file.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a file that is not UTF-8;
  ///   ``StorageError/Code/accessDenied`` if the file may not be read.
  public func schema(of version: String) throws -> GoldenSchema? {
    let location = location(of: version)
    guard try Folder.hasEntry(at: try FilePath.of(location)) else { return nil }
    return GoldenSchema(try SQL(contentsOf: location).text)
  }

  /// Writes a schema to its file atomically: the file contains the old or the new text at any time.
  func write(_ golden: GoldenSchema, of version: String) throws {
    let path = try FilePath.of(folder)
    try Folder.create(path, mode: 0o755)
    try ReplacementFile.write(
      Data(golden.text.utf8), to: try FilePath.of(location(of: version)), mode: 0o644)
  }
}
