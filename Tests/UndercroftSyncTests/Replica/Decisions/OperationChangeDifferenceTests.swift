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

  @Test func `equal rows differ in nothing`() {
    #expect(difference(Self.row, Self.row) == nil)
    #expect(difference(nil, nil) == nil)
  }

  @Test func `a new row is an insertion with all values`() {
    #expect(
      difference(nil, Self.row)
        == .insert(["title": .text("Dune"), "note": .null], counters: ["copies": 3]))
  }

  @Test func `a missing row is a deletion`() {
    #expect(difference(Self.row, nil) == .delete)
  }

  @Test func `an update contains only the columns that differ`() {
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
  func `values are compared by their types and bytes`(before: SyncValue, after: SyncValue) {
    #expect(difference(["title": before], ["title": after]) == .update(["title": after]))
  }

  @Test func `increments are computed modulo 2^64`() {
    let change = difference(["copies": .integer(.min)], ["copies": .integer(.max)])

    #expect(change == .update(increments: ["copies": -1]))
  }

  @Test func `a counter that is no integer counts as 0`() {
    #expect(
      difference(["copies": .null], ["copies": .integer(2)]) == .update(increments: ["copies": 2]))
    #expect(
      difference(["copies": .integer(2)], ["copies": .text("two")])
        == .update(increments: ["copies": -2]))
    #expect(difference(nil, ["copies": .text("two")]) == .insert([:], counters: ["copies": 0]))
    #expect(difference(nil, ["copies": .null]) == .insert([:]))
  }

  @Test func `a difference that is folded over the row before is the row after`() {
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
