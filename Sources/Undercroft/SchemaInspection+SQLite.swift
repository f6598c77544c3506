import UndercroftFoundation
import UndercroftInspection
import UndercroftMigration
import UndercroftSQLite

extension SchemaInspection {
  /// The functions for SQLite databases, which read the schema as migrations do.
  static let sqlite = SchemaInspection(
    text: { url, parts in
      try Database.inspecting(url) { db -> String in
        guard let table = parts.table else {
          let schema = try GoldenSchema(
            of: db, includesRows: parts.includesRows, includesDeclared: parts.includesDeclared)
          return try schema.text(withSettingsOf: db)
        }
        let schema = try GoldenSchema(
          of: db, table: table, includesRows: parts.includesRows,
          includesDeclared: parts.includesDeclared)
        return schema.text
      }
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

extension GoldenSchema {
  /// Returns the text with the statements that give a new database the text encoding, the page size
  /// and the vacuum mode of `db`, unless these are the defaults.
  ///
  /// The text of a migration does not have these statements, because the application chooses the
  /// settings when it opens the database. They have an effect only before the first table.
  fileprivate func text(withSettingsOf db: Connection) throws -> String {
    var settings: [Substring] = []
    let encoding = try db.fetchOne("PRAGMA encoding") { row in try row[0] as String }
    if let encoding, encoding != "UTF-8" { settings.append("PRAGMA encoding = '\(encoding)';") }
    let pageSize = try db.pageSize()
    if pageSize != 4_096 { settings.append("PRAGMA page_size = \(pageSize);") }
    let vacuum = try db.fetchOne("PRAGMA auto_vacuum") { row in try row[0] as Int } ?? 0
    if vacuum != 0 { settings.append("PRAGMA auto_vacuum = \(vacuum);") }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let comments = lines.prefix { $0.hasPrefix("--") }
    return (comments + settings + lines.dropFirst(comments.count)).joined(separator: "\n")
  }
}
