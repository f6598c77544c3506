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
        "cannot search \(quoted(name)): this table is derived from other tables",
        suggestion: "search each of the tables from which the derived table reads")
    }
    guard let fullText, let companion = FullTextCompanion(of: self) else {
      throw StorageError.table(
        "cannot search \(quoted(name)): the declaration of this table has no full-text index",
        suggestion: "declare the searched columns in the table, such as fullText(\\.title)")
    }
    if try companion.isSearchable(in: db) {
      db.markVerified(searchToken)
      return nil
    }
    guard try !db.tableExists(name) || isEmpty(in: db) else {
      throw StorageError.table(
        """
        cannot search \(quoted(name)): the full-text index of this table is missing in the file, \
        or differs from the declaration
        """,
        suggestion: """
          to build the index, call prepare() on the DataCenter at launch, or prepare(in: db) on \
          the table inside write { db in … }
          """)
    }
    return ReadSubstitute(
      empty: fullText.companionName,
      columns: [fullText.companionName, "rowid", "rank"] + fullText.columns)
  }
}
