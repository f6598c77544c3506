public import UndercroftCore

/// The conflict policies of a table.
///
/// Names of columns are compared as in SQLite, which ignores the case of ASCII letters.
public struct TablePolicy: Sendable {
  /// The policy of the columns that have no policy of their own.
  public var columnDefault: ConflictPolicy
  /// The policies of single columns.
  public var columns: [ExactString: ConflictPolicy]
  /// The rule for a deletion and a concurrent change of the same row.
  public var deletion: DeletePolicy

  /// Creates the policies of a table.
  ///
  /// - Parameters:
  ///   - columnDefault: the policy of the columns that have no policy of their own.
  ///   - columns: the policies of single columns.
  ///   - deletion: the rule for deletions, or `nil` for ``DeletePolicy/ask`` if `columnDefault` is
  ///     ``ConflictPolicy/ask``, and for ``DeletePolicy/deleteWins`` otherwise.
  public init(
    _ columnDefault: ConflictPolicy = .lastWriterWinsField,
    columns: [ExactString: ConflictPolicy] = [:], deletion: DeletePolicy? = nil
  ) {
    self.columnDefault = columnDefault
    self.columns = columns
    var asks = false
    if case .ask = columnDefault { asks = true }
    self.deletion = deletion ?? (asks ? .ask : .deleteWins)
  }

  /// Returns the policy of a column.
  public func policy(for column: ExactString) -> ConflictPolicy {
    if columns.isEmpty { return columnDefault }
    if let policy = columns[column] { return policy }
    let name = column.lowercased
    return columns.first { $0.key.lowercased == name }?.value ?? columnDefault
  }
}

extension ExactString {
  /// The name with its ASCII letters in lower case, for comparing names as SQLite does.
  var lowercased: ExactString {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard text.utf8.contains(where: capitals.contains) else { return self }
    let bytes = text.utf8.map { capitals.contains($0) ? $0 | 0x20 : $0 }
    return ExactString(String(decoding: bytes, as: UTF8.self))
  }
}
