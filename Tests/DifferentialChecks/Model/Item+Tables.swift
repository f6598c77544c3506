import UndercroftRelational

extension Item {
  static let plain = declared("item")
  static let other = declared("other")
  static let strict = declared("strict_item").strict()
  static let indexed = declared("indexed_item")
    .indexed(\.a).indexed(\.b, \.a).indexed(\.s).indexed(\.t).indexed(\.x, \.t)
    .indexed(\.b, where: "a > 0")

  static func declared(_ name: String) -> Table<Item> {
    Table(
      name, Item.init,
      Column("id", \.id).primaryKey(),
      Column("a", \.a),
      Column("b", \.b),
      Column("x", \.x),
      Column("s", \.s),
      Column("t", \.t).collated("NOCASE"))
  }
}
