import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Inserts every record.
  public func insert(_ records: some Sequence<Record>, in db: borrowing Connection) throws {
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    try db.prepare(SQL(unchecked: "INSERT INTO \"\(name)\" (\(names)) VALUES (\(places))")) {
      insert in
      for record in records {
        try bind(record, to: insert)
        try insert.run()
      }
    }
  }

  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return try db.query(SQL(unchecked: "SELECT \(names) FROM \"\(name)\"")) { row in try decode(row)
    }
  }
}
