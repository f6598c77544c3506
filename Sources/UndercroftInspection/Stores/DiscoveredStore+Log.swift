import UndercroftCore

extension DiscoveredStore {
  /// The names of the values that the records of the log have in addition to their common
  /// properties, or `nil` if stores of this format have no log.
  package var logColumns: [String]? { factory?.log?.columns }

  /// Passes the records of the store's log to `body`, oldest first, until `body` returns `false`.
  ///
  /// If a manifest specifies the kind of data, the records of entries of other kinds are omitted,
  /// and names are without the prefix of the kind.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if stores of this format have no log,
  ///   ``StorageError/Code/locked`` if the names of the entries are encrypted, and any error that
  ///   reading the log or `body` throws.
  package func forEachLogRecord(_ body: LogInspection.Body) throws {
    guard let log = factory?.log else {
      throw StorageError(
        .notSupported,
        """
        cannot show the log of \(quoted(path)): a store of the backend \(quoted(scheme)) has no log
        """,
        suggestion: "compare two inspections of the store to find what has changed")
    }
    guard !isEncrypted else {
      throw StorageError(
        .locked,
        """
        cannot show the log of \(quoted(path)): the application encrypts the names of the entries \
        before it stores them
        """,
        suggestion: EncryptedStore.suggestion)
    }
    try log.forEachRecord(url) { record in
      guard let name = record.name, !prefix.isEmpty else { return try body(record) }
      guard name.utf8.starts(with: prefix.utf8) else { return true }
      let rest = String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      return try body(record.renamed(rest))
    }
  }
}

extension InspectedLogRecord {
  fileprivate func renamed(_ name: String) -> InspectedLogRecord {
    InspectedLogRecord(
      number: number, offset: offset, byteCount: byteCount, change: change, name: name,
      values: values)
  }
}
