import UndercroftCore
import UndercroftSQLite

extension TableDefinition {
  /// Returns the common table expression that a query searches if the full-text index is missing,
  /// or `nil` if the index exists.
  ///
  /// The common table expression has no rows, because this function throws if the table has rows.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table is a derived table, if the table declares
  ///   no full-text index, or if the table has rows that are not indexed yet, because a read-only
  ///   connection cannot index the rows.
  func searchSubstitute(in db: Connection) throws -> ReadSubstitute? {
    if isDerived {
      throw StorageError.table(
        """
        cannot search the table \(quoted(name)): its rows are stored in other tables, so it has no \
        full-text index
        """,
        suggestion: "search each of the tables that store the rows")
    }
    guard let fullText, let companion = FullTextCompanion(of: self) else {
      throw StorageError.table(
        "cannot search the table \(quoted(name)): its declaration contains no full-text index",
        suggestion: """
          add a full-text index of the searched properties to the declaration, as in \
          .fullText(\\.title)
          """)
    }
    if try companion.isSearchable(in: db) {
      db.markVerified(searchToken)
      return nil
    }
    guard try !db.tableExists(name) || isEmpty(in: db) else {
      throw StorageError.table(
        """
        cannot search the table \(quoted(name)): its full-text index is missing in the database, \
        or differs from the declaration of the table
        """,
        suggestion: """
          to build the index, call prepare() on the DataCenter at launch, or prepare(in: db) on \
          the table inside write { db in … }, with a database that is not open read-only
          """)
    }
    return ReadSubstitute(
      empty: fullText.companionName,
      columns: [fullText.companionName, "rowid", "rank"] + fullText.columns)
  }
}
