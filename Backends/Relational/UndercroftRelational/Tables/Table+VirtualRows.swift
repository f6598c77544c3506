import UndercroftCore
import UndercroftSQLite

// Writes the rows that virtual records supply.

extension Table {
  func shown(
    by record: some VirtualRecord,
    _ assignments: (inout Assignments<Record>) throws -> Void = { _ in },
    skipsNil: Bool = false
  ) throws -> RowValues<Record> {
    var row = try VirtualRow(
      try record.values(for: definition), for: definition, statements, skipsNil: skipsNil)
    for assignment in try Assignments.made(by: assignments, of: self) { try row.set(assignment) }
    return row.row()
  }

  func shown(
    by record: some VirtualRecord, _ path: PartialKeyPath<Record>, _ value: (some ColumnValue)?,
    skipsNil: Bool = false
  ) throws -> RowValues<Record> {
    var row = try VirtualRow(
      try record.values(for: definition), for: definition, statements, skipsNil: skipsNil)
    for place in try places(of: [path]) { try row.set(place, to: try value.sqlValue()) }
    return row.row()
  }

  func insert(
    _ row: RowValues<Record>, in db: Connection, _ body: (borrowing Row) throws -> Void
  ) throws {
    let sql = DMLBuilder.insert(into: definition, row.places) + statements.returning
    try write(sql, .insert, in: db) { insert in
      try row.bind(row.places, insert)
    } _: { row in
      try body(row)
    }
  }

  func update(
    _ row: RowValues<Record>, in db: Connection, _ body: (borrowing Row) throws -> Void
  ) throws {
    try requireKey(of: row)
    let values = row.places.filter { !statements.keyPlaces.contains($0) }
    if values.isEmpty {
      throw StorageError.table(
        "cannot update \(quoted(name)): the record supplies no column except the key",
        suggestion:
          "name its properties as the columns are: \(definition.columns.map(\.name).joined(separator: ", "))"
      )
    }
    let sql = DMLBuilder.update(definition, values, where: statements.keyPlaces)
    try write(sql + statements.returning, .update, in: db) { update in
      try row.bind(values + statements.keyPlaces, update)
    } _: { row in
      try body(row)
    }
  }
}
