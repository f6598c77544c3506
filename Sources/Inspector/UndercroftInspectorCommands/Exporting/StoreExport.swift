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
  /// The number of kinds and tables that were exported completely.
  private(set) var tableCount = 0
  /// The damage of stores all of whose values and rows could be read.
  private(set) var damage: [Problem] = []
  /// The exported values that look like secrets.
  private(set) var secrets = ExportedSecrets()
  /// Whether the export has placeholders instead of values that look like secrets.
  private let redacts: Bool
  private let redactor = Redactor()

  init(_ format: ExportFormat, to sink: Sink, redacting redacts: Bool, _ progress: Progress) {
    self.format = format
    self.sink = sink
    self.redacts = redacts
    self.progress = progress
  }

  /// Exports a store, unless it is confidential.
  ///
  /// If a table cannot be read, the other tables are exported before the error is thrown. If all
  /// values and rows can be read, the store is also checked for damage.
  mutating func run(_ store: DiscoveredStore) throws {
    let kind = store.name
    progress.begin(kind)
    guard !store.isConfidential, !store.isEncrypted else { return skipped.append(kind) }
    let opened = try store.open()
    guard !opened.isConfidential else { return skipped.append(kind) }
    if opened.report.isTabular {
      try exportTables(of: opened, kind)
    } else {
      try exportValues(of: opened, kind)
    }
    try check(store, opened)
  }

  private mutating func exportTables(of store: OpenedStore, _ kind: String) throws {
    var failure: StorageError?
    for table in try store.tables(countingRows: false) ?? [] where !table.isView {
      do {
        try export(table, of: store, kind)
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
    let table = ExportedTable(valuesOf: kind, format, isRedacted: redacts)
    var rowRedactor = RowRedactor(["name", "value"], redactor)
    var secrets = ExportedSecrets()
    var rowCount = 0
    try sink.begin(table)
    do {
      try store.forEachValue { name, bytes in
        progress.advance()
        rowCount += 1
        let text = String(validating: bytes, as: UTF8.self)
        let before = rowRedactor.count
        let shown = rowRedactor.redacted([.text(name), text.map { .text($0) } ?? .bytes(bytes)])
        let isSecret = rowRedactor.count > before
        if isSecret { secrets.add(1, in: kind, shown[0].field) }
        try sink.write(
          isSecret && redacts
            ? table.row(redactedName: shown[0], shown[1]) : table.row(name, bytes))
        return true
      }
    } catch let error as StorageError {
      if try sink.endEarly() { add(rowCount, secrets) }
      throw error
    }
    try sink.end()
    tableCount += 1
    add(rowCount, secrets)
  }

  private mutating func export(
    _ table: InspectedTable, of store: OpenedStore, _ kind: String
  ) throws {
    var exported = ExportedTable(table.name, of: kind, columns: table.columns, format)
    var writable = WritableColumns(table.columns, of: table, in: format.output)
    var names = table.columns
    var rowRedactor = RowRedactor(names, redactor)
    var rowCount = 0
    do {
      try store.forEachRow(
        of: table.name,
        columns: {
          writable = WritableColumns($0, of: table, in: format.output)
          exported = ExportedTable(
            table.name, of: kind, columns: writable.selected(from: $0), format)
          names = $0
          rowRedactor = RowRedactor($0, redactor)
          try sink.begin(exported)
        },
        row: { row in
          progress.advance()
          rowCount += 1
          let shown = rowRedactor.redacted(row)
          let written = redacts ? shown : row.map { ResultValue($0) }
          try sink.write(exported.row(writable.selected(from: written)))
          return true
        })
    } catch let error as StorageError {
      if try sink.endEarly() { add(rowCount, Self.secrets(of: table, names, rowRedactor, kind)) }
      throw error
    }
    try sink.end()
    tableCount += 1
    add(rowCount, Self.secrets(of: table, names, rowRedactor, kind))
  }

  /// Returns the secrets that a redactor has found in the columns of a table.
  private static func secrets(
    of table: InspectedTable, _ columns: [String], _ redactor: RowRedactor, _ kind: String
  ) -> ExportedSecrets {
    var secrets = ExportedSecrets()
    for (column, count) in redactor.columnCounts.sorted(by: { $0.key < $1.key }) {
      secrets.add(count, in: kind, "\(table.name).\(columns[column])")
    }
    return secrets
  }

  private mutating func add(_ rowCount: Int, _ secrets: ExportedSecrets) {
    count += rowCount
    self.secrets.add(secrets)
  }

  /// Examines a store for damage that reading its values and rows does not reveal, such as an index
  /// that lacks rows.
  private mutating func check(_ store: DiscoveredStore, _ opened: OpenedStore) throws {
    // The check of these backends reads each value, which the export has done.
    guard !["files", "propertyLists"].contains(store.scheme) else { return }
    let sentences: [String]
    do throws(StorageError) {
      sentences = try opened.check().damage
    } catch {
      // Everything was read, before other processes changed the store during the check.
      if error.code == .busy { return }
      guard error.code == .corrupted else { throw error }
      sentences = [error.failure]
    }
    if !sentences.isEmpty { damage.append(Problem(damage: sentences, ofExported: store)) }
  }
}
