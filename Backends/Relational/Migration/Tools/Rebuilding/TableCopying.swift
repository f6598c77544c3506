import UndercroftCore
import UndercroftSQLite

/// How the rows come from a table into the one that takes its place: in one statement, which SQLite runs by itself.
struct TableCopying {
  let old: TableShape
  let new: TableShape
  private let target: String
  private let source: String
  private let condition: SQL?
  /// The new columns, as they are spelled, and what fills them.
  private let columns: [(name: String, value: SQL)]
  /// The names of those that are copied as they are.
  let unchanged: Set<ExactString>
  let keepsRowID: Bool

  init(of rebuilding: TableRebuilding, to target: String, in db: borrowing Connection) throws {
    let work = rebuilding.work
    (self.target, source) = (target, rebuilding.table.name)
    condition = rebuilding.condition
    old = try TableShape(of: source, in: db)
    new = try TableShape(of: target, in: db)
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
    // A key column that nothing fills is the rowid under another name.
    let fillsKey =
      new.rowIDColumn.map { key in columns.contains { $0.name.isExactly(key) } } ?? false
    keepsRowID = old.rowID != nil && new.rowID != nil && !fillsKey
    if keepsRowID, let oldID = old.rowID, let newID = new.rowID {
      columns.append((newID, "\(identifier: oldID)"))
    }
    (self.columns, self.unchanged) = (columns, unchanged)
    try requireNothingLost(rebuilding, work)
  }

  /// Whether every row keeps the number by which others know it.
  var keepsNumbers: Bool {
    guard let key = new.rowIDColumn?.folded, !keepsRowID else { return keepsRowID }
    return old.rowIDColumn?.folded == key && unchanged.contains(key)
  }

  private static func expressions(
    of rebuilding: TableRebuilding, for new: TableShape
  ) throws -> [ExactString: SQL] {
    var found: [ExactString: SQL] = [:]
    for (name, sql) in rebuilding.expressions {
      guard let column = new.column(name), !column.isGenerated else {
        throw rebuilding.work.failure(
          "\(quoted(name)) is no column that could be filled", cure: "check the spelling")
      }
      guard found.updateValue(sql, forKey: name.folded) == nil else {
        throw rebuilding.work.failure("\(quoted(name)) is filled twice", cure: "name it once")
      }
    }
    return found
  }

  /// A name that was misspelt would else cost a column.
  private func requireNothingLost(_ rebuilding: TableRebuilding, _ work: SchemaWork) throws {
    for name in rebuilding.dropped where old.column(name) == nil {
      throw work.failure("there is no column \(quoted(name)) to drop", cure: "check the spelling")
    }
    let dropped = Set(rebuilding.dropped.map(\.folded))
    let texts = rebuilding.expressions.values.map { SQLText($0.text) }
    for column in old.columns where !column.isGenerated {
      let name = column.name
      // One that is computed from now on has no place for its values.
      if new.column(name)?.isGenerated == false || dropped.contains(name.folded) { continue }
      if texts.contains(where: { $0.mentions(name) }) { continue }
      throw work.failure(
        "the values of \(quoted(column.name)) would be lost",
        cure: "use it in copying:, or name it in dropping:")
    }
  }

  /// Copies all rows, and counts them.
  func run(_ work: SchemaWork, in db: borrowing Connection) throws {
    let filter: SQL = condition.map { " WHERE (\($0))" } ?? ""
    // In the order of the old table, in which the new one is filled fastest.
    let rows: SQL = "main.\(identifier: source) NOT INDEXED\(filter)"
    let names = columns.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
    let values = columns.map { "(\($0.value))" as SQL }.joined(separator: ", ")
    let (wanted, arrived) = try work.step(
      in: db, cure: "give an expression in copying: that makes it fit, or mend the data before"
    ) { db in
      let wanted = try db.value("SELECT count(*) FROM \(rows)", as: Int.self)
      if columns.isEmpty {
        if wanted > 0 { throw work.failure("none of its columns is copied") }
      } else {
        try db.execute(
          "INSERT INTO main.\(identifier: target) (\(names)) SELECT \(values) FROM \(rows)")
      }
      return (
        wanted, try db.value("SELECT count(*) FROM main.\(identifier: target)", as: Int.self)
      )
    }
    guard wanted == arrived else {
      throw work.failure(
        "\(arrived) rows arrived of \(wanted)",
        cure: "see which rows a UNIQUE … ON CONFLICT of the new table leaves out",
        .constraintViolated)
    }
  }
}
