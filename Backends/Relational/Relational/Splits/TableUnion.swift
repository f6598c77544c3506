public import UndercroftSQLite

/// Several tables with different records, read as one list of one type: a horizontal split by type.
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
/// What is declared is what the list shows, and no table of its own; each table is written by itself. A column is found in a table by its name,
/// and one that a table lacks reads as its default, or as no value.
public struct TableUnion<Record>: TableRows {
  /// The list, to be read as a table is: it can be joined and narrowed, and never written.
  public let table: Table<Record>

  /// Declares a list of what tables have in common.
  ///
  /// - Parameter origin: the column of the list, a text, that says which table a row is of.
  public init<each Part>(
    _ list: Table<Record>, of part: repeat Table<each Part>, origin: String? = nil
  ) {
    var parts: [TableDefinition] = []
    for part in repeat each part { parts.append(part.definition) }
    let tables = parts
    let rows = TableSource.derived { whole, db in
      try whole.union(of: tables, origin: origin, in: db)
    }
    table = Table(list.definition.named(list.name, from: rows), list.codec)
  }

  public var all: TableQuery<Record> { table.all }

  /// Returns all records, those of the first table first unless the list declares a key.
  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    try table.fetchAll(in: db)
  }
}
