import Foundation
import UndercroftCore
import UndercroftInspection

/// A rule that recognises secrets outside of confidential stores, by their names and their form.
struct SecretRule: AdviceRule {
  static let names = ["plaintext-secret"]
  let redactor: Redactor
  /// The closure that decompresses gzip data, or `nil` to examine no such values.
  let decompression: StoreInspectorFactory.Decompression?
  /// The number of values and rows of each store that are examined.
  private static let examinedCount = 10_000
  /// The maximum number of values of each store that the advice names.
  private static let maximumCount = 20
  /// The number of rows with a secret in the same column that the advice names.
  private static let maximumRows = 5
  /// The size in bytes above which a value is a document and not a secret.
  private static let largestSecret = 8_192
  private static let fix = """
    replace the secret where it was issued if other users or backups could read this store, and \
    ask the developer to store it in a vault; in the program: save the value with a key of the \
    kind .secret, whose backend is .vault(at: folder, unlockedBy: .keyFile(file)), and remove it \
    here
    """

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard !store.opened.isConfidential else { return [] }
    return store.opened.report.isTabular ? try columns(of: store) : try values(of: store)
  }

  private func values(of store: AdvisedStore) throws -> [Advice] {
    var found: [Advice] = []
    var count = 0
    try store.opened.forEachEntry { entry in
      count += 1
      if entry.byteCount ?? 0 <= Self.largestSecret,
        let bytes = try store.opened.bytes(of: entry.name),
        try isSecret(bytes, named: entry.name)
      {
        let command = store.command(removingSecret: entry.name)
        found.append(
          Advice(
            rule: "plaintext-secret", store: store.name, subject: entry.name, count: 1,
            reason: "the value looks like a secret, and the store is not encrypted",
            fix: command == nil
              ? Self.fix
              : Self.fix + "; with --no-undo, the command does not save the secret for an undo",
            command: command))
      }
      return count < Self.examinedCount && found.count < Self.maximumCount
    }
    return found
  }

  private func columns(of store: AdvisedStore) throws -> [Advice] {
    var found: [Advice] = []
    try store.forEachTable { table in
      var columns: [ExactString] = []
      var keys = RowKeyEncoder(of: table, [], redactor)
      var secrets: [ExactString: [SecretRow]] = [:]
      var number = 0
      try store.opened.forEachRow(
        of: table.name,
        columns: {
          columns = $0.map { ExactString($0) }
          keys = RowKeyEncoder(of: table, $0, redactor)
        }
      ) { row in
        number += 1
        for (column, value) in zip(columns, row)
        where secrets[column, default: []].count <= Self.maximumRows {
          guard let bytes = value.bytes, try isSecret(bytes, named: column.text)
          else { continue }
          secrets[column, default: []].append(
            SecretRow(number: number, digest: RowDigest.of(row), key: keys.primaryKeyText(of: row)))
        }
        return number < Self.examinedCount
      }
      for (column, rows) in secrets.sorted(by: { $0.key < $1.key }) {
        var advice = advice(about: store, table, column.text, rows)
        if rows.count <= Self.maximumRows, number < Self.examinedCount { advice.count = rows.count }
        found.append(advice)
      }
    }
    return found
  }

  private func advice(
    about store: AdvisedStore, _ table: InspectedTable, _ column: String, _ rows: [SecretRow]
  ) -> Advice {
    let shown = rows.prefix(Self.maximumRows).map { $0.text(in: table, of: store, column) }
    let rest = rows.count > shown.count ? "; …" : ""
    return Advice(
      rule: "plaintext-secret", store: store.name, table: table.name,
      subject: "\(table.name).\(column)", rows: shown,
      reason: """
        the column contains values that look like secrets, and is not encrypted; the rows are: \
        \(shown.joined(separator: "; "))\(rest)
        """,
      fix: Self.fix + "; statements of SQL, such as with the program sqlite3, change the rows")
  }

  /// Returns whether a value, or what it decompresses to if it is gzip data, is short enough for a
  /// secret and contains one.
  private func isSecret(_ bytes: Data, named name: String) throws -> Bool {
    guard bytes.count <= Self.largestSecret else { return false }
    guard let decompression, GzipData.isOne(bytes) else {
      return String(validating: bytes, as: UTF8.self) != nil
        && redactor.redacts(name: name, value: bytes)
    }
    var document = Data()
    _ = try decompression(bytes) { part in
      document += part
      return document.count <= Self.largestSecret
    }
    return document.count <= Self.largestSecret
      && redactor.redacts(document: document, named: name)
  }
}

/// A row with a value that looks like a secret.
private struct SecretRow {
  /// The position among all rows of the table, from 1.
  let number: Int
  let digest: Int
  /// The values of the primary key, in which secrets are redacted, or `nil` without a primary key.
  let key: String?

  /// Returns the name and the value of the key by which the row is found.
  ///
  /// A key that is the secret itself is not shown, so the rowid takes its place.
  func text(in table: InspectedTable, of store: AdvisedStore, _ column: String) -> String {
    let isSecret = table.keyColumns.contains { $0.isExactly(column) }
    let named = key.map { key in
      "\(table.keyColumns.map { SQLIdentifier.shown($0) }.joined(separator: ", ")) = \(key)"
    }
    if let named, !isSecret { return named }
    return store.rowID(ofRow: number, digest, in: table).map { "rowid = \($0)" }
      ?? named ?? "#\(number)"
  }
}
