import Foundation
import UndercroftCore
import UndercroftInspection

/// The export of all entries and rows of stores.
struct StoreExport<Sink: ExportSink> {
  let format: ExportFormat
  var sink: Sink
  /// The progress, which counts values and rows.
  private let progress: Progress
  /// The names of the confidential stores that were left out.
  private(set) var skipped: [String] = []
  /// The number of exported values and rows.
  private(set) var count = 0
  /// The number of exported values that look like secrets.
  private(set) var secretCount = 0

  init(_ format: ExportFormat, to sink: Sink, _ progress: Progress) {
    self.format = format
    self.sink = sink
    self.progress = progress
  }

  /// Exports a store, unless it is confidential.
  ///
  /// If a table cannot be read, the other tables are exported before the error is thrown.
  mutating func run(_ store: DiscoveredStore) throws {
    let kind = store.name
    progress.begin(kind)
    guard !store.isConfidential, !store.isEncrypted else { return skipped.append(kind) }
    let opened = try store.open()
    guard !opened.isConfidential else { return skipped.append(kind) }
    guard opened.report.isTabular else { return try exportValues(of: opened, kind) }
    var failure: StorageError?
    for table in try opened.tables(countingRows: false) ?? [] where !table.isView {
      do {
        try export(table, of: opened, kind)
      } catch let error as StorageError
        where [.corrupted, .misuse, .notSupported].contains(error.code)
      {
        // The table is damaged, or needs a function or module of the application.
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private mutating func exportValues(of store: OpenedStore, _ kind: String) throws {
    progress.expect(store.report.entryCount)
    let table = ExportedTable(valuesOf: kind, format)
    var secrets = RowRedactor(["name", "value"])
    try sink.begin(table)
    try store.forEachValue { name, bytes in
      progress.advance()
      count += 1
      let text = String(validating: bytes, as: UTF8.self)
      _ = secrets.redacted([.text(name), text.map { .text($0) } ?? .bytes(bytes)])
      try sink.write(table.row(name, bytes))
      return true
    }
    try sink.end()
    secretCount += secrets.count
  }

  private mutating func export(
    _ table: InspectedTable, of store: OpenedStore, _ kind: String
  ) throws {
    var exported = ExportedTable(table.name, of: kind, columns: table.columns, format)
    var writable = WritableColumns(table.columns, of: table, in: format.output)
    var secrets = RowRedactor(table.columns)
    try store.forEachRow(
      of: table.name,
      columns: {
        writable = WritableColumns($0, of: table, in: format.output)
        exported = ExportedTable(
          table.name, of: kind, columns: writable.selected(from: $0), format)
        secrets = RowRedactor($0)
        try sink.begin(exported)
      },
      row: { row in
        progress.advance()
        count += 1
        _ = secrets.redacted(row)
        try sink.write(exported.row(writable.selected(from: row)))
        return true
      })
    try sink.end()
    secretCount += secrets.count
  }
}
