import Foundation
import UndercroftCore
import UndercroftInspection

/// A rule that recognises secrets outside of confidential stores, by their names and their form.
struct SecretRule: AdviceRule {
  static let names = ["plaintext-secret"]
  let redactor: Redactor
  /// The number of values and rows of each store that are examined.
  private static let examined = 10_000
  private static let maximumCount = 20
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
        let bytes = try store.opened.bytes(of: entry.name), Self.canBeSecret(bytes),
        redactor.redacts(name: entry.name, value: bytes)
      {
        found.append(
          Advice(
            rule: "plaintext-secret", store: store.name, subject: entry.name, count: 1,
            reason: "the value looks like a secret, and the store is not encrypted", fix: Self.fix))
      }
      return count < Self.examined && found.count < Self.maximumCount
    }
    return found
  }

  private func columns(of store: AdvisedStore) throws -> [Advice] {
    var found: [Advice] = []
    try store.forEachTable { table in
      var columns: [String] = []
      var secrets: Set<ExactString> = []
      var count = 0
      try store.opened.forEachRow(of: table.name, columns: { columns = $0 }) { row in
        count += 1
        for (column, value) in zip(columns, row) where !secrets.contains(ExactString(column)) {
          guard let bytes = Self.bytes(of: value), Self.canBeSecret(bytes) else { continue }
          if redactor.redacts(name: column, value: bytes) {
            secrets.insert(ExactString(column))
          }
        }
        return count < Self.examined
      }
      found += secrets.sorted().map { column in
        Advice(
          rule: "plaintext-secret", store: store.name, table: table.name,
          subject: "\(table.name).\(column.text)",
          reason: "the column contains values that look like secrets, and is not encrypted",
          fix: Self.fix)
      }
    }
    return found
  }

  /// Returns whether the bytes are a text that is short enough for a secret.
  private static func canBeSecret(_ bytes: Data) -> Bool {
    bytes.count <= largestSecret && String(validating: bytes, as: UTF8.self) != nil
  }

  /// Returns the bytes of a text or blob, and `nil` for NULL and numbers, which are not secrets.
  private static func bytes(of value: InspectedValue) -> Data? {
    switch value {
    case .text(let text): Data(text.utf8)
    case .bytes(let bytes): bytes
    case .null, .integer, .real: nil
    }
  }
}
