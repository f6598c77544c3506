import Foundation
import Testing
import UndercroftInspection

/// Tests of tables on narrow terminals and of coloured tables.
@Suite struct TableWidthTests {
  private func lines(
    _ columns: [String], _ rows: [[ResultValue]], _ change: (inout OutputOptions) -> Void
  ) -> [String] {
    var options = OutputOptions()
    change(&options)
    return OutputFormat.table.text(columns, rows, options).split(separator: "\n").map(String.init)
  }

  @Test func `the widest column is shortened first, and narrow columns are complete`() {
    let rows: [[ResultValue]] = [[.text("blob"), .text(String(repeating: "x", count: 90)), .null]]

    let table = lines(["kind", "title", "note"], rows) { $0.width = 40 }

    #expect(table[1] == "blob  " + String(repeating: "x", count: 27) + "…  ·")
    #expect(DisplayWidth.of(table[1]) <= 40)
  }

  @Test func `a column of text has at least eight columns beside other columns`() {
    let long = ResultValue.text("Northanger Abbey")
    let rows = [[long, long, .text("Emma")]]

    let table = lines(["a", "b", "c"], rows) { $0.width = 24 }
    let narrower = lines(["a", "b", "c"], rows) { $0.width = 23 }

    #expect(table[1] == "Northan…  Northan…  Emma")
    #expect(narrower == ["a  Northanger Abbey", "b  Northanger Abbey", "c  Emma"])
  }

  @Test func `numbers are never shortened`() {
    let rows: [[ResultValue]] = [[.text("Northanger Abbey"), .integer(.min)]]

    let table = lines(["title", "id"], rows) { $0.width = 30 }
    let narrower = lines(["title", "id"], rows) { $0.width = 29 }

    #expect(table[1] == "Northan…  -9223372036854775808")
    #expect(narrower.last == "id     -9223372036854775808")
  }

  @Test func `text is shortened before names, and kinds last`() {
    let rows: [[ResultValue]] = [
      [.text("preference"), .text("cover/northanger-abbey.png"), .text("a long description")]
    ]

    let table = lines(["kind", "name", "text"], rows) { $0.width = 48 }
    let narrower = lines(["kind", "name", "text"], rows) { $0.width = 40 }

    #expect(table[1] == "preference  cover/northanger-abbey.png  a long …")
    #expect(narrower[1] == "preference  cover/…ey.png  a long descr…")
  }

  @Test func `a sentence in the last column is wrapped beside the others or below them`() {
    let rows: [[ResultValue]] = [
      [.text("blob"), .text("ok"), .text("1274 values read; the backend has no checksums")],
      [.text("preference"), .text("ok"), .absent],
    ]

    let beside = lines(["kind", "state", "reason"], rows) { $0.width = 50 }
    let below = lines(["kind", "state", "reason"], rows) { $0.width = 40 }

    #expect(
      beside == [
        "kind        state  reason", "blob        ok     1274 values read; the backend",
        "                   has no checksums", "preference  ok     -",
      ])
    #expect(
      below == [
        "kind        state", "    reason", "blob        ok",
        "    1274 values read; the backend has no", "    checksums", "preference  ok",
      ])
  }

  @Test func `rows whose columns do not fit are shown as blocks of lines`() {
    let columns = (1...6).map { "column\($0)" }
    let long = "A long title of a book that many readers have borrowed"
    let row = columns.map { _ in ResultValue.text(long) }

    var options = OutputOptions()
    options.width = 40
    let text = OutputFormat.table.text(columns, [row, row], options)

    let blocks = text.split(separator: "\n\n")
    #expect(blocks.count == 2)
    #expect(
      blocks[0].hasPrefix(
        "column1  A long title of a book that\n         many readers have borrowed\ncolumn2  "))
    #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of($0) <= 40 })
  }

  @Test func `a name that is wider than a third of the line stands above its value`() {
    let columns = ["the number of the loan in the library", "title", "a", "b", "c", "d"]
    let row = columns.map { _ in ResultValue.text("Northanger Abbey, in two volumes") }

    let table = lines(columns, [row]) { $0.width = 40 }

    #expect(
      table.prefix(3) == [
        "the number of the loan in the library", "       Northanger Abbey, in two volumes",
        "title  Northanger Abbey, in two volumes",
      ])
  }

  @Test func `a very long value in a block ends with an ellipsis`() {
    let text = String(repeating: "x", count: 1_000)
    let columns = (1...6).map { "column\($0)" }

    let table = lines(columns, [columns.map { _ in .text(text) }]) { $0.width = 40 }

    #expect(table.count == 24)
    #expect(table[3].hasSuffix("x…"))
    #expect(table.allSatisfy { DisplayWidth.of($0) <= 40 })
  }

  @Test func `a name is shortened in the middle`() {
    let rows: [[ResultValue]] = [[.text("cover/northanger-abbey.png")]]

    #expect(lines(["name"], rows) { $0.width = 15 }[1] == "cover/n…bey.png")
  }

  @Test func `wide characters fit the width of the terminal`() {
    let rows: [[ResultValue]] = [
      [.text(String(repeating: "書", count: 20)), .text("a")],
      [.text(String(repeating: "e\u{301}", count: 40)), .text("b")],
      [.text(String(repeating: "\u{1f468}\u{200d}\u{1f469}", count: 20)), .text("c")],
    ]

    for width in [14, 20, 21, 30] {
      let table = lines(["title", "n"], rows) { $0.width = width }
      #expect(table.allSatisfy { DisplayWidth.of($0) <= width }, "\(width)")
    }
  }

  @Test func `sizes with units are aligned to the right`() {
    let table = lines(
      ["size", "name"], [[.text("5 kB"), .text("a")], [.text("120 B"), .text("b")]]
    ) { _ in }

    #expect(table == [" size  name", " 5 kB  a", "120 B  b"])
  }

  @Test func `a coloured table has the columns of a table without colours`() {
    let columns = ["change", "kind", "key"]
    let rows: [[ResultValue]] = [
      [.text("+"), .text("blob"), .null], [.text("-"), .text("record"), .text("b1")],
      [.text("~"), .text("blob"), .text("cover/emma")],
    ]

    let plain = lines(columns, rows) { $0.width = 60 }
    let colored = lines(columns, rows) { ($0.width, $0.isColored) = (60, true) }

    #expect(colored.map { $0.replacing(#/\u{1b}\[[0-9;]*m/#, with: "") } == plain)
    #expect(colored[0].hasPrefix("\u{1b}[1mchange\u{1b}[0m"))
    #expect(
      colored[1] == "\u{1b}[32m+\u{1b}[0m       \u{1b}[36mblob\u{1b}[0m    \u{1b}[2m·\u{1b}[0m")
    #expect(colored[2].hasPrefix("\u{1b}[31m-\u{1b}[0m"))
    #expect(colored[3].hasPrefix("\u{1b}[33m~\u{1b}[0m"))
  }

  @Test func `data cannot inject escape sequences into a coloured table`() {
    let rows: [[ResultValue]] = [[.text("\u{1b}[31mred\u{1b}[0m"), .text("\u{9b}2J")]]

    let table = lines(["kind\u{1b}[7m", "kind"], rows) { $0.isColored = true }

    for line in table {
      let known = line.replacing(#/\u{1b}\[(1|36|0)m/#, with: "")
      #expect(!known.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{9b}" })
    }
  }

  @Test func `the columns of a query have no colours of their own`() {
    let table = lines(["kind"], [[.text("novel")]]) { ($0.isColored, $0.isTabular) = (true, true) }

    #expect(table == ["\u{1b}[1mkind\u{1b}[0m", "novel"])
  }
}
