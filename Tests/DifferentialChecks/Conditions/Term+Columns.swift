import UndercroftRelational

extension Term {
  /// Returns a column of one of the tables.
  static func column(
    _ name: String, _ path: any KeyPath<Item, Value> & Sendable, of side: Int = 0,
    _ collation: Collation? = nil, _ cell: @escaping @Sendable (Item) -> Cell
  ) -> Term {
    Term("$\(side).\(name)", collation.map { ($0, false) }) { columns in
      columns[side][dynamicMember: path]
    } model: { rows in
      rows[side].map(cell) ?? .null
    }
  }
}

extension Term where Value == Int {
  static func a(_ side: Int) -> Term { column("a", \.a, of: side) { Cell($0.a) } }
}
extension Term where Value == Int? {
  static func b(_ side: Int) -> Term { column("b", \.b, of: side) { Cell($0.b) } }
}
extension Term where Value == Double? {
  static func x(_ side: Int) -> Term { column("x", \.x, of: side) { Cell($0.x) } }
}
extension Term where Value == String {
  static func s(_ side: Int) -> Term { column("s", \.s, of: side, .binary) { Cell($0.s) } }
}
extension Term where Value == String? {
  static func t(_ side: Int) -> Term { column("t", \.t, of: side, .noCase) { Cell($0.t) } }
}
