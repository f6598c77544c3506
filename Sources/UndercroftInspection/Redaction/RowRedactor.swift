import UndercroftFoundation

/// A redactor of the rows of one result, which recognises secrets by the names of the columns and
/// by the form of the values.
///
/// In a result with names and values as columns, such as the columns `name` and `value` of a store
/// of named values, the name in a row also decides about the value in the same row.
package struct RowRedactor {
  /// The number of bytes of a name in a row that are examined.
  private static let maximumNameSize = 4_096

  private let redactor: Redactor
  private let columns: [NameTraits]
  private let nameColumn: Int?
  private let valueColumns: Set<Int>
  private let secrets: SecretValues?
  private let isShortened: Bool
  /// The number of values that were redacted.
  package private(set) var count = 0
  /// The numbers of redacted values by the positions of their columns.
  package private(set) var columnCounts: [Int: Int] = [:]

  /// Creates a redactor for the rows of a result.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns.
  ///   - redactor: the redactor, which makes the placeholders.
  ///   - secrets: values that are redacted under any name, or `nil` for none.
  ///   - isShortened: whether the rows are shown with `ResultValue.brief`, so that only the
  ///     beginning of a large value is examined.
  package init(
    _ columns: [String], _ redactor: Redactor = Redactor(), secrets: SecretValues? = nil,
    isShortened: Bool = false
  ) {
    self.redactor = redactor
    self.columns = columns.map { NameTraits($0) }
    self.secrets = secrets
    self.isShortened = isShortened
    let names = columns.map { $0.lowercased() }
    nameColumn = names.firstIndex { ["name", "key"].contains($0) }
    valueColumns =
      nameColumn == nil
      ? [] : Set(names.indices.filter { ["value", "data", "content", "text"].contains(names[$0]) })
  }

  /// Returns a row in which secrets are placeholders.
  package mutating func redacted(_ row: [InspectedValue]) -> [ResultValue] {
    var isNamed = false
    if let nameColumn, nameColumn < row.count, case .text(let name) = row[nameColumn] {
      // A longer text is not the name of a value.
      let start = name.utf8.prefix(Self.maximumNameSize)
      isNamed = SecretName.isSecret(String(decoding: start, as: UTF8.self))
    }
    return row.enumerated().map { index, value in
      let traits = index < columns.count ? columns[index] : NameTraits(nil)
      let isSecret = isNamed && valueColumns.contains(index)
      guard let redacted = redacted(value, traits, isSecret: isSecret) else {
        return ResultValue(value)
      }
      count += 1
      columnCounts[index, default: 0] += 1
      return redacted
    }
  }

  /// Returns a value in which secrets are placeholders, or `nil` if it contains none.
  ///
  /// Numbers are not secrets.
  private func redacted(
    _ value: InspectedValue, _ name: NameTraits, isSecret: Bool
  ) -> ResultValue? {
    switch value {
    case .null, .integer, .real: return nil
    case .text(let text):
      if text.isEmpty { return nil }
      if isSecret || secrets?.contains(text.utf8) == true {
        return .text(redactor.placeholder(for: Array(text.utf8)))
      }
      let redacted = RedactedText(text, traits: name, by: redactor, isShortened: isShortened)
      return redacted.isRedacted ? .text(redacted.text) : nil
    case .bytes(let bytes):
      guard !bytes.isEmpty else { return nil }
      let isKnown = isSecret || name.isSecret || secrets?.contains(bytes) == true
      guard isKnown || hasSecret(bytes, name) else { return nil }
      return .text(redactor.placeholder(for: bytes))
    }
  }

  /// Returns whether bytes contain a secret, as far as they are shown.
  ///
  /// The values of a property list have any order, so a property list is always examined
  /// completely.
  private func hasSecret(_ bytes: Data, _ name: NameTraits) -> Bool {
    guard isShortened, bytes.count > ShortenedText.maximumSize, !PropertyListText.isOne(bytes)
    else { return redactor.redacts(name: name.name, value: bytes) }
    return RedactedText.isSecret(
      bytes, examining: ValueText.briefByteCount, traits: name, by: redactor)
  }
}
