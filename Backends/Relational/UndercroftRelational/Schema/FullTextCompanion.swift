import UndercroftCore
import UndercroftSQLite

/// The FTS5 table that indexes the words of a declared table, together with the triggers that
/// update the FTS5 table.
struct FullTextCompanion {
  private let table: TableDefinition
  private let search: FullTextDefinition
  private let key: String

  init?(of table: TableDefinition) {
    guard let search = table.fullText, let key = table.rowIDColumn?.name else { return nil }
    (self.table, self.search, self.key) = (table, search, key)
  }

  private var name: String { search.companionName.quotedIdentifier }

  /// The statement that creates the FTS5 table.
  var text: String {
    let options = [
      "content=\(table.name.quotedLiteral)", "content_rowid=\(key.quotedLiteral)",
      "tokenize=\(search.tokenizer.quotedLiteral)",
    ]
    let arguments = search.columns.map(\.quotedIdentifier) + options
    return "CREATE VIRTUAL TABLE \(name) USING fts5(\(arguments.joined(separator: ", ")))"
  }

  /// Returns the statements that create and fill the FTS5 table, followed by the statements that
  /// create its log table and its triggers (see ``FullTextTriggers``).
  ///
  /// - Parameter uniqueSets: The unique sets of columns of the indexed table, by which the triggers
  ///   find the rows that `REPLACE` deletes.
  func creation(_ uniqueSets: [UniqueSet]) -> [String] {
    let triggers = FullTextTriggers(table, search, key: key, uniqueSets)
    return [text, "INSERT INTO \(name)(\(name)) VALUES ('rebuild')", triggers.dropLog]
      + triggers.statements
  }

  // MARK: Reconciling the file

  /// Returns whether the file has the FTS5 table and its triggers exactly as declared.
  func isVerified(in db: Connection) throws -> Bool {
    let triggers = FullTextTriggers(
      table, search, key: key, try UniqueSet.all(of: table.name, in: db))
    let texts = Set(try db.schema().compactMap(\.sql?.exact))
    return ([text] + triggers.statements).allSatisfy { texts.contains($0.exact) }
  }

  /// Returns whether the file has the FTS5 table and the triggers that update it.
  ///
  /// Triggers that an earlier version of this library created are accepted.
  func isSearchable(in db: Connection) throws -> Bool {
    let schema = try db.schema()
    let triggers = schema.filter { $0.kind == .trigger && SQLName.isSame($0.table, table.name) }
    let names = SQLName.folded(triggers.map(\.name))
    return schema.contains { $0.sql?.exact == text.exact }
      && ["insert", "delete", "update"].allSatisfy { event in
        names.contains(FullTextTriggers.name(search, event).folded)
      }
  }

  /// Verifies that no other table or view has the name of the FTS5 table.
  ///
  /// If the name belongs to an FTS5 table that remained after its indexed table was dropped, the
  /// FTS5 table is dropped.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if another table or view has the name.
  func requireName(in db: Connection) throws {
    let existing = try db.schema().first {
      ($0.kind == .table || $0.kind == .view) && SQLName.isSame($0.name, search.companionName)
    }
    guard let existing else { return }
    // This table remained after its indexed table was dropped. It stores no text, so dropping it
    // loses nothing.
    if existing.sql?.exact == text.exact {
      try QueryCommand.dropTable(existing.name).run(in: db)
      return
    }
    throw StorageError.table(
      """
      cannot create the full-text index of the table \(quoted(table.name)): the index needs the \
      name \(quoted(search.companionName)), but a \(existing.kind.rawValue) with another \
      definition already has this name
      """,
      suggestion: existing.kind == .view
        ? """
        drop the view \(quoted(search.companionName)), and create it again under another name if \
        it is still needed
        """
        : """
        rename the table \(quoted(search.companionName)), or drop it if its content is no longer \
        needed
        """)
  }

  /// Creates a missing FTS5 table, rebuilds an FTS5 table that differs from its declaration, and
  /// drops an FTS5 table that is no longer declared.
  static func align(_ table: TableDefinition, in db: Connection) throws {
    let companion = Self(of: table)
    if let companion, try companion.isVerified(in: db) { return }
    let schema = try db.schema()
    let triggers = schema.filter {
      $0.kind == .trigger && SQLName.isSame($0.table, table.name)
        && $0.name.utf8.starts(with: IndexNames.prefix.utf8)
        && $0.name.contains(FullTextDefinition.companionName(of: "") + ".")
    }
    // The table may have been renamed, so its former triggers show which FTS5 table belongs to it.
    let targets = Set(triggers.compactMap { $0.sql.flatMap(target(ofTrigger:)) })
    for trigger in triggers { try db.execute("DROP TRIGGER \(identifier: trigger.name)") }
    for existing in schema
    where existing.kind == .table && targets.contains(SQLName.folded(existing.name)) {
      // Raw SQL may have changed a trigger. Only virtual tables and declared tables
      // are dropped, because other tables do not belong to the full-text index.
      let isVirtual = existing.sql?.exact.begins(with: "CREATE VIRTUAL TABLE") == true
      if isVirtual || existing.isDeclared { try QueryCommand.dropTable(existing.name).run(in: db) }
    }
    guard let companion else { return }
    try companion.requireName(in: db)
    let uniqueSets = try UniqueSet.all(of: table.name, in: db)
    for statement in companion.creation(uniqueSets) { try db.execute(SQL(unchecked: statement)) }
  }

  /// Returns the name of the table that a trigger writes to, or `nil` if the name cannot be found.
  private static func target(ofTrigger sql: String) -> ExactString? {
    let tokens = SQLTokenizer.split(sql)
    guard let index = tokens.firstIndex(where: { $0.isWord("into") }),
      tokens.indices.contains(index + 1)
    else { return nil }
    return tokens[index + 1].name
  }
}
