import UndercroftRelational

// Items in several tables: a part of the columns each, or a part of the rows.

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

/// An item of which two numbers and a text are stored.
struct ShortItem: TableRecord {
  var id: Int64
  var a: Int
  var s: String

  static let table = Table(
    "short", ShortItem.init,
    Column("id", \.id).primaryKey(),
    Column("a", \.a),
    Column("s", \.s))

  /// What a list has of it, of which the other columns have their defaults.
  var item: Item { Item(id: id, a: a, b: 7, x: nil, s: s, t: "Berlin") }
}

extension Item {
  /// Items with defaults for columns that a table lacks.
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
  /// A union that has the name of its part.
  static let namedLikePart = TableUnion(defaulted("full"), of: full, ShortItem.table)
  /// The whole has the name of the table ``plain``, as when rows move from a table into partitions.
  static let sameName = declared("item").partitioned(into: 2)
  static let spread = declared("spread").partitioned(into: 3)
  /// A table that the file has without the columns `b`, `x` and `t`.
  static let incomplete = defaulted("incomplete")
  /// Two declarations of a table that the file does not have.
  static let absent = (defaulted("absent"), defaulted("absent"))
}
