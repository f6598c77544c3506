import UndercroftFoundation
import UndercroftInspection
import UndercroftMigration
import UndercroftSQLite

extension SchemaInspection {
  /// The functions for SQLite databases, which read the schema as migrations do.
  static let sqlite = SchemaInspection(
    text: { url, parts in
      try Database.inspecting(url) { db -> GoldenSchema in
        guard let table = parts.table else {
          return try GoldenSchema(
            of: db, includesRows: parts.includesRows, includesDeclared: parts.includesDeclared)
        }
        return try GoldenSchema(
          of: db, table: table, includesRows: parts.includesRows,
          includesDeclared: parts.includesDeclared)
      }.text
    },
    difference: { url, other in
      let old = try Database.inspecting(url) { db in try DatabaseSchema(of: db) }
      let difference = try schema(at: other).difference(from: old)
      return difference.isEmpty ? nil : "\(difference)"
    })

  /// Returns the schema of the database at `url`, or the schema that the SQL script at `url`
  /// creates in an in-memory database.
  private static func schema(at url: URL) throws -> DatabaseSchema {
    if StoreInspectorFactory.sqlite.recognises(url) {
      return try Database.inspecting(url) { db in try DatabaseSchema(of: db) }
    }
    return try DatabaseSchema(of: try SQL(contentsOf: url))
  }
}
