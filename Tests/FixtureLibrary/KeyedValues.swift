package import Foundation
package import Undercroft

/// The values that the fixtures of all stores for names and values hold.
package enum KeyedValues {
  /// One value and its name.
  package typealias Entry = (name: String, value: Data)

  private static let longName = String(repeating: "Ä", count: 40)

  /// The first batch, which a snapshot holds where the store has one.
  package static let first: [StorageChange] = [
    .set("author/1", Data("Ursula K. Le Guin".utf8)), .set("author/2", Data()),
    .set("loan/1", Data(0...255)), .set("ü/reader", Data(repeating: 7, count: 700)),
  ]

  /// The second batch: it adds, replaces and removes.
  package static let second: [StorageChange] = [
    .set("loan/2", Data("Emma".utf8)), .remove("author/2"), .set("loan/1", Data(count: 5)),
    .set(longName, Data("a long name".utf8)),
  ]

  /// What a store holds after the first batch, in the order of its names.
  package static let afterFirst: [Entry] = [
    ("author/1", Data("Ursula K. Le Guin".utf8)), ("author/2", Data()),
    ("loan/1", Data(0...255)), ("ü/reader", Data(repeating: 7, count: 700)),
  ]

  /// What a store holds after both batches, in the order of its names.
  package static let afterSecond: [Entry] = [
    ("author/1", Data("Ursula K. Le Guin".utf8)), ("loan/1", Data(count: 5)),
    ("loan/2", Data("Emma".utf8)), (longName, Data("a long name".utf8)),
    ("ü/reader", Data(repeating: 7, count: 700)),
  ]

  /// The value that a test adds to a fixture; its name comes last in the order.
  package static let addition: Entry = ("ü/reader/2", Data("Persuasion".utf8))
}
