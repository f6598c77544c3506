public import UndercroftSQLite

/// A fragment of SQL that has a value of one Swift type: a column, or an expression of columns.
///
/// Operators add parentheses to their operands where necessary.
public struct SQLExpression<Value>: Sendable {
  /// The expression in SQL, with bound values.
  public let sql: SQL
  let form: SQLForm
  /// The tables that are read by the subqueries of the expression.
  let tables: [TableDefinition]

  /// Creates an expression from SQL that results in a value of type `Value`:
  /// `SQLExpression<Int>("length(title)")`.
  public init(_ sql: SQL) { self.init(sql, .loose) }

  init(_ sql: SQL, _ form: SQLForm, reading tables: [TableDefinition] = []) {
    (self.sql, self.form, self.tables) = (sql, form, tables)
  }

  /// The expression as an operand, in parentheses if necessary.
  var operand: SQL { form == .atom ? sql : "(\(sql))" }

  /// Returns the same SQL as an expression of another type.
  func typed<Other>() -> SQLExpression<Other> { SQLExpression<Other>(sql, form, reading: tables) }

  /// Returns a call of a SQL function with this expression as the first argument.
  func call<Result>(_ function: StaticString, _ others: SQL...) -> SQLExpression<Result> {
    let arguments = [sql] + others
    return SQLExpression<Result>(
      "\(SQL.raw(function))(\(arguments.joined(separator: ", ")))", .atom, reading: tables)
  }

  func joined<Result>(_ operator: StaticString, _ other: SQL) -> SQLExpression<Result> {
    SQLExpression<Result>("\(operand) \(SQL.raw(`operator`)) \(other)", .loose, reading: tables)
  }

  func joined<Other, Result>(
    _ operator: StaticString, _ other: SQLExpression<Other>
  ) -> SQLExpression<Result> {
    SQLExpression<Result>(
      "\(operand) \(SQL.raw(`operator`)) \(other.operand)", .loose,
      reading: tables + other.tables)
  }
}

/// The form of a SQL fragment, which determines whether it needs parentheses as an operand.
enum SQLForm: Sendable {
  /// A column, a value or a call, which never needs parentheses.
  case atom
  /// Conditions that are joined by `AND`, or by `OR`.
  ///
  /// Such a form needs no parentheses as the left operand of the same operator.
  case conjunction, disjunction
  /// An expression of any other form, which needs parentheses as an operand.
  case loose
}

/// A condition that selects rows: an expression that is true, false or NULL for each row.
public typealias Condition = SQLExpression<Bool>

extension SQL {
  static func raw(_ text: StaticString) -> SQL { SQL(unchecked: text.description) }
}
