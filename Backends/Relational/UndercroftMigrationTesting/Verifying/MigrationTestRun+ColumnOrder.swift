import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

extension MigrationTestRun {
  /// Runs each step, and each way back, on a file whose tables have their columns in another order,
  /// and compares the result with the result on a file with the declared order.
  ///
  /// In a file with another order, a step such as `INSERT INTO loan SELECT * FROM old_loan` moves
  /// values to other columns. The verification of a schema ignores the order of columns, so it does
  /// not notice such a step.
  mutating func migrateWithReorderedColumns() {
    for (origin, target) in zip(migrator.versions, migrator.versions.dropFirst()) {
      guard goldens[target] != nil, let start = try? database(of: origin),
        let end = compareOrders(start, [origin, target]), isReversible(origin, target)
      else { continue }
      _ = compareOrders(end, [origin, target, origin])
    }
  }

  /// Runs the last migration of a path on a copy of a database and on copies with reordered
  /// columns, and reports each difference between the results.
  ///
  /// - Returns: the migrated copy with the declared order of columns, or `nil` if its migration has
  ///   a problem. This problem is reported already.
  private mutating func compareOrders(_ start: Database, _ path: [String]) -> Database? {
    let name = path.joined(separator: " → ")
    let (origin, target) = (path[path.count - 2], path[path.count - 1])
    if problems.contains(where: { $0.path == name }) { return nil }
    guard let declared = try? migratedCopy(of: start, from: origin, to: target) else { return nil }
    for order in ColumnReordering.allCases {
      var messages: [String] = []
      do {
        let reordered = try copy(of: start)
        try reordered.writeWithoutTransaction { db in
          try db.execute("PRAGMA foreign_keys = OFF")
          try order.run(in: db)
        }
        try migrate(reordered, from: origin, to: target)
        let differences = try differences(of: reordered, from: declared) {
          try migratedCopy(of: start, from: origin, to: target)
        }
        messages = differences.map {
          "the result differs from that in a file with the declared order of columns: \($0)"
        }
      } catch {
        messages = ["\((error as? StorageError)?.message ?? "\(error)")"]
      }
      for message in messages {
        report(
          "\(name), with the columns in another order", message, suggestion: Self.suggestion)
      }
      if !messages.isEmpty { break }
    }
    return declared
  }

  private func migratedCopy(
    of database: Database, from origin: String, to target: String
  ) throws -> Database {
    let copy = try copy(of: database)
    try migrate(copy, from: origin, to: target)
    return copy
  }

  private func migrate(
    _ database: Database, from origin: String, to target: String
  ) throws {
    var migrator = migrator
    migrator.adoptions = [.baseline(origin)]
    try migrator.migrate(database, to: target)
  }

  /// Returns the differences between the results of a migration on two databases.
  ///
  /// - Parameter migrateAgain: repeats the migration of the database `declared`. Columns whose
  ///   values then differ are not compared, because the migration computes them from random numbers
  ///   or from the time.
  private func differences(
    of reordered: Database, from declared: Database, migrateAgain: () throws -> Database
  ) throws -> [String] {
    let schema = try Self.schema(of: reordered)
      .difference(from: try Self.schema(of: declared), ignoringColumnOrder: true)
    let (rows, expected) = (try contents(of: reordered), try contents(of: declared))
    let nothing = IntendedChanges([])
    var found = rows.differences(from: expected, intended: nothing)
    if !found.isEmpty {
      let stable = try contents(of: try migrateAgain()).equalColumns(in: expected)
      found = rows.differences(
        from: expected, in: stable.intersection(rows.columns), intended: nothing)
    }
    return schema.lines + found.map(\.description)
  }

  private static func schema(of database: Database) throws -> DatabaseSchema {
    try database.read { db in try DatabaseSchema(of: db) }
  }

  private static let suggestion = """
    name the columns, as in INSERT INTO book (id, title) SELECT id, title FROM …, and not SELECT * \
    or INSERT INTO book VALUES (…): the columns of a file can be in another order
    """
}
