public import UndercroftSQLite

/// What rows can be sorted by: an expression, or one with a direction.
public protocol OrderingTerm: Sendable {
  /// The expression and its direction.
  var ordering: Ordering { get }
}

/// An expression to sort by, and how: `$0.rating.descending.nullsLast`.
///
/// Where nothing else is said, what has no value comes first, and last when descending.
public struct Ordering: OrderingTerm {
  let term: SQL
  let tables: [TableDefinition]
  private(set) var isDescending = false
  /// Where what has no value comes, when that was said.
  private var nullsGoFirst: Bool?

  init(_ expression: SQLExpression<some Any>) {
    (term, tables) = (expression.sql, expression.tables)
  }

  /// Takes SQL to sort by, with values bound.
  public init(_ sql: SQL, isDescending: Bool = false) {
    (term, tables) = (sql, [])
    self.isDescending = isDescending
  }

  public var ordering: Ordering { self }

  /// Whether what has no value comes before the rest.
  var hasNullsFirst: Bool { nullsGoFirst ?? !isDescending }

  /// From the greatest to the least.
  public var descending: Self { with { $0.isDescending = true } }

  /// What has no value comes before the rest.
  public var nullsFirst: Self { with { $0.nullsGoFirst = true } }

  /// What has no value comes after the rest.
  public var nullsLast: Self { with { $0.nullsGoFirst = false } }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var ordering = self
    change(&ordering)
    return ordering
  }

  /// As `ORDER BY` wants it.
  var sql: SQL {
    var sql = term
    if isDescending { sql += " DESC" }
    if let nullsGoFirst { sql += nullsGoFirst ? " NULLS FIRST" : " NULLS LAST" }
    return sql
  }
}

extension SQLExpression: OrderingTerm {
  public var ordering: Ordering { Ordering(self) }

  /// From the greatest to the least.
  public var descending: Ordering { ordering.descending }

  /// From the least to the greatest, as without it.
  public var ascending: Ordering { ordering }

  /// What has no value comes before the rest.
  public var nullsFirst: Ordering { ordering.nullsFirst }

  /// What has no value comes after the rest.
  public var nullsLast: Ordering { ordering.nullsLast }
}
