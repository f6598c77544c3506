import CSQLite
import UndercroftCore

/// The names of the tables and columns that a statement can use, for suggestions.
struct QueryNames {
  private static let shownCount = 10

  private struct Table {
    let schema: String
    let name: String
    /// The name as a statement can spell it.
    let spelling: String
  }

  private let connection: QueryConnection
  /// The tables of the attached databases.
  private let tables: [Table]
  /// The tables of the databases that are not attached, because the statement does not name them.
  private let unattachedTables: [Table]

  init(of connection: QueryConnection) {
    self.connection = connection
    let databases = connection.databases.filter { $0.role != .soleAlias }
    tables = databases.flatMap { database in
      Statement.internalQuery(
        """
        SELECT name FROM pragma_table_list
        WHERE schema = ? AND type IN ('table', 'view', 'virtual')
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY name
        """, [database.schema], on: connection.raw
      ) { row in
        let name = Self.text(row)
        let schema = database.isQualified ? database.schema.spelledIdentifier + "." : ""
        return Table(
          schema: database.schema, name: name, spelling: schema + name.spelledIdentifier)
      }
    }
    unattachedTables = connection.unattached.flatMap { names in
      names.suggestedTables.map { name in
        Table(
          schema: names.store, name: name,
          spelling: "\(names.store.spelledIdentifier).\(name.spelledIdentifier)")
      }
    }
  }

  /// Returns the name at the end of a message of SQLite, or `nil` if the message has another form.
  ///
  /// Versions of SQLite since 3.41 write quotes and a hint after the name of a column.
  static func subject(of message: String, after prefix: String) -> String? {
    guard message.utf8.starts(with: prefix.utf8) else { return nil }
    var name = String(message.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
    if let hint = name.firstRange(of: " - should this be ") {
      name = String(name[..<hint.lowerBound])
    }
    let scalars = name.unicodeScalars
    if scalars.count > 1, scalars.first == "\"", scalars.last == "\"" {
      return String(scalars.dropFirst().dropLast())
    }
    return name
  }

  /// Returns the suggestion for a table that does not exist.
  func suggestion(forTable name: String) -> String {
    let tables = tables + unattachedTables
    guard !tables.isEmpty else { return "create a table first; the stores have no tables" }
    let nearest = Self.nearest(
      to: name, in: tables.map { ($0.spelling, [$0.name, "\($0.schema).\($0.name)"]) })
    let named = tables.filter {
      name.folded.text.utf8.starts(with: ($0.schema.folded.text + ".").utf8)
    }
    return Self.suggestion(
      nearest, "the tables are \(Self.list((named.isEmpty ? tables : named).map(\.spelling)))")
  }

  /// Returns the suggestion for a column that does not exist.
  func suggestion(forColumn name: String, in sql: TokenizedSQL) -> String {
    let mentioned = tables.filter { sql.mentions($0.name) }
    let columns = mentioned.map { table in
      let names = Statement.internalQuery(
        "SELECT name FROM pragma_table_xinfo(?, ?) WHERE hidden <> 1 ORDER BY cid",
        [table.name, table.schema], on: connection.raw
      ) { Self.text($0) }
      return (table: table.spelling, names: names)
    }
    let candidates = columns.flatMap(\.names).map { column in
      (column.spelledIdentifier, [column] + mentioned.map { "\($0.name).\(column)" })
    }
    let lists = columns.prefix(Self.shownCount).map { columns in
      """
      the columns of \(StorageError.printable(columns.table)) are \
      \(Self.list(columns.names.map(\.spelledIdentifier)))
      """
    }
    let isQuoted = sql.tokens.contains { $0.kind == .name && $0.isName(name) }
    let quotes = isQuoted ? ["write a text in single quotes if the name is meant as a text"] : []
    let texts = quotes + (lists.isEmpty ? ["check the spelling of the column"] : lists)
    return Self.suggestion(
      Self.nearest(to: name, in: candidates), texts.joined(separator: "; "))
  }

  private static func suggestion(_ nearest: String?, _ text: String) -> String {
    guard let nearest else { return text }
    return "did you mean \(StorageError.printable(nearest))? \(text)"
  }

  /// Returns the spelling of the candidate one of whose forms is most similar to `name`, without
  /// regard to the case of ASCII letters.
  ///
  /// Returns `nil` if no form is similar.
  private static func nearest(
    to name: String, in candidates: [(spelling: String, forms: [String])]
  ) -> String? {
    let limit = (name.unicodeScalars.count + 2) / 3
    let folded = name.folded.text
    let distances = candidates.compactMap { candidate in
      candidate.forms.compactMap {
        EditDistance.between(folded, $0.folded.text, limit: limit)
      }.min().map { (candidate.spelling, $0) }
    }
    return distances.min { $0.1 < $1.1 }?.0
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(shownCount).map { StorageError.printable($0) }
    let rest = names.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func text(_ row: OpaquePointer) -> String {
    sqlite3_column_text(row, 0).map { String(cString: $0) } ?? ""
  }
}

extension String {
  /// The string as an SQL identifier, in quotes only if the identifier needs quotes.
  ///
  /// A keyword of SQL is not recognised, so use this property only for texts that a person reads.
  var spelledIdentifier: String {
    let isWord = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: byte > 127
      }
    }
    let startsWithDigit = utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isWord && startsWithDigit == false ? self : quotedIdentifier
  }
}
