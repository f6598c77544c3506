import Synchronization
import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A database file opened by the inspector: always as it is now, never changed.
final class InspectedDatabase: TableInspectable {
  private let path: String
  private let view: Mutex<DatabaseView>

  init(at url: URL) throws(StorageError) {
    path = try DatabaseFile.path(of: url)
    do throws(StorageError) {
      view = Mutex(try DatabaseView(path))
    } catch {
      throw error.about(path)
    }
  }

  func inspect() throws(StorageError) -> InspectionReport {
    try view.withLock { (view) throws(StorageError) in
      try Self.refresh(&view, path)
      return try Inspection.report(
        of: view.connection, byteCount: DatabaseFile.byteCount(path), usesLog: view.usesLog)
    }
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try view.withLock { (view) throws(StorageError) in
      try Self.refresh(&view, path)
      return try Inspection.entries(prefix, in: view.connection)
    }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? {
    try view.withLock { (view) throws(StorageError) in
      try Self.refresh(&view, path)
      return try Inspection.bytes(of: entry, in: view.connection)
    }
  }

  func tables() throws(StorageError) -> [InspectedTable] {
    try view.withLock { (view) throws(StorageError) in
      try Self.refresh(&view, path)
      return try TableInspection.tables(in: view.connection)
    }
  }

  func rows(of table: String, offset: Int, limit: Int) throws(StorageError) -> InspectedRows {
    try view.withLock { (view) throws(StorageError) in
      try Self.refresh(&view, path)
      return try TableInspection.rows(of: table, offset: offset, limit: limit, in: view.connection)
    }
  }

  private static func refresh(_ view: inout DatabaseView, _ path: String) throws(StorageError) {
    if view.fingerprint != DatabaseView.Fingerprint(path) { view = try DatabaseView(path) }
  }
}
