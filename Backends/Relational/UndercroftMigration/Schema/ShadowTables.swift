import UndercroftCore
import UndercroftSQLite

/// The shadow tables in which virtual tables store their content.
struct ShadowTables {
  /// The names of the shadow tables in lower case.
  private(set) var names: Set<ExactString> = []

  /// Finds the shadow tables by their names and by SQLite's list.
  ///
  /// The names are needed because SQLite does not list the shadow tables of a module that is not
  /// registered. (`PRAGMA table_list`, SQLite 3.37)
  init(of objects: [SchemaObject], in db: Connection) throws {
    let virtual = objects.compactMap { object in
      VirtualTable(object).map { (name: object.name.folded, module: $0.module) }
    }
    if virtual.isEmpty { return }
    for (name, module) in virtual {
      names.formUnion((Self.suffixes[module] ?? []).map { "\(name)_\($0)".exact })
    }
    // A virtual table is never a shadow table of another virtual table.
    names.subtract(virtual.map(\.name))
    guard SQLiteLibrary.current.version >= SQLiteVersion(3, 37) else { return }
    let listed: SQL = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
    names.formUnion(try db.fetchAll(listed) { row in (try row[0] as String).folded })
  }

  private static let suffixes: [String: [String]] = [
    "fts3": ["content", "segments", "segdir", "docsize", "stat"],
    "fts4": ["content", "segments", "segdir", "docsize", "stat"],
    "fts5": ["data", "idx", "content", "docsize", "config"],
    "rtree": ["node", "parent", "rowid"],
    "rtree_i32": ["node", "parent", "rowid"],
    "geopoly": ["node", "parent", "rowid"],
  ]
}
