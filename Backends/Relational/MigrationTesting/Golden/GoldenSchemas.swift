import UndercroftCore
import UndercroftFileSystem
public import UndercroftMigration
import UndercroftSQLite

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The golden schemas of all versions, each in a file of its own that belongs into the application's repository.
///
/// The file of version "3" is "3.sql"; what a file name cannot hold is written as `%xx`.
public struct GoldenSchemas: Sendable {
  /// Where the files are.
  public let folder: URL

  /// Names a folder, which need not be there yet.
  public init(in folder: URL) { self.folder = folder }

  private static let suffix = ".sql"

  /// Returns where the schema of a version is, or would be.
  public func location(of version: String) -> URL {
    folder.appending(path: Self.fileName(of: version), directoryHint: .notDirectory)
  }

  /// Returns the name of the file of a version.
  static func fileName(of version: String) -> String { FileName.path(for: version, suffix: suffix) }

  /// Returns the versions that have a file, sorted by their names.
  public func versions() throws -> [String] {
    let path = try FilePath.of(folder)
    guard try Folder.hasEntry(at: path) else { return [] }
    let names = try Folder.names(in: try Folder.open(path))
    return names.compactMap { FileName.name(for: $0, suffix: Self.suffix) }.sorted()
  }

  /// Returns the schema of a version, or `nil` where it has no file.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a file that is not UTF-8, and any failure to read it.
  public func schema(of version: String) throws -> GoldenSchema? {
    let location = location(of: version)
    guard try Folder.hasEntry(at: try FilePath.of(location)) else { return nil }
    return GoldenSchema(try SQL(contentsOf: location).text)
  }

  /// Puts a schema in its file, which has the old or the new text at any instant.
  func write(_ golden: GoldenSchema, of version: String) throws {
    let path = try FilePath.of(folder)
    try Folder.create(path, mode: 0o755)
    try ReplacementFile.write(
      Data(golden.text.utf8), to: try FilePath.of(location(of: version)), mode: 0o644)
  }
}
