import UndercroftCore
import UndercroftSQLite

/// The FTS5 table that keeps the words of a declared table, and the triggers that keep it in step.
struct FullTextCompanion {
  private let table: TableDefinition
  private let search: FullTextDefinition
  private let key: String

  init?(of table: TableDefinition) {
    guard let search = table.fullText, let key = table.rowIDColumn?.name else { return nil }
    (self.table, self.search, self.key) = (table, search, key)
  }

  private var name: String { search.companionName.asName }

  /// The statement that makes the companion itself.
  var text: String {
    let options = [
      "content=\(table.name.asText)", "content_rowid=\(key.asText)",
      "tokenize=\(search.tokenizer.asText)",
    ]
    let arguments = search.columns.map(\.asName) + options
    return "CREATE VIRTUAL TABLE \(name) USING fts5(\(arguments.joined(separator: ", ")))"
  }

  /// The statements that make and fill it, and then its triggers.
  var creation: [String] {
    [text, "INSERT INTO \(name)(\(name)) VALUES ('rebuild')"] + triggers
  }

  /// The triggers, by which a companion is known to be one.
  private var triggers: [String] {
    let begin = "CREATE TRIGGER"
    let on = "ON \(table.quotedName)"
    return [
      "\(begin) \(trigger("insert")) AFTER INSERT \(on) BEGIN \(adding) END",
      "\(begin) \(trigger("delete")) AFTER DELETE \(on) BEGIN \(removing) END",
      """
      \(begin) \(trigger("update")) AFTER UPDATE \(on) WHEN \(isChanged) \
      BEGIN \(removing) \(adding) END
      """,
    ]
  }

  private func trigger(_ event: String) -> String {
    "\(IndexNames.prefix)\(search.companionName).\(event)".asName
  }

  private var adding: String {
    let columns = SchemaText.list(search.columns)
    return "INSERT INTO \(name)(rowid, \(columns)) VALUES (\(values("new")));"
  }

  /// Such a table forgets a row when it is told what it knew of it.
  private var removing: String {
    let columns = SchemaText.list(search.columns)
    return
      "INSERT INTO \(name)(\(name), rowid, \(columns)) VALUES ('delete', \(values("old")));"
  }

  private func values(_ row: String) -> String {
    ([key] + search.columns).map { "\(row).\($0.asName)" }.joined(separator: ", ")
  }

  /// Letter by letter, whatever the collation of a column.
  private var isChanged: String {
    ([key] + search.columns).map { name in
      let name = name.asName
      return "old.\(name) IS NOT new.\(name) COLLATE BINARY"
    }
    .joined(separator: " OR ")
  }

  // MARK: In the file

  /// Whether the file has it, and its triggers, as they are declared.
  func isInLine(in db: borrowing Connection) throws -> Bool {
    let texts = Set(try db.schema().compactMap(\.sql?.exact))
    return ([text] + triggers).allSatisfy { texts.contains($0.exact) }
  }

  /// Throws where its name is taken by something that no declaration made.
  func requireName(in db: borrowing Connection) throws {
    let found = try db.schema().first {
      ($0.kind == .table || $0.kind == .view) && SQLName.isSame($0.name, search.companionName)
    }
    guard let found else { return }
    // Left over from a table that was dropped: it has no contents of its own.
    if found.sql?.exact == text.exact {
      try QueryCommand.dropTable(found.name).run(in: db)
      return
    }
    throw StorageError(
      .misuse,
      """
      cannot keep the words of \(quoted(table.name)): there is another table \
      \(quoted(search.companionName)), which was not made for that
      """, cure: "give that table another name, or drop it", backend: "sqlite")
  }

  /// Makes what is declared, makes anew what is declared otherwise, and drops what is declared no longer.
  static func align(_ table: TableDefinition, in db: borrowing Connection) throws {
    let companion = Self(of: table)
    if let companion, try companion.isInLine(in: db) { return }
    let schema = try db.schema()
    let triggers = schema.filter {
      $0.kind == .trigger && SQLName.isSame($0.table, table.name)
        && $0.name.utf8.starts(with: IndexNames.prefix.utf8)
        && $0.name.contains(FullTextDefinition.companionName(of: "") + ".")
    }
    // The table may have had another name; its triggers tell what they write to.
    let targets = Set(triggers.compactMap { $0.sql.flatMap(target(ofTrigger:)) })
    for trigger in triggers { try db.execute("DROP TRIGGER \(identifier: trigger.name)") }
    for found in schema where found.kind == .table && targets.contains(SQLName.folded(found.name)) {
      // Somebody may have changed a trigger, and what is no index of words is nobody's to drop.
      let isVirtual = found.sql?.hasPrefix("CREATE VIRTUAL TABLE") == true
      if isVirtual { try QueryCommand.dropTable(found.name).run(in: db) }
    }
    guard let companion else { return }
    try companion.requireName(in: db)
    for statement in companion.creation { try db.execute(SQL(unchecked: statement)) }
  }

  /// The table that a trigger writes to.
  private static func target(ofTrigger sql: String) -> ExactString? {
    let tokens = SQLTokens.split(sql)
    guard let place = tokens.firstIndex(where: { $0.isWord("into") }),
      tokens.indices.contains(place + 1)
    else { return nil }
    return tokens[place + 1].name
  }
}
