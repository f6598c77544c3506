import UndercroftCore
import UndercroftSQLite

/// The copying of the rows of a table into the table that replaces it, in one `INSERT … SELECT`.
struct TableCopying {
  let old: TableLayout
  let new: TableLayout
  private let target: String
  private let source: String
  private let condition: SQL?
  /// The columns to fill in the new table, with the expressions that fill them.
  private let columns: [(name: String, value: SQL)]
  /// The names of the columns whose values are copied unchanged.
  let unchanged: Set<ExactString>
  let copiesRowID: Bool

  init(of rebuilding: TableRebuilding, to target: String, in db: Connection) throws {
    let operation = rebuilding.operation
    (self.target, source) = (target, rebuilding.table.name)
    condition = rebuilding.condition
    old = try TableLayout(of: source, in: db)
    new = try TableLayout(of: target, in: db)
    let expressions = try Self.expressions(of: rebuilding, for: new)
    var columns: [(name: String, value: SQL)] = []
    var unchanged: Set<ExactString> = []
    for column in new.columns where !column.isGenerated {
      if let expression = expressions[column.name.folded] {
        columns.append((column.name, expression))
      } else if let same = old.column(column.name) {
        columns.append((column.name, "\(identifier: same.name)"))
        if same.type.folded == column.type.folded, new.isStrict == old.isStrict {
          unchanged.insert(column.name.folded)
        }
      }
    }
    // If the `INTEGER PRIMARY KEY` is not filled explicitly, it receives the old rowid.
    let fillsKey =
      new.rowIDColumn.map { key in columns.contains { $0.name.isExactly(key) } } ?? false
    copiesRowID = old.rowID != nil && new.rowID != nil && !fillsKey
    if copiesRowID, let oldID = old.rowID, let newID = new.rowID {
      columns.append((newID, "\(identifier: oldID)"))
    }
    (self.columns, self.unchanged) = (columns, unchanged)
    try requireNothingLost(rebuilding, operation)
  }

  /// Whether every row retains the rowid by which full-text tables refer to it.
  var preservesRowIDs: Bool {
    guard let key = new.rowIDColumn?.folded, !copiesRowID else { return copiesRowID }
    return old.rowIDColumn?.folded == key && unchanged.contains(key)
  }

  private static func expressions(
    of rebuilding: TableRebuilding, for new: TableLayout
  ) throws -> [ExactString: SQL] {
    var values: [ExactString: SQL] = [:]
    for (name, sql) in rebuilding.expressions {
      guard let column = new.column(name) else {
        throw rebuilding.operation.failure(
          "the argument \"copying\" names \(quoted(name)), but the new table has no such column",
          suggestion: "choose one of the columns \(Self.names(of: new))")
      }
      guard !column.isGenerated else {
        throw rebuilding.operation.failure(
          """
          the argument "copying" names \(quoted(name)), which is a generated column of the new table
          """,
          suggestion: "remove the expression for this column")
      }
      guard values.updateValue(sql, forKey: name.folded) == nil else {
        throw rebuilding.operation.failure(
          "the argument \"copying\" names the column \(quoted(name)) twice",
          suggestion: "name each column once")
      }
    }
    return values
  }

  private static func names(of layout: TableLayout) -> String {
    layout.columns.map { quoted($0.name) }.joined(separator: ", ")
  }

  /// Throws if the values of an old column are neither copied, used in an expression nor named as
  /// dropped, or if a column named as dropped does not exist.
  ///
  /// Without this check, a misspelt name would lose the values of a column.
  private func requireNothingLost(_ rebuilding: TableRebuilding, _ operation: SchemaOperation)
    throws
  {
    for name in rebuilding.dropped where old.column(name) == nil {
      throw operation.failure(
        "the argument \"dropping\" names \(quoted(name)), but the old table has no such column",
        suggestion: "choose one of the columns \(Self.names(of: old))")
    }
    let dropped = Set(rebuilding.dropped.map(\.folded))
    let used = rebuilding.expressions.values.map { TokenizedSQL($0.text) }
    for column in old.columns where !column.isGenerated {
      let name = column.name
      // A column that becomes a generated column cannot store the old values.
      if new.column(name)?.isGenerated == false || dropped.contains(name.folded) { continue }
      if used.contains(where: { $0.mentions(name) }) { continue }
      throw operation.failure(
        "the values of the column \(quoted(column.name)) would be lost",
        suggestion: """
          call rebuildTable(_:as:copying:dropping:), and use the column in an expression of the \
          argument "copying", or name the column in the argument "dropping" to discard its values
          """)
    }
  }

  /// Copies the rows that satisfy ``condition``, or all rows if ``condition`` is `nil`.
  ///
  /// Throws if the new table then contains fewer or more rows than were read.
  func run(_ operation: SchemaOperation, in db: Connection) throws {
    let filter: SQL = condition.map { " WHERE (\($0))" } ?? ""
    // The rows are read in the order of the old table, in which the new one is filled fastest.
    let rows: SQL = "main.\(identifier: source) NOT INDEXED\(filter)"
    let names = columns.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
    let values = columns.map { "(\($0.value))" as SQL }.joined(separator: ", ")
    let (expected, copied) = try operation.step(
      in: db,
      suggestion: """
        pass an expression whose values the new table accepts (the argument "copying" of \
        rebuildTable, or "converting" of changeColumn), or repair the data before this call
        """
    ) { db in
      let expected = try db.fetchValue("SELECT count(*) FROM \(rows)", as: Int.self)
      if columns.isEmpty {
        if expected > 0 {
          throw operation.failure(
            "no column of the table is copied",
            suggestion: "pass an expression for at least one column in the argument \"copying\"")
        }
      } else {
        try db.execute(
          "INSERT INTO main.\(identifier: target) (\(names)) SELECT \(values) FROM \(rows)")
      }
      return (
        expected, try db.fetchValue("SELECT count(*) FROM main.\(identifier: target)", as: Int.self)
      )
    }
    guard expected == copied else {
      throw operation.failure(
        "only \(copied) of \(expected) rows were copied into the new table",
        suggestion: "remove the ON CONFLICT clauses from the constraints of the new definition",
        .constraintViolated)
    }
  }
}
