import UndercroftCore
import UndercroftSQLite

extension Migrator {
  /// Refuses rows that point to rows which are not there: they were not looked at while foreign keys were off.
  func checkForeignKeys(_ db: borrowing Connection) throws {
    let violations = try db.foreignKeyCheck().filter { $0.database == "main" }
    guard let first = violations.first else { return }
    let row = first.rowID.map { " (rowid \($0))" } ?? ""
    throw StorageError.migration(
      "\(violations.count) rows point to rows that are not there, the first in \(quoted(first.table))\(row), into \(quoted(first.parent))",
      cure: "have the step delete or mend them", as: .constraintViolated)
  }

  /// Refuses a database that is not what its version declares, or is damaged, before the last step is kept.
  func check(
    _ db: borrowing Connection, isAt version: String, _ options: DatabaseOptions
  ) throws {
    if let declared = try declaredSchema(version, options) {
      // A column that an inserted step adds stands behind those of later steps.
      let difference = try DatabaseSchema(of: db).lacks(
        declared, ignoringColumnOrder: insertedSteps == .run)
      guard difference.isEmpty else {
        throw StorageError.migration(
          "the schema is not that of \(quoted(version)):\n\(difference)",
          cure: "mend the step, or export the schema anew if the step is right")
      }
    }
    let check: StaticString
    switch integrityCheck {
    case .full: check = "SELECT * FROM pragma_integrity_check(?, 'main')"
    case .quick: check = "SELECT * FROM pragma_quick_check(?, 'main')"
    case .none: return
    }
    var problems: [String] = []
    try db.check(check, 100, &problems)
    if let problem = problems.first {
      throw StorageError.migration(
        "the file is damaged: \(problem)",
        cure: "restore a backup; the step was rolled back", as: .corrupted)
    }
  }

  /// Refuses a file that is said to be of a version and holds something else than that declares, when no step comes that would fail.
  ///
  /// What is not there is no contradiction: declared tables make themselves at their first use.
  func check(
    _ db: borrowing Connection, mayBeAt version: String, _ options: DatabaseOptions
  ) throws {
    guard let declared = try declaredSchema(version, options) else { return }
    let changed = try DatabaseSchema(of: db).lacks(declared).changed
    guard changed.isEmpty else {
      throw StorageError.migration(
        "the file is said to be of the version \(quoted(version)), and its schema is another:\n"
          + changed.map(\.description).joined(separator: "\n"),
        cure: "adopt it at the version that it has", as: .unknownVersion)
    }
  }

  /// What a version declares, made in memory; `nil` where it cannot be made from nothing.
  private func declaredSchema(
    _ version: String, _ options: DatabaseOptions
  ) throws -> DatabaseSchema? {
    let place = try place(of: version)
    guard place == steps.count - 1 || canBuild else { return nil }
    let memory = try Database.inMemory(DatabaseOptions(setUp: options.setUp))
    return try memory.writeWithoutTransaction { db in
      // As in a file, where rows may come before those that they point to.
      try db.execute("PRAGMA foreign_keys = OFF")
      return try db.transaction { db in
        try make(place, in: db)
        return try DatabaseSchema(of: db)
      }
    }
  }
}
