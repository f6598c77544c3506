import UndercroftCore
import UndercroftFoundation
public import UndercroftSQLite

extension Migrator {
  /// Verifies that a database has the schema of its version, as the steps or ``schema`` create it.
  ///
  /// Opening a file that is at the newest version runs no step and compares no schema. This call
  /// notices a released step that was changed after it had run on the file, and a file that another
  /// program has changed. Call it in tests, with a file of an earlier release.
  ///
  /// The order of the columns of a table is not compared.
  ///
  /// The call runs the steps in an in-memory database. It does nothing for a new database, and if
  /// neither the steps nor ``schema`` can create the version.
  ///
  /// - Throws: ``StorageError/Code/unknownVersion`` if the version of the database is unknown, or
  ///   if the schema differs: the error message contains the differences.
  public func verifySchema(of database: Database) throws {
    let (recorded, found) = try database.read { db in
      (try state(of: db), try DatabaseSchema(of: db))
    }
    guard let version = recorded.entries.last?.version else { return }
    _ = try path(from: recorded, to: nil)
    guard let declared = try declaredSchema(version, database.options) else { return }
    let difference = found.changes(toContain: declared)
    guard difference.isEmpty else {
      let file = database.location.map { " of \(quoted($0.path))" } ?? ""
      throw StorageError.schema(
        cannot: "verify the schema\(file) at the version \(quoted(version))",
        "the database needs these changes to have the schema of this version:\n\(difference)",
        suggestion: """
          if a step was changed after its release, restore the released code of the step, and make \
          the change in a new step at the end; if another program changed the schema of the file, \
          undo the change of that program
          """,
        as: .unknownVersion)
    }
  }
}
