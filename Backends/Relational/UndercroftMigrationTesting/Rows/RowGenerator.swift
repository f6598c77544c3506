package import UndercroftCore
import UndercroftMigration
package import UndercroftSQLite
import UndercroftTesting

/// Fills the tables of a database with rows that satisfy its types, keys and conditions.
package struct RowGenerator {
  private var source: ValueSource
  private let rowsPerTable: Int
  /// The number of attempts to generate a row that the constraints accept.
  private static let attempts = 200

  package init(rowsPerTable: Int, seed: UInt64) {
    self.rowsPerTable = rowsPerTable
    source = ValueSource(numbers: SeededGenerator(seed: seed))
  }

  /// Fills all tables except some, on a connection that does not enforce foreign keys.
  ///
  /// - Parameter filled: the names of the tables, in lower case, that are left unchanged.
  /// - Returns: the tables for which no row was accepted.
  package mutating func fill(
    _ db: Connection, except filled: Set<ExactString>
  ) throws -> [String] {
    let objects = try DatabaseSchema(of: db).objects.filter { $0.kind == .table && !$0.isDeclared }
    var shapes: [TableShape] = []
    for object in objects {
      if let shape = try TableShape(object, in: db) { shapes.append(shape) }
    }
    var empty: [String] = []
    for shape in Self.parentsFirst(shapes) where !filled.contains(shape.name.folded) {
      try fill(shape, in: db)
      let hasRows = try db.first("SELECT 1 FROM \(identifier: shape.name)") { _ in true } != nil
      if !hasRows, rowsPerTable > 0 { empty.append(shape.name) }
    }
    try mend(shapes, in: db)
    for object in objects where VirtualTable(object)?.rows == .elsewhere {
      let name: SQL = "\(identifier: object.name)"
      try db.execute("INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
    }
    return empty
  }

  /// Sorts tables so that a parent table precedes the tables that refer to it.
  ///
  /// Tables that refer to each other in a cycle keep their order.
  private static func parentsFirst(_ shapes: [TableShape]) -> [TableShape] {
    var sorted: [TableShape] = []
    var rest = shapes
    while !rest.isEmpty {
      let waiting = Set(rest.map(\.name.folded))
      let next =
        rest.firstIndex { shape in
          shape.references.values.allSatisfy {
            $0.parent.folded == shape.name.folded || !waiting.contains($0.parent.folded)
          }
        } ?? 0
      sorted.append(rest.remove(at: next))
    }
    return sorted
  }

  private mutating func fill(_ shape: TableShape, in db: Connection) throws {
    var parents = Parents()
    for _ in 0..<max(0, rowsPerTable) {
      var isIn = false
      for attempt in 0..<Self.attempts {
        let row = try row(of: shape, &parents, attempt, in: db)
        if try insert(row, into: shape.name, in: db) {
          isIn = true
          break
        }
      }
      // No row was accepted, so the keys probably allow no more rows.
      if !isIn { return }
      if shape.references.values.contains(where: { $0.parent.folded == shape.name.folded }) {
        parents.forget(shape.name)
      }
    }
  }

  private typealias Values = [(name: String, value: SQLValue)]

  private mutating func row(
    of shape: TableShape, _ parents: inout Parents, _ attempt: Int, in db: Connection
  ) throws -> Values {
    var values: [ExactString: SQLValue] = [:]
    for column in shape.columns {
      if let value = source.value(for: column, attempt: attempt) {
        values[column.name.exact] = value
      }
    }
    for (_, reference) in shape.references.sorted(by: { $0.key < $1.key }) {
      let columns = shape.columns.filter { column in
        reference.columns.contains { $0.folded == column.name.folded }
      }
      let mayBeNull = columns.contains(where: \.isOptional)
      let known = try parents.rows(reference, in: db)
      let isSelf = reference.parent.folded == shape.name.folded
      let wantsNone = mayBeNull && (known.isEmpty || source.numbers.chance(1, in: 6))
      if wantsNone {
        for column in columns where column.isOptional { values[column.name.exact] = .null }
      } else if let parent = known.randomElement(using: &source.numbers) {
        set(reference.columns, to: parent, of: shape, &values)
      } else if isSelf {
        // The first row of a table with a foreign key to itself refers to itself.
        for column in shape.columns where column.isRowID {
          values[column.name.exact] = values[column.name.exact] ?? .integer(1)
        }
        let own = reference.targets.map { target in
          values.first { $0.key.text.folded == target.folded }?.value ?? .null
        }
        set(reference.columns, to: own, of: shape, &values)
      }
    }
    return shape.columns.compactMap { column in
      values[column.name.exact].map { (column.name, $0) }
    }
  }

  private func set(
    _ columns: [String], to parent: [SQLValue], of shape: TableShape,
    _ values: inout [ExactString: SQLValue]
  ) {
    for (name, value) in zip(columns, parent) {
      guard let column = shape.columns.first(where: { $0.name.folded == name.folded }) else {
        continue
      }
      values[column.name.exact] = value
    }
  }

  /// Inserts a row.
  ///
  /// Returns `false` if a constraint refuses it.
  private func insert(
    _ row: Values, into table: String, in db: Connection
  ) throws -> Bool {
    let names = row.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
    let sql: SQL =
      row.isEmpty
      ? "INSERT INTO \(identifier: table) DEFAULT VALUES"
      : "INSERT INTO \(identifier: table) (\(names)) VALUES (\(row.map(\.value)))"
    do {
      try db.execute(sql)
      return true
    } catch let error as StorageError where error.code == .constraintViolated {
      return false
    }
  }

  /// Repairs rows whose foreign keys refer to no row, such as in a cycle of tables.
  ///
  /// Deletes those that cannot be repaired.
  private mutating func mend(_ shapes: [TableShape], in db: Connection) throws {
    for round in 0..<20 {
      let violations = try db.foreignKeyCheck().filter { $0.database == "main" }
      if violations.isEmpty { return }
      var parents = Parents()
      for violation in violations {
        guard let row = violation.rowID,
          let shape = shapes.first(where: { $0.name.folded == violation.table.folded })
        else { continue }
        let table: SQL = "\(identifier: shape.name)"
        var isMended = false
        if round < 2, let reference = shape.references[violation.foreignKey],
          let parent = try parents.rows(reference, in: db).randomElement(using: &source.numbers)
        {
          let changes = zip(reference.columns, parent).map { column, value in
            "\(identifier: column) = \(value)" as SQL
          }
          let change: SQL =
            "UPDATE \(table) SET \(changes.joined(separator: ", ")) WHERE rowid = \(row)"
          isMended = (try? db.execute(change)) != nil
        }
        if !isMended { try db.execute("DELETE FROM \(table) WHERE rowid = \(row)") }
      }
    }
  }
}
