public import UndercroftSQLite

/// A read-only list of the rows of several tables with different records, decoded as one type.
///
/// ```swift
/// struct Offer {
///   var title: String
///   var price: Int
///   var kind: String
///
///   static let all = TableUnion(
///     Table("offer", Offer.init,
///       Column("title", \.title), Column("price", \.price), Column("kind", \.kind)),
///     of: SecondHandHome.table, NewHome.table, origin: "kind")
/// }
/// let cheap = try Offer.all.where { $0.price < 500 }.order { $0.price }.limit(20).fetchAll(in: db)
/// ```
///
/// The declaration describes the columns of the list. The file contains no table with this
/// declaration. Write to each of the tables separately. Columns are matched by name. In the rows of
/// a table that lacks a column, the column has its default value, or NULL.
public struct TableUnion<Record>: TableRows {
  /// The list as a read-only table, which can be joined and filtered.
  public let table: Table<Record>

  /// Creates a list of the rows of several tables.
  ///
  /// - Parameters:
  ///   - list: The name and the columns of the list.
  ///   - part: The tables that contain the rows.
  ///   - origin: The text column of the list that contains the name
  ///     of each row's table, or `nil` if there is no such column.
  public init<each Part>(
    _ list: Table<Record>, of part: repeat Table<each Part>, origin: String? = nil
  ) {
    var parts: [TableDefinition] = []
    for part in repeat each part { parts.append(part.definition) }
    let rows = UnionRows(tables: parts, origin: origin)
    table = Table(list.definition.named(list.name, from: .derived(rows)), list.codec)
  }

  public var all: TableQuery<Record> { table.all }

  /// Returns all records, in the order of the primary key that the list declares.
  ///
  /// If the list declares no key, the records are in the order of the tables.
  public func fetchAll(in db: Connection) throws -> [Record] {
    try table.fetchAll(in: db)
  }
}

/// The rows of several tables, in the order of the tables.
private struct UnionRows: DerivedRows {
  let tables: [TableDefinition]
  let origin: String?

  func ensureSchema(in db: Connection) throws {
    for table in tables { try table.ensureSchema(in: db) }
  }

  func query(as list: TableDefinition, in db: Connection) throws -> SQL {
    try list.union(of: tables, origin: origin, in: db)
  }
}
