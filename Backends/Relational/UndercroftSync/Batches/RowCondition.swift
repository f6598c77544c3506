public import UndercroftCore

/// A condition on the rows of a table, with the same result on a device and on the server.
///
/// A condition is either true or false. Values are compared as SQLite compares them without
/// affinities and collations: numbers by their values, and texts and blobs by their bytes. A number
/// is less than a text, and a text is less than a blob. A comparison with a column that is NULL is
/// false, except that ``Comparison/equal`` and ``Comparison/notEqual`` recognise NULL as a value. A
/// column that a row does not have is NULL.
///
/// ```swift
/// let isDue = RowCondition.column("due", .less, .text("2026-10-01"))
/// ```
public indirect enum RowCondition: Sendable, Hashable {
  /// The operators between a column and a value.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// The column equals the value, or both are NULL.
    case equal = "="
    /// The column differs from the value, or exactly one of the two is NULL.
    case notEqual = "<>"
    /// The column is less than the value.
    case less = "<"
    /// The column is less than or equal to the value.
    case lessOrEqual = "<="
    /// The column is greater than the value.
    case greater = ">"
    /// The column is greater than or equal to the value.
    case greaterOrEqual = ">="
  }

  /// A comparison of a column with a value.
  ///
  /// The value of a reference column is the identifier of the referenced row as a text, or its key
  /// in the database of the `SyncEngine`.
  case column(ExactString, Comparison, SyncValue)
  /// The row has one of these identifiers.
  case identifiers(Set<DataIdentifier>)
  /// All conditions are true; without conditions, the result is true.
  case all([RowCondition])
  /// At least one condition is true; without conditions, the result is false.
  case any([RowCondition])
  /// The condition is false.
  case not(RowCondition)
}

extension RowCondition {
  /// The maximum nesting depth of a condition, where a single comparison has the depth 1.
  static let maximumDepth = 8
  /// The maximum number of conditions in a condition, counting itself and all nested conditions.
  static let maximumCount = 1_000

  /// Returns whether a row meets the condition.
  ///
  /// - Parameters:
  ///   - fields: the values of the row in the wire format, in which a reference is the identifier
  ///     of the referenced row.
  ///   - identifier: the identifier of the row.
  package func matches(_ fields: FieldValues, _ identifier: DataIdentifier) -> Bool {
    switch self {
    case .column(let column, let comparison, let value):
      comparison.holds((fields[column] ?? .null).stored, value.stored)
    case .identifiers(let identifiers): identifiers.contains(identifier)
    case .all(let conditions): conditions.allSatisfy { $0.matches(fields, identifier) }
    case .any(let conditions): conditions.contains { $0.matches(fields, identifier) }
    case .not(let condition): !condition.matches(fields, identifier)
    }
  }

  /// The columns that the condition compares.
  var columns: Set<ExactString> {
    switch self {
    case .column(let column, _, _): [column]
    case .identifiers: []
    case .all(let conditions), .any(let conditions):
      conditions.reduce(into: []) { $0.formUnion($1.columns) }
    case .not(let condition): condition.columns
    }
  }

  /// The reason why the condition is too large for a message, or `nil` if a message can contain it.
  var refusal: String? {
    var count = 0
    guard isWithinLimits(depth: 1, &count) else {
      return """
        the condition exceeds one of these limits: \(Self.maximumDepth) nested levels, \
        \(Self.maximumCount) conditions, and \(SyncLimits.selectedRows) identifiers in one list
        """
    }
    return nil
  }

  private func isWithinLimits(depth: Int, _ count: inout Int) -> Bool {
    count += 1
    guard depth <= Self.maximumDepth, count <= Self.maximumCount else { return false }
    switch self {
    case .column: return true
    case .identifiers(let identifiers): return identifiers.count <= SyncLimits.selectedRows
    case .all(let conditions), .any(let conditions):
      for condition in conditions
      where !condition.isWithinLimits(depth: depth + 1, &count) { return false }
      return true
    case .not(let condition): return condition.isWithinLimits(depth: depth + 1, &count)
    }
  }
}

extension RowCondition.Comparison {
  fileprivate func holds(_ column: SyncValue, _ value: SyncValue) -> Bool {
    guard let order = column.order(relativeTo: value) else {
      let areEqual = column == .null && value == .null
      return self == .equal && areEqual || self == .notEqual && !areEqual
    }
    return switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}
