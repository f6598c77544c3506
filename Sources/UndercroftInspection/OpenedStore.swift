public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An opened store, seen through the names of one kind.
public struct OpenedStore: Sendable {
  private let store: any Inspectable
  /// What can be told of the store as a whole.
  public let report: InspectionReport
  private let prefix: String
  /// Whether values are shown only when asked for by ``FoundStore``'s owner.
  public let isConfidential: Bool

  init(store: any Inspectable, report: InspectionReport, prefix: String, isConfidential: Bool) {
    self.store = store
    self.report = report
    self.prefix = prefix
    self.isConfidential = isConfidential
  }

  /// Sees nothing but the size of a store whose names and values were sealed by a layer.
  init(sealed store: any Inspectable, path: String) throws(StorageError) {
    self.store = SealedStore(path: path)
    prefix = ""
    isConfidential = true
    var report = try store.inspect()
    report.entryCount = nil
    report.isConfidential = true
    self.report = report
  }

  /// Returns the entries whose names begin with `prefix`, sorted by name.
  public func entries(withPrefix wanted: String = "") throws(StorageError) -> [InspectionEntry] {
    try store.entries(withPrefix: prefix + wanted).map { entry in
      InspectionEntry(
        name: String(decoding: entry.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self),
        byteCount: entry.byteCount)
    }
  }

  /// The tables of the store, or `nil` for one that keeps none.
  public func tables() throws(StorageError) -> [InspectedTable]? {
    guard let store = store as? any TableInspectable else { return nil }
    return try store.tables()
  }

  /// Returns some rows of a table.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` for a store that keeps none, ``StorageError/Code/invalidKey`` when there is no such table.
  public func rows(
    of table: String, offset: Int = 0, limit: Int
  ) throws(StorageError) -> InspectedRows {
    guard let store = store as? any TableInspectable else {
      throw StorageError(.notSupported, "cannot show rows: the store keeps no tables")
    }
    return try store.rows(of: table, offset: offset, limit: limit)
  }

  /// Returns the bytes of one entry, or `nil` when there is none.
  public func bytes(of name: String) throws(StorageError) -> Data? {
    try store.bytes(of: prefix + name)
  }
}

private struct SealedStore: Inspectable {
  let path: String

  func inspect() throws(StorageError) -> InspectionReport { throw sealed }
  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] { throw sealed }
  func bytes(of entry: String) throws(StorageError) -> Data? { throw sealed }

  private var sealed: StorageError {
    StorageError(
      .locked, "cannot look into \(quoted(path)): the application sealed names and values",
      cure: "read it with the application, which has the key")
  }
}
