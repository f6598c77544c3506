public import UndercroftCore
public import UndercroftFoundation
public import UndercroftInspection

extension SQLiteBackend: TableInspectable {
  public func inspect() throws(StorageError) -> InspectionReport {
    try report(countingRows: true)
  }

  public func briefReport() throws(StorageError) -> InspectionReport {
    try report(countingRows: false)
  }

  private func report(countingRows: Bool) throws(StorageError) -> InspectionReport {
    let path = location?.path(percentEncoded: false)
    return try reading { (connection) throws(StorageError) in
      let pages = try connection.integer("PRAGMA page_count") ?? 0
      let size = try connection.integer("PRAGMA page_size") ?? 0
      return try Inspection.report(
        of: connection, byteCount: path.map(DatabaseFile.byteCount) ?? Int(pages * size),
        usesLog: path != nil, countingRows: countingRows)
    }
  }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try reading { (connection) throws(StorageError) in
      try table.exists(in: connection) ? try EntryTable.entries(prefix, in: connection) : []
    }
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }

  public func tables() throws(StorageError) -> [InspectedTable] { try tables(countingRows: true) }

  public func tables(countingRows: Bool) throws(StorageError) -> [InspectedTable] {
    try reading { (connection) throws(StorageError) in
      try TableInspection.tables(in: connection, countingRows: countingRows)
    }
  }

  public func rows(
    of table: String, offset: Int, limit: Int
  ) throws(StorageError) -> InspectedRows {
    try reading { (connection) throws(StorageError) in
      try TableInspection.rows(of: table, offset: offset, limit: limit, in: connection)
    }
  }
}
