public import UndercroftSQLite

/// A term by which rows can be sorted: an expression, with or without a direction.
public protocol SQLOrderingTerm: Sendable {
  /// The expression of this term, with its sort direction and with the position of NULL among the
  /// sorted values: first or last.
  var ordering: SQLOrdering { get }
}

/// An expression to sort by, with a direction and the position
/// of NULL: `$0.rating.descending.nullsLast`.
///
/// By default, NULL comes first in ascending order and last in descending order.
public struct SQLOrdering: SQLOrderingTerm {
  let term: SQL
  let tables: [TableDefinition]
  private(set) var isDescending = false
  /// Whether NULL comes first, or `nil` for the default position.
  private var nullsGoFirst: Bool?

  init(_ expression: SQLExpression<some Any>) {
    (term, tables) = (expression.sql, expression.tables)
  }

  /// Creates a sort term from an expression in SQL, with bound values.
  ///
  /// - Parameters:
  ///   - sql: The expression to sort by.
  ///   - isDescending: Whether the greatest value comes first. If `false`, the least value comes
  ///     first.
  public init(_ sql: SQL, isDescending: Bool = false) {
    (term, tables) = (sql, [])
    self.isDescending = isDescending
  }

  public var ordering: SQLOrdering { self }

  /// Whether NULL comes before all other values.
  var hasNullsFirst: Bool { nullsGoFirst ?? !isDescending }

  /// A copy of the term that sorts from the greatest value to the least.
  public var descending: Self { with { $0.isDescending = true } }

  /// A copy of the term that sorts NULL before all other values.
  public var nullsFirst: Self { with { $0.nullsGoFirst = true } }

  /// A copy of the term that sorts NULL after all other values.
  public var nullsLast: Self { with { $0.nullsGoFirst = false } }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var ordering = self
    change(&ordering)
    return ordering
  }

  /// The term in the syntax of `ORDER BY`.
  var sql: SQL {
    var sql = term
    if isDescending { sql += " DESC" }
    if let nullsGoFirst { sql += nullsGoFirst ? " NULLS FIRST" : " NULLS LAST" }
    return sql
  }
}

extension SQLExpression: SQLOrderingTerm {
  public var ordering: SQLOrdering { SQLOrdering(self) }

  /// A sort term for this expression that sorts from the greatest value to the least.
  public var descending: SQLOrdering { ordering.descending }

  /// A sort term for this expression that sorts from the least value to the greatest, which is the
  /// default.
  public var ascending: SQLOrdering { ordering }

  /// A sort term for this expression, in ascending order, that sorts NULL before all other values.
  public var nullsFirst: SQLOrdering { ordering.nullsFirst }

  /// A sort term for this expression, in ascending order, that sorts NULL after all other values.
  public var nullsLast: SQLOrdering { ordering.nullsLast }
}
