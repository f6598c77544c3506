package import Foundation
package import Undercroft

/// The values in the fixtures of all key-value stores.
package enum KeyedValues {
  /// The name of a value, and the bytes of the value.
  package typealias Entry = (name: String, value: Data)

  private static let longName = String(repeating: "Ä", count: 40)

  /// The first batch of changes, whose values are in the snapshot if the store has snapshots.
  package static let first: [StorageChange] = [
    .set("author/1", Data("Ursula K. Le Guin".utf8)), .set("author/2", Data()),
    .set("loan/1", Data(0...255)), .set("ü/reader", Data(repeating: 7, count: 700)),
  ]

  /// The second batch of changes, which adds, replaces and removes values.
  package static let second: [StorageChange] = [
    .set("loan/2", Data("Emma".utf8)), .remove("author/2"), .set("loan/1", Data(count: 5)),
    .set(longName, Data("a long name".utf8)),
  ]

  /// The contents of a store after the first batch, sorted by name.
  package static let afterFirst: [Entry] = [
    ("author/1", Data("Ursula K. Le Guin".utf8)), ("author/2", Data()),
    ("loan/1", Data(0...255)), ("ü/reader", Data(repeating: 7, count: 700)),
  ]

  /// The contents of a store after both batches, sorted by name.
  package static let afterSecond: [Entry] = [
    ("author/1", Data("Ursula K. Le Guin".utf8)), ("loan/1", Data(count: 5)),
    ("loan/2", Data("Emma".utf8)), (longName, Data("a long name".utf8)),
    ("ü/reader", Data(repeating: 7, count: 700)),
  ]

  /// The value that a test adds to a fixture.
  ///
  /// Its name follows all other names in the order of the store.
  package static let addition: Entry = ("ü/reader/2", Data("Persuasion".utf8))
}
