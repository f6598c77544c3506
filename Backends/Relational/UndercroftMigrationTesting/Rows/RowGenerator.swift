package import UndercroftCore
import UndercroftMigration
package import UndercroftSQLite
import UndercroftTesting

/// A generator that fills the tables of a database with rows that satisfy their types, keys and
/// constraints.
package struct RowGenerator {
  private var generator: ValueGenerator
  private let rowsPerTable: Int
  /// The maximum number of attempts to generate one row that the constraints accept.
  private static let attempts = 200

  package init(rowsPerTable: Int, seed: UInt64) {
    self.rowsPerTable = rowsPerTable
    generator = ValueGenerator(numbers: SeededGenerator(seed: seed))
  }

  /// Fills all tables except `filled`, on a connection that does not enforce foreign keys.
  ///
  /// - Parameter filled: the names of the tables, in lower case, for which no rows are generated.
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
      let hasRows = try db.fetchOne("SELECT 1 FROM \(identifier: shape.name)") { _ in true } != nil
      if !hasRows, rowsPerTable > 0 { empty.append(shape.name) }
    }
    try repair(shapes, in: db)
    for object in objects where VirtualTable(object)?.rows == .externalContent {
      let name: SQL = "\(identifier: object.name)"
      try db.execute("INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
    }
    return empty
  }

  /// Sorts tables so that a parent table precedes the tables that refer to it.
  ///
  /// Tables that refer to each other in a cycle retain their order.
  private static func parentsFirst(_ shapes: [TableShape]) -> [TableShape] {
    var sorted: [TableShape] = []
    var rest = shapes
    while !rest.isEmpty {
      let remaining = Set(rest.map(\.name.folded))
      let next =
        rest.firstIndex { shape in
          shape.references.values.allSatisfy {
            $0.parent.folded == shape.name.folded || !remaining.contains($0.parent.folded)
          }
        } ?? 0
      sorted.append(rest.remove(at: next))
    }
    return sorted
  }

  private mutating func fill(_ shape: TableShape, in db: Connection) throws {
    var parents = ParentRows()
    for _ in 0..<max(0, rowsPerTable) {
      var isInserted = false
      for attempt in 0..<Self.attempts {
        let row = try row(of: shape, &parents, attempt, in: db)
        if try insert(row, into: shape.name, in: db) {
          isInserted = true
          break
        }
      }
      // No row was accepted, so the keys probably allow no more rows.
      if !isInserted { return }
      if shape.references.values.contains(where: { $0.parent.folded == shape.name.folded }) {
        parents.invalidate(shape.name)
      }
    }
  }

  private typealias Values = [(name: String, value: SQLValue)]

  private mutating func row(
    of shape: TableShape, _ parents: inout ParentRows, _ attempt: Int, in db: Connection
  ) throws -> Values {
    var values: [ExactString: SQLValue] = [:]
    for column in shape.columns {
      if let value = generator.value(for: column, attempt: attempt) {
        values[column.name.exact] = value
      }
    }
    for (_, reference) in shape.references.sorted(by: { $0.key < $1.key }) {
      let columns = shape.columns.filter { column in
        reference.columns.contains { $0.folded == column.name.folded }
      }
      let mayBeNull = columns.contains(where: \.isOptional)
      let parentRows = try parents.rows(reference, in: db)
      let isSelf = reference.parent.folded == shape.name.folded
      let isNull = mayBeNull && (parentRows.isEmpty || generator.numbers.chance(1, in: 6))
      if isNull {
        for column in columns where column.isOptional { values[column.name.exact] = .null }
      } else if let parent = parentRows.randomElement(using: &generator.numbers) {
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

  /// Inserts a row, and returns whether the constraints of the table accepted the row.
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
  /// Deletes the rows that cannot be repaired.
  private mutating func repair(_ shapes: [TableShape], in db: Connection) throws {
    for round in 0..<20 {
      let violations = try db.foreignKeyCheck().filter { $0.database == "main" }
      if violations.isEmpty { return }
      var parents = ParentRows()
      for violation in violations {
        guard let row = violation.rowID,
          let shape = shapes.first(where: { $0.name.folded == violation.table.folded })
        else { continue }
        let table: SQL = "\(identifier: shape.name)"
        var isRepaired = false
        if round < 2, let reference = shape.references[violation.foreignKey],
          let parent = try parents.rows(reference, in: db).randomElement(using: &generator.numbers)
        {
          let changes = zip(reference.columns, parent).map { column, value in
            "\(identifier: column) = \(value)" as SQL
          }
          let change: SQL =
            "UPDATE \(table) SET \(changes.joined(separator: ", ")) WHERE rowid = \(row)"
          isRepaired = (try? db.execute(change)) != nil
        }
        if !isRepaired { try db.execute("DELETE FROM \(table) WHERE rowid = \(row)") }
      }
    }
  }
}
