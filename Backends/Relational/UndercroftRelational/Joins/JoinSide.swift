public import UndercroftSQLite

/// A table of a join, and the type of the element that each row of the join contains for this
/// table.
public protocol JoinSide: Sendable {
  /// The type of the table's records.
  associatedtype Record
  /// The type of the element that each row of the join contains for the table: a record, or an
  /// optional record.
  associatedtype Element
  /// The type of the table's columns in the closures of later calls, such as `where`: ``Columns``
  /// or ``OptionalColumns``.
  associatedtype JoinedColumns
  /// The table and its alias in the join.
  var joined: JoinedTable<Record> { get }
  /// The columns of the table, qualified by its alias.
  var columns: JoinedColumns { get }
  /// The columns of the table that the join selects.
  var selection: [SQL] { get }
  /// Decodes the element of a row from the columns that start at `position`, and advances
  /// `position` beyond these columns.
  func read(_ row: borrowing Row, _ position: inout Int) throws -> Element
}

/// A table and its alias in a join.
public struct JoinedTable<Record>: Sendable {
  let table: Table<Record>
  let alias: String

  var columns: Columns<Record> { Columns(names: table.codec.names, alias: alias) }

  var selection: [SQL] {
    table.definition.columns.map { "\(identifier: alias).\(identifier: $0.name)" }
  }

  func read(_ row: borrowing Row, _ position: inout Int) throws -> Record {
    defer { position += table.definition.columns.count }
    return try table.codec.decode(row, position)
  }
}

/// A table of a join that contributes one record to each row.
public struct Joined<Record>: JoinSide {
  public let joined: JoinedTable<Record>

  public var columns: Columns<Record> { joined.columns }

  public var selection: [SQL] { joined.selection }

  public func read(_ row: borrowing Row, _ position: inout Int) throws -> Record {
    try joined.read(row, &position)
  }
}

/// A table that a left join adds, and that contributes a record or `nil` to each row.
public struct OptionallyJoined<Record>: JoinSide {
  public let joined: JoinedTable<Record>

  public var columns: OptionalColumns<Record> { OptionalColumns(columns: joined.columns) }

  /// The name of a column that a left join adds to the table.
  ///
  /// The value of this column is 1 in each row of the table, and NULL if the left join finds no
  /// matching row.
  static var presenceColumn: String { "undercroft_present" }

  public var selection: [SQL] {
    ["\(identifier: joined.alias).\(identifier: Self.presenceColumn)"] + joined.selection
  }

  public func read(_ row: borrowing Row, _ position: inout Int) throws -> Record? {
    // A record can exist even if all of its columns are NULL.
    let isPresent = try row.value(at: position) != .null
    position += 1
    if isPresent { return try joined.read(row, &position) }
    position += joined.table.definition.columns.count
    return nil
  }
}
