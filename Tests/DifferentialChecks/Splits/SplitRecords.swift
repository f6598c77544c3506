import UndercroftRelational

// Items in several tables, each with a part of the columns or a part of the rows.

struct ItemBase: TableRecord {
  var id: Int64
  var a: Int
  var b: Int?
  var x: Double?

  static let table = Table(
    "base", ItemBase.init,
    Column("id", \.id).primaryKey(),
    Column("a", \.a),
    Column("b", \.b),
    Column("x", \.x))
}

struct ItemDetail: TableRecord {
  var itemID: Int64
  var s: String
  var t: String?

  static let table = Table(
    "detail", ItemDetail.init,
    Column("item_id", \.itemID).primaryKey(),
    Column("s", \.s).default("none"),
    Column("t", \.t).collated("NOCASE").default("Berlin", replacesNil: false))
}

/// An item with only two numbers and a string.
struct ShortItem: TableRecord {
  var id: Int64
  var a: Int
  var s: String

  static let table = Table(
    "short", ShortItem.init,
    Column("id", \.id).primaryKey(),
    Column("a", \.a),
    Column("s", \.s))

  /// The item in a union, where the other columns have their default values.
  var item: Item { Item(id: id, a: a, b: 7, x: nil, s: s, t: "Berlin") }
}

extension Item {
  /// Returns a table of items with default values for columns that the stored table lacks.
  static func defaulted(_ name: String) -> Table<Item> {
    Table(
      name, Item.init,
      Column("id", \.id).primaryKey(),
      Column("a", \.a),
      Column("b", \.b).default(7, replacesNil: false),
      Column("x", \.x),
      Column("s", \.s).default("none"),
      Column("t", \.t).collated("NOCASE").default("Berlin", replacesNil: false))
  }

  static let full = declared("full")
  static let whole = VerticalSplit(defaulted("whole"), of: ItemBase.table, ItemDetail.table)
  static let shortFirst = TableUnion(defaulted("list"), of: ShortItem.table, full)
  static let fullFirst = TableUnion(defaulted("other_list"), of: full, ShortItem.table)
  /// A union with the same name as one of its parts.
  static let namedLikePart = TableUnion(defaulted("full"), of: full, ShortItem.table)
  /// Partitions with the same name as the table ``plain``, as when rows move from a table to
  /// partitions.
  static let sameName = declared("item").partitioned(into: 2)
  static let spread = declared("spread").partitioned(into: 3)
  /// A declared table that is stored without the columns `b`, `x` and `t`.
  static let incomplete = defaulted("incomplete")
  /// Two declarations of a table that does not exist in the file.
  static let absent = (defaulted("absent"), defaulted("absent"))
}
