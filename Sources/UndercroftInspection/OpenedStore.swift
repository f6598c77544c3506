public import UndercroftCore
public import UndercroftFoundation

/// An open store, limited to the entries of one kind of data if a manifest specifies the kind.
public struct OpenedStore: Sendable {
  let store: any Inspectable
  /// The brief report about the whole store, including the entries of other kinds of data.
  public let report: InspectionReport
  let prefix: String
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
  /// Only the report is available, without the number of entries. Reading or listing entries throws
  /// ``StorageError/Code/locked``.
  init(encrypted store: any Inspectable, path: String) throws(StorageError) {
    self.store = EncryptedStore(path: path)
    prefix = ""
    isConfidential = true
    var report = try store.briefReport()
    report.entryCount = nil
    report.isConfidential = true
    self.report = report
  }

  /// Returns the entries whose names begin with `wanted`, sorted by name.
  ///
  /// If a manifest specifies the kind of data, the result contains only entries of this kind,
  /// and their names are without the prefix of the kind.
  public func entries(withPrefix wanted: String = "") throws(StorageError) -> [InspectionEntry] {
    let entries = try store.entries(withPrefix: prefix + wanted)
    return prefix.isEmpty ? entries : entries.compactMap(withoutPrefix)
  }

  /// Returns an entry of the store without the prefix of the kind in its name, or `nil` if the name
  /// does not begin with the prefix.
  func withoutPrefix(_ entry: InspectionEntry) -> InspectionEntry? {
    if prefix.isEmpty { return entry }
    return withoutPrefix(entry.name).map {
      InspectionEntry(name: $0, byteCount: entry.byteCount)
    }
  }

  /// Returns a name in the store without the prefix of the kind, or `nil` if the name does not
  /// begin with the prefix.
  ///
  /// A store also passes names that are not text if their bytes begin with the prefix. No kind of
  /// data has such names, and their spellings do not begin with the prefix.
  func withoutPrefix(_ name: String) -> String? {
    if prefix.isEmpty { return name }
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// Calls `body` with each entry whose name begins with `wanted`, in any order, until `body`
  /// returns `false`.
  ///
  /// If a manifest specifies the kind of data, only entries of this kind are passed, and their
  /// names are without the prefix of the kind.
  public func forEachEntry(
    withPrefix wanted: String = "", _ body: (InspectionEntry) throws -> Bool
  ) throws {
    try store.forEachEntry(withPrefix: prefix + wanted) { entry in
      guard let entry = withoutPrefix(entry) else { return true }
      return try body(entry)
    }
  }

  /// Calls `body` with the name and the bytes of each entry whose name begins with `wanted`, in any
  /// order, until `body` returns `false`.
  ///
  /// If a manifest specifies the kind of data, only entries of this kind are passed, and their
  /// names are without the prefix of the kind.
  public func forEachValue(
    withPrefix wanted: String = "", _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    try store.forEachValue(withPrefix: prefix + wanted) { name, bytes in
      guard let name = withoutPrefix(name) else { return true }
      return try body(name, bytes)
    }
  }

  /// Returns the number of entries, of the kind of data only if a manifest specifies the kind.
  ///
  /// - Throws: ``StorageError/Code/locked`` if counting the entries requires a key.
  public func entryCount() throws(StorageError) -> Int {
    if prefix.isEmpty {
      if let count = report.entryCount { return count }
      if let count = try completeReport().entryCount { return count }
    }
    return try entries().count
  }

  /// Reads the whole store, including the entries of other kinds of data, and returns the damage
  /// that was found.
  ///
  /// - Throws: an error that prevents reading the rest of the store.
  public func check() throws(StorageError) -> CheckResult { try store.check() }

  /// Returns the complete report about the whole store.
  ///
  /// The report also contains facts that are only known after reading the whole store, such as the
  /// numbers of rows. The report on an encrypted store is ``report``.
  public func completeReport() throws(StorageError) -> InspectionReport {
    if store is EncryptedStore { return report }
    return try store.inspect()
  }

  /// Returns the tables of the store with the numbers of their rows, or `nil` if the store has no
  /// tables.
  public func tables() throws(StorageError) -> [InspectedTable]? { try tables(countingRows: true) }

  /// Returns the tables of the store, or `nil` if the store has no tables.
  ///
  /// - Parameter countingRows: whether the rows are counted, which can require reading all tables.
  public func tables(countingRows: Bool) throws(StorageError) -> [InspectedTable]? {
    guard let store = store as? any TableInspectable else { return nil }
    return try store.tables(countingRows: countingRows)
  }

  /// Returns the sizes of the tables in bytes, with their indexes, by the names of the tables, or
  /// `nil` if the store does not know them.
  public func tableSizes() throws(StorageError) -> [ExactString: Int]? {
    guard let store = store as? any TableInspectable else { return nil }
    return try store.tableSizes()
  }

  /// Returns at most `limit` rows of a table, in the order in which the store reads them.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - offset: the number of rows to skip.
  ///   - limit: the maximum number of rows to return.
  /// - Throws: ``StorageError/Code/notSupported`` if the store has no tables,
  ///   ``StorageError/Code/invalidKey`` if there is no such table.
  public func rows(
    of table: String, offset: Int = 0, limit: Int
  ) throws(StorageError) -> InspectedRows {
    try requireTables(of: table).rows(of: table, offset: offset, limit: limit)
  }

  /// Passes the rows of a table to `row` one by one, in the order in which the store reads them.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - offset: the number of rows to skip.
  ///   - columns: a closure that receives the names of the columns before the first row.
  ///   - row: a closure that receives a row, and returns whether it needs more rows.
  /// - Throws: ``StorageError/Code/notSupported`` if the store has no tables,
  ///   ``StorageError/Code/invalidKey`` if there is no such table, and any error that a closure
  ///   throws.
  public func forEachRow(
    of table: String, offset: Int = 0, columns: ([String]) throws -> Void,
    row: ([InspectedValue]) throws -> Bool
  ) throws {
    try requireTables(of: table).forEachRow(of: table, offset: offset, columns: columns, row: row)
  }

  private func requireTables(of table: String) throws(StorageError) -> any TableInspectable {
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
          : "read the values of the store by their names")
    }
    return store
  }

  /// Returns the bytes of one entry, or `nil` if there is none.
  ///
  /// - Parameter name: the name of the entry, without the prefix of the kind.
  public func bytes(of name: String) throws(StorageError) -> Data? {
    try store.bytes(of: prefix + name)
  }
}
