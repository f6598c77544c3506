extension TableInspection {
  /// Returns the columns of a table in which no two rows have the same value, other than NULL.
  ///
  /// The result does not contain the primary key. (`PRAGMA index_list`, `PRAGMA index_info`)
  static func uniqueColumns(of table: String, in connection: Connection) -> [String] {
    names(
      """
      SELECT name FROM pragma_table_xinfo(\(table)) WHERE cid IN (
        SELECT min(part.cid)
        FROM pragma_index_list(\(table)) AS list, pragma_index_info(list.name) AS part
        WHERE list."unique" AND NOT list.partial AND list.origin <> 'pk'
        GROUP BY list.name HAVING count(*) = 1)
      ORDER BY cid
      """, connection)
  }

  /// Returns the columns of a table that can be NULL.
  ///
  /// A primary key without an index is the rowid, which is never NULL. SQLite permits NULL in other
  /// primary keys of tables with rowids, unless they are declared `NOT NULL`.
  static func nullableColumns(of table: String, in connection: Connection) -> [String] {
    names(
      """
      SELECT name FROM pragma_table_xinfo(\(table))
      WHERE NOT "notnull" AND hidden IS NOT \(hidden) AND NOT (
        pk AND NOT EXISTS (SELECT 1 FROM pragma_index_list(\(table)) WHERE origin = 'pk'))
      ORDER BY cid
      """, connection)
  }
}
