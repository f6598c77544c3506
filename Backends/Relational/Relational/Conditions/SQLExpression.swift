public import UndercroftSQLite

/// A piece of SQL that has a value of one Swift type: a column, or what is made of columns.
///
/// What is put together of several is put in parentheses where it needs them.
public struct SQLExpression<Value>: Sendable {
  /// What it says in SQL, with its values bound.
  public let sql: SQL
  let form: SQLForm
  /// The tables that its subqueries read.
  let tables: [TableDefinition]

  /// Takes SQL to have such a value: `SQLExpression<Int>("length(title)")`.
  public init(_ sql: SQL) { self.init(sql, .loose) }

  init(_ sql: SQL, _ form: SQLForm, reading tables: [TableDefinition] = []) {
    (self.sql, self.form, self.tables) = (sql, form, tables)
  }

  /// What it says as a part of something else.
  var operand: SQL { form == .atom ? sql : "(\(sql))" }

  /// The same with another type.
  func typed<Other>() -> SQLExpression<Other> { SQLExpression<Other>(sql, form, reading: tables) }

  /// A function of it, and of others.
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

/// How firmly a piece of SQL holds together.
enum SQLForm: Sendable {
  /// A column, a value, a call: it needs no parentheses anywhere.
  case atom
  /// Conditions with `AND` between them; or with `OR`.
  case conjunction, disjunction
  /// Whatever else.
  case loose
}

/// What a row fulfils or not.
public typealias Condition = SQLExpression<Bool>

extension SQL {
  static func raw(_ text: StaticString) -> SQL { SQL(unchecked: text.description) }
}
