import Testing
import UndercroftCore
import UndercroftSync

@Suite struct OverlayTests {
  private static let shadow: FieldValues = ["title": .text("Dune"), "loans": .integer(3)]

  @Test func `without local operations, the application sees the server's row`() {
    #expect(Overlay().fold(over: Self.shadow) == Self.shadow)
    #expect(Overlay().fold(over: nil) == nil)
    #expect(!Overlay().isDirty)
  }

  @Test func `a local insertion creates a row with the inserted values and counters`() {
    let overlay = Overlay([.insert(["title": .text("Emma")], counters: ["loans": 4])])

    #expect(overlay.fold(over: nil) == ["title": .text("Emma"), "loans": .integer(4)])
    #expect(overlay.isDirty)
  }

  @Test
  func `inserting a row that exists on the server sets its values and adds to its counters`() {
    let overlay = Overlay([.insert(["title": .text("Emma")], counters: ["loans": 4])])

    #expect(overlay.fold(over: Self.shadow) == ["title": .text("Emma"), "loans": .integer(7)])
  }

  @Test
  func `an added column gets its default in a locally inserted row unless the server has the row`()
  {
    var overlay = Overlay([.insert(["title": .text("Emma")])])
    overlay.addedColumns = ["note": .text("none"), "title": .null]

    #expect(overlay.fold(over: nil) == ["title": .text("Emma"), "note": .text("none")])
    #expect(overlay.fold(over: Self.shadow) == ["title": .text("Emma"), "loans": .integer(3)])
  }

  @Test
  func
    `a local update replaces only the values that it lists and adds its increments to counters`()
  {
    let overlay = Overlay([
      .update(["note": .null], increments: ["loans": 1]), .update([:], increments: ["loans": -5]),
    ])

    #expect(
      overlay.fold(over: Self.shadow)
        == ["title": .text("Dune"), "note": .null, "loans": .integer(-1)])
  }

  @Test func `a counter value that is not an integer counts as 0`() {
    let overlay = Overlay([.update([:], increments: ["loans": 2, "pages": 1])])

    #expect(
      overlay.fold(over: ["loans": .null]) == ["loans": .integer(2), "pages": .integer(1)])
  }

  @Test func `a counter beyond 64 bits wraps around`() {
    let overlay = Overlay([.update([:], increments: ["loans": 1])])

    #expect(overlay.fold(over: ["loans": .integer(.max)]) == ["loans": .integer(.min)])
  }

  @Test func `a local deletion hides the server's row`() {
    let overlay = Overlay([.update(["title": .text("Emma")]), .delete])

    #expect(overlay.fold(over: Self.shadow) == nil)
    #expect(overlay.isDeleted)
  }

  @Test func `a local insertion after a deletion creates a row without the server's values`() {
    let overlay = Overlay([.delete, .insert(["title": .text("Emma")], counters: ["loans": 1])])

    #expect(overlay.fold(over: Self.shadow) == ["title": .text("Emma"), "loans": .integer(1)])
    #expect(!overlay.isDeleted)
  }

  @Test func `a local update does not restore a row that another replica has deleted`() {
    #expect(Overlay([.update(["title": .text("Emma")])]).fold(over: nil) == nil)
  }

  @Test
  func
    `a local update hides only the columns that it writes, and an insertion or deletion hides all`()
  {
    let all: Set<ExactString> = ["title", "note", "loans"]

    #expect(Overlay([.update(["note": .null])]).hiddenColumns(of: all) == ["note"])
    #expect(Overlay([.update(["note": .null]), .delete]).hiddenColumns(of: all) == all)
    #expect(Overlay([.insert([:])]).hiddenColumns(of: all) == all)
  }
}
