import UndercroftCore
import UndercroftInspection

/// The databases that a statement needs, among more databases than SQLite can attach.
/// (`SQLITE_LIMIT_ATTACHED`)
///
/// A statement needs each database whose store it names. For each name without a store, it also
/// needs the first database that has a table, a view or an index with this name, because SQLite
/// reads the table of the database that was attached first. If several databases have the table,
/// ``AmbiguousTable`` finds the others by their names.
struct NeededDatabases {
  /// The stores that the statement needs, in their order, with all stores of named values.
  let stores: [QueriedStore]
  /// The names in the other databases.
  let unattached: [DatabaseNames]

  /// Finds the databases that a statement needs, or all databases if there are at most `limit`.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the statement needs more than `limit` databases, and
  ///   any error of reading the schema of a database.
  init(
    of stores: [QueriedStore], for sql: String, limit: Int, _ deadline: QueryDeadline
  ) throws {
    let databases = stores.filter(QueryConnection.isDatabase)
    guard databases.count > limit else {
      (self.stores, unattached) = (stores, [])
      return
    }
    let sql = TokenizedSQL(sql)
    guard !sql.readsAllDatabases else { throw Self.excess(databases.count, limit) }
    let listed = try databases.map { try DatabaseNames.reading($0, deadline) }
    let mentioned = sql.allNames
    // Without a store, SQLite prefers a store of named values.
    var bare = sql.bareNames.subtracting(
      stores.filter { !QueryConnection.isDatabase($0) }.map(\.name.folded))
    var needed: Set<ExactString> = []
    for names in listed {
      let found = bare.filter { names.contains($0) }
      bare.subtract(found)
      let store = names.store.folded
      if !found.isEmpty || mentioned.contains(store) { needed.insert(store) }
    }
    guard needed.count <= limit else { throw Self.excess(needed.count, limit) }
    self.stores = stores.filter {
      !QueryConnection.isDatabase($0) || needed.contains($0.name.folded)
    }
    unattached = listed.filter { !needed.contains($0.store.folded) }
  }

  private static func excess(_ count: Int, _ limit: Int) -> StorageError {
    .sqliteMisuse(
      """
      cannot run the statement: the statement needs \(count) databases, and SQLite attaches at \
      most \(limit) databases together
      """,
      suggestion: """
        query fewer stores in one statement; write the name of a store before each table, and \
        before the name of a PRAGMA
        """)
  }
}

extension TokenizedSQL {
  /// The names of the `PRAGMA` statements that read all databases if they name no store.
  private static let pragmasOfAllDatabases = [
    "database_list", "integrity_check", "quick_check", "table_list",
  ]

  /// The keywords, names and string literals, in lower case.
  fileprivate var allNames: Set<ExactString> {
    Set(tokens.filter { !$0.isPunctuation }.map(\.name))
  }

  /// The keywords, names and string literals that are not part of a qualified name such as
  /// `record.book`, in lower case.
  ///
  /// A name before a dot is that of a store, or of a table that the statement also contains without
  /// a dot after it.
  fileprivate var bareNames: Set<ExactString> {
    Set(
      tokens.indices.filter { !tokens[$0].isPunctuation && isUnqualified(at: $0) }
        .map { tokens[$0].name })
  }

  /// Whether the statement runs a `PRAGMA` that reads all databases.
  ///
  /// With only a part of the databases, its result would be incomplete.
  fileprivate var readsAllDatabases: Bool {
    let names = allNames
    return Self.pragmasOfAllDatabases.contains { pragma in
      names.contains("pragma_\(pragma)".exact)
        || tokens.indices.dropFirst().contains { index in
          tokens[index - 1].isWord("pragma") && tokens[index].isName(pragma)
        }
    }
  }
}
