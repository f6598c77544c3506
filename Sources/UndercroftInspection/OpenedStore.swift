public import UndercroftCore
public import UndercroftFoundation

/// An open store, limited to the entries of one kind of data if a manifest specifies the kind.
public struct OpenedStore: Sendable {
  private let store: any Inspectable
  /// The report about the whole store, including the entries of other kinds of data.
  public let report: InspectionReport
  private let prefix: String
  /// Whether values are hidden unless the user asks for them.
  public let isConfidential: Bool

  init(store: any Inspectable, report: InspectionReport, prefix: String, isConfidential: Bool) {
    self.store = store
    self.report = report
    self.prefix = prefix
    self.isConfidential = isConfidential
  }

  /// Creates an opened store whose names and values the application encrypts before it stores them.
  ///
  /// Only the report is available, without the number of entries.
  /// Reading or listing entries throws ``StorageError/Code/locked``.
  init(encrypted store: any Inspectable, path: String) throws(StorageError) {
    self.store = EncryptedStore(path: path)
    prefix = ""
    isConfidential = true
    var report = try store.inspect()
    report.entryCount = nil
    report.isConfidential = true
    self.report = report
  }

  /// Returns the entries whose names begin with `wanted`, sorted by name.
  ///
  /// If a manifest specifies the kind of data, the result contains only entries of this kind,
  /// and their names are without the prefix of the kind.
  public func entries(withPrefix wanted: String = "") throws(StorageError) -> [InspectionEntry] {
    try store.entries(withPrefix: prefix + wanted).map { entry in
      InspectionEntry(
        name: String(decoding: entry.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self),
        byteCount: entry.byteCount)
    }
  }

  /// Returns the tables of the store, or `nil` if the store has no tables.
  public func tables() throws(StorageError) -> [InspectedTable]? {
    guard let store = store as? any TableInspectable else { return nil }
    return try store.tables()
  }

  /// Returns at most `limit` rows of a table, in the order in which the store reads them.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - offset: the number of rows to skip.
  ///   - limit: the maximum number of rows to return.
  /// - Throws: ``StorageError/Code/notSupported`` if the store has no
  ///   tables, ``StorageError/Code/invalidKey`` if there is no such table.
  public func rows(
    of table: String, offset: Int = 0, limit: Int
  ) throws(StorageError) -> InspectedRows {
    guard let store = store as? any TableInspectable else {
      let isEncrypted = self.store is EncryptedStore
      let reason =
        isEncrypted
        ? "the application encrypts the names and values of the entries before it stores them"
        : "a store of the format \(quoted(report.format)) has no tables"
      throw StorageError(
        .notSupported, "cannot show the rows of the table \(quoted(table)): \(reason)",
        suggestion: isEncrypted
          ? EncryptedStore.suggestion
          : "list the entries of the store with OpenedStore.entries(withPrefix:)")
    }
    return try store.rows(of: table, offset: offset, limit: limit)
  }

  /// Returns the bytes of one entry, or `nil` if there is none.
  ///
  /// - Parameter name: the name of the entry, without the prefix of the kind.
  public func bytes(of name: String) throws(StorageError) -> Data? {
    try store.bytes(of: prefix + name)
  }
}

private struct EncryptedStore: Inspectable {
  static let suggestion = "read the store in the application that has the encryption key"

  let path: String

  func inspect() throws(StorageError) -> InspectionReport { throw error }
  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] { throw error }
  func bytes(of entry: String) throws(StorageError) -> Data? { throw error }

  private var error: StorageError {
    StorageError(
      .locked,
      """
      cannot read \(quoted(path)): the application encrypts the names and values of the entries \
      before it stores them
      """,
      suggestion: Self.suggestion)
  }
}
