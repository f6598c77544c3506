import UndercroftCore
import UndercroftSQLite

extension TableDefinition {
  /// Returns what stands in for the table's words where a reader finds none kept and no row, as a part of a `WITH` clause.
  ///
  /// - Throws: ``StorageError/Code/misuse`` where rows are there whose words are not kept yet, as a reader cannot see to that.
  func searchStandIn(in db: borrowing Connection) throws -> SQL? {
    guard let fullText, let companion = FullTextCompanion(of: self) else {
      throw StorageError(
        .misuse, "cannot search \(quoted(name)): no full text is declared",
        cure: "declare which columns are searched: fullText(\\.title)", backend: "sqlite")
    }
    if db.isMarked(searchMark) { return nil }
    if try companion.isInLine(in: db) {
      db.mark(searchMark)
      return nil
    }
    guard try !db.tableExists(name) || isEmpty(in: db) else {
      throw StorageError(
        .misuse, "cannot search \(quoted(name)): the words of its rows are not kept yet",
        cure:
          "call prepare() of the data center when the application opens, or prepare(in:) of the table in a write",
        backend: "sqlite")
    }
    let columns = [fullText.companionName, "rowid", "rank"] + fullText.columns
    let nothing = columns.map { _ in "NULL" }.joined(separator: ", ")
    return SQL(
      unchecked:
        "\(fullText.companionName.asName)(\(SchemaText.list(columns))) AS (SELECT \(nothing) WHERE 0)"
    )
  }
}
