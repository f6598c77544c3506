import UndercroftInspection

/// A rule that recognises tables without a primary key.
struct MissingKeyRule: AdviceRule {
  static let names = ["missing-key"]

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard store.hasTables else { return [] }
    let modules = store.tables.filter(\.isVirtual).map { $0.name.lowercased() + "_" }
    var found: [Advice] = []
    try store.forEachTable { table in
      let name = table.name.lowercased()
      // The tables of modules, such as those of full-text indexes, are not declared by the
      // application.
      guard table.keyColumns.isEmpty, !table.isVirtual, !table.columns.isEmpty,
        !modules.contains(where: { name.hasPrefix($0) }), !name.hasPrefix("undercroft"),
        try store.rowCount(of: table, limit: 2) == 2
      else { return }
      found.append(
        Advice(
          rule: "missing-key", store: store.name, table: table.name, subject: table.name,
          reason: """
            the table has no primary key, so its rows can be identified only by a number that \
            VACUUM may change
            """,
          fix: """
            CREATE TABLE with the column "id INTEGER PRIMARY KEY" or with a key of the present \
            columns, copy the rows with INSERT … SELECT, and rename it to \
            \(SQLIdentifier.quoted(table.name))
            """))
    }
    return found
  }
}
