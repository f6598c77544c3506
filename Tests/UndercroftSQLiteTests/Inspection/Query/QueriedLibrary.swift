import Foundation
import Synchronization
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// A store of named values that records the values that are read.
final class RecordingStore: Inspectable {
  private let values: [(name: String, bytes: Data)]
  private let knowsSizes: Bool
  private let failure: StorageError?
  private let pause: Duration
  private let record = Mutex(Record())

  private struct Record {
    var reads: [String] = []
    var listings: [String] = []
  }

  /// The names of the values that were read, in order.
  var reads: [String] { record.withLock { $0.reads } }
  /// The prefixes of the listings that were requested, in order.
  var listings: [String] { record.withLock { $0.listings } }

  /// - Parameters:
  ///   - failure: the error that reading a value throws.
  ///   - pause: the time that each entry of a listing takes.
  init(
    _ values: [(String, Data)], knowsSizes: Bool = true, failure: StorageError? = nil,
    pause: Duration = .zero
  ) {
    self.values = values
    self.knowsSizes = knowsSizes
    self.failure = failure
    self.pause = pause
  }

  convenience init(texts: [(String, String)]) {
    self.init(texts.map { ($0, Data($1.utf8)) })
  }

  func inspect() -> InspectionReport {
    InspectionReport(
      format: "recording", entryCount: values.count, byteCount: 0, isConfidential: false)
  }

  func entries(withPrefix prefix: String) -> [InspectionEntry] {
    record.withLock { $0.listings.append(prefix) }
    return values.filter { $0.name.utf8.starts(with: prefix.utf8) }.map { value in
      if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
      return InspectionEntry(name: value.name, byteCount: knowsSizes ? value.bytes.count : nil)
    }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? {
    record.withLock { $0.reads.append(entry) }
    if let failure { throw failure }
    return values.first { $0.name.utf8.elementsEqual(entry.utf8) }?.bytes
  }
}

/// Stores of a library for queries.
enum QueriedLibrary {
  /// Returns a store with a name, for queries.
  static func store(_ name: String, _ store: any Inspectable) throws -> QueriedStore {
    let factory = StoreInspectorFactory(
      scheme: "recording", recognises: { _ in true },
      open: { (_, _) throws(StorageError) in store })
    return try opened(name, URL.temporaryDirectory, factory)
  }

  /// Returns the database at a location with a name, for queries.
  static func database(_ name: String, _ url: URL) throws -> QueriedStore {
    try opened(name, url, .sqlite)
  }

  private static func opened(
    _ name: String, _ url: URL, _ factory: StoreInspectorFactory
  ) throws -> QueriedStore {
    let found = try Inspector([factory]).stores(at: url)
    guard let store = try found.first?.open() else { throw CocoaError(.fileNoSuchFile) }
    return QueriedStore(name: name, url: url, store: store)
  }

  /// Creates a database with three books and two loans at `url`.
  static func fill(_ url: URL) throws {
    let database = try Database(at: url)
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, year INTEGER);
        CREATE TABLE loan(book INTEGER, reader TEXT);
        CREATE INDEX loan_by_reader ON loan(reader);
        CREATE VIEW old_book AS SELECT title FROM book WHERE year < 1900;
        INSERT INTO book VALUES (1, 'Emma', 1815), (2, 'Dune', 1965), (3, 'Ulysses', 1922);
        INSERT INTO loan VALUES (1, 'Ada'), (3, 'Ben');
        """)
    }
    try database.close()
  }

  /// Returns the rows of a statement.
  static func rows(
    _ sql: String, _ stores: [QueriedStore], time: Duration? = .seconds(30)
  ) throws -> [[InspectedValue]] {
    var limits = QueryLimits()
    limits.time = time
    var rows: [[InspectedValue]] = []
    try SQLiteQueryEngine().run(sql, on: stores, limits: limits, columns: { _ in }) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// Returns the first column of the rows of a statement as texts.
  static func texts(_ sql: String, _ stores: [QueriedStore]) throws -> [String] {
    try rows(sql, stores).map { row in
      if case .text(let text)? = row.first { return text }
      return "\(row)"
    }
  }

  /// Returns the error of a statement, or `nil` if the statement succeeds.
  static func error(
    _ sql: String, _ stores: [QueriedStore], time: Duration? = .seconds(30)
  ) -> StorageError? {
    do {
      _ = try rows(sql, stores, time: time)
      return nil
    } catch {
      return error as? StorageError
    }
  }
}
