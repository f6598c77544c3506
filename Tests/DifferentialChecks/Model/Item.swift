/// The record of most modes: a number, an optional number, a floating-point number, and two strings
/// with different collations.
struct Item: Equatable, Sendable {
  var id: Int64
  var a: Int
  var b: Int?
  var x: Double?
  /// A string that is compared byte by byte.
  var s: String
  /// A string that is compared without regard to the case of A to Z.
  var t: String?

  /// The columns in the order of the declaration.
  var cells: [Cell] { [.integer(id), Cell(a), Cell(b), Cell(x), Cell(s), Cell(t)] }
}

extension Item: CustomStringConvertible {
  var description: String { "(\(cells.map(\.description).joined(separator: ", ")))" }
}

extension Sequence<Item> {
  /// The items in the order of their keys.
  var byKey: [Item] { sorted { $0.id < $1.id } }
}
