public import UndercroftSQLite

/// A table within a join, and what each row of that has of it.
public protocol JoinSide: Sendable {
  /// The records of the table.
  associatedtype Record
  /// What a row of the join has of them: a record, or perhaps one.
  associatedtype Element
  /// The table, under the name that it has in the join.
  var joined: JoinedTable<Record> { get }
  /// What is selected of it.
  var selection: [SQL] { get }
  /// Returns what a row has of it, from a position on, which goes on to what comes after.
  func read(_ row: borrowing Row, _ position: inout Int) throws -> Element
}

/// A table under the name that it has in a join.
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

/// A table of which every row of a join has a record.
public struct Joined<Record>: JoinSide {
  public let joined: JoinedTable<Record>

  public var selection: [SQL] { joined.selection }

  public func read(_ row: borrowing Row, _ position: inout Int) throws -> Record {
    try joined.read(row, &position)
  }
}

/// A table of which a row of a join has a record, or `nil` where none belongs to it.
public struct OptionallyJoined<Record>: JoinSide {
  public let joined: JoinedTable<Record>

  /// The name of a column that every row of the table has.
  static var mark: String { "undercroft_present" }

  public var selection: [SQL] {
    ["\(identifier: joined.alias).\(identifier: Self.mark)"] + joined.selection
  }

  public func read(_ row: borrowing Row, _ position: inout Int) throws -> Record? {
    // A record might have no value but NULL and be there nevertheless.
    let isPresent = try row.value(at: position) != .null
    position += 1
    if isPresent { return try joined.read(row, &position) }
    position += joined.table.definition.columns.count
    return nil
  }
}
