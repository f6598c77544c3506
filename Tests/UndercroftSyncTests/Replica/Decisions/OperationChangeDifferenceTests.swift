import Foundation
import Testing
import UndercroftCore
import UndercroftSync

@Suite struct OperationChangeDifferenceTests {
  private static let row: FieldValues = [
    "title": .text("Dune"), "note": .null, "copies": .integer(3),
  ]

  private func difference(_ before: FieldValues?, _ after: FieldValues?) -> OperationChange? {
    .difference(from: before, to: after, counters: ["copies"])
  }

  @Test func `two equal rows have no difference`() {
    #expect(difference(Self.row, Self.row) == nil)
    #expect(difference(nil, nil) == nil)
  }

  @Test func `the difference from no row to a row is an insertion of all values`() {
    #expect(
      difference(nil, Self.row)
        == .insert(["title": .text("Dune"), "note": .null], counters: ["copies": 3]))
  }

  @Test func `the difference from a row to no row is a deletion`() {
    #expect(difference(Self.row, nil) == .delete)
  }

  @Test func `the difference between two rows is an update of only the columns that differ`() {
    var after = Self.row
    after["note"] = .text("torn")
    after["copies"] = .integer(1)

    #expect(
      difference(Self.row, after) == .update(["note": .text("torn")], increments: ["copies": -2]))
  }

  @Test(arguments: [
    (SyncValue.real(0), SyncValue.real(-0.0)), (.integer(1), .real(1)), (.text("1"), .integer(1)),
    (.text("\u{E9}"), .text("e\u{301}")), (.text(""), .null),
  ])
  func `values that differ only in type or bytes are different`(before: SyncValue, after: SyncValue)
  {
    #expect(difference(["title": before], ["title": after]) == .update(["title": after]))
  }

  @Test func `the increment of a counter is computed modulo 2^64`() {
    let change = difference(["copies": .integer(.min)], ["copies": .integer(.max)])

    #expect(change == .update(increments: ["copies": -1]))
  }

  @Test func `a counter value that is not an integer counts as 0 in a difference`() {
    #expect(
      difference(["copies": .null], ["copies": .integer(2)]) == .update(increments: ["copies": 2]))
    #expect(
      difference(["copies": .integer(2)], ["copies": .text("two")])
        == .update(increments: ["copies": -2]))
    #expect(difference(nil, ["copies": .text("two")]) == .insert([:], counters: ["copies": 0]))
    #expect(difference(nil, ["copies": .null]) == .insert([:]))
  }

  @Test func `applying the difference of two rows to the first row produces the second row`() {
    let rows: [FieldValues?] = [
      nil, Self.row, ["title": .real(1), "note": .blob(Data([1])), "copies": .integer(.max)],
    ]
    for before in rows {
      for after in rows {
        let changes = [difference(before, after)].compactMap(\.self)

        #expect(Overlay(changes).fold(over: before) == after)
      }
    }
  }
}
