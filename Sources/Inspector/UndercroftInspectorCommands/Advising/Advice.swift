import UndercroftCore
import UndercroftInspection

/// A recommendation about a store, with the change that follows it.
struct Advice {
  /// The stable name of the rule, by which programs recognise the advice.
  let rule: String
  /// The kind of the store, or its backend if it has no kind.
  let store: String
  /// The value, table or file that the advice concerns.
  let subject: String
  /// The reason for the advice, as a sentence.
  let reason: String
  /// The code or the command that follows the advice.
  let fix: String
}

/// A rule that recognises one kind of problem in a store.
protocol AdviceRule {
  /// Returns the advice about a store.
  func advice(about store: AdvisedStore) throws -> [Advice]
}

/// A store that rules examine.
struct AdvisedStore {
  let discovered: DiscoveredStore
  let opened: OpenedStore
  /// The tables without the views.
  ///
  /// The tables are listed once for all rules.
  private let tables: [InspectedTable]

  init(_ store: DiscoveredStore) throws {
    discovered = store
    opened = try store.open()
    tables =
      opened.report.isTabular
      ? try opened.tables(countingRows: false)?.filter { !$0.isView } ?? [] : []
  }

  var name: String { discovered.kind ?? discovered.scheme }

  /// Passes the tables to `body`, except views and tables that cannot be read.
  ///
  /// The command `check` reports damaged tables.
  func forEachTable(_ body: (InspectedTable) throws -> Void) throws {
    for table in tables {
      do {
        try body(table)
      } catch let error as StorageError {
        guard [.misuse, .notSupported, .corrupted].contains(error.code) else { throw error }
      }
    }
  }

  /// Passes the names and sizes of the values to `body`, unless the store is confidential or has
  /// tables.
  func forEachValue(_ body: (String, Int) throws -> Void) throws {
    guard !opened.isConfidential, !opened.report.isTabular else { return }
    try opened.forEachEntry { entry in
      try body(entry.name, try entry.byteCount ?? opened.bytes(of: entry.name)?.count ?? 0)
      return true
    }
  }
}
