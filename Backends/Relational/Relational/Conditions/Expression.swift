public import UndercroftSQLite

/// A piece of SQL that has a value of one Swift type: a column, or what is made of columns.
public struct Expression<Value>: Sendable {
  /// What it says in SQL, with its values bound.
  public let sql: SQL

  /// Takes SQL to have such a value: `Expression<Int>("length(title)")`.
  public init(_ sql: SQL) { self.sql = sql }
}

/// What a row fulfils or not.
public typealias Condition = Expression<Bool>
