import Testing
import UndercroftInspection

@Suite struct EntityDiagramTextTests {
  @Test func `the text for Graphviz has generated names and escaped labels`() {
    #expect(
      EntityDiagram.small.dot == """
        digraph schema {
          graph [rankdir=RL, label="Library", labelloc=t, fontname="Helvetica"];
          node [shape=plain, fontname="Helvetica", fontsize=11];
          edge [dir=both];
          t0 [label=<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4"><TR><TD \
        PORT="h" COLSPAN="3"><B>loan</B></TD></TR><TR><TD>FK</TD><TD ALIGN="LEFT" PORT="c0">\
        book_id</TD><TD ALIGN="LEFT">INTEGER</TD></TR></TABLE>>];
          t1 [label=<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4"><TR><TD \
        PORT="h" COLSPAN="3"><B>book</B></TD></TR><TR><TD>PK</TD><TD ALIGN="LEFT" PORT="c0">\
        id</TD><TD ALIGN="LEFT">TEXT</TD></TR></TABLE>>];
          t0:c0 -> t1:c0 [arrowtail=crowodot, arrowhead=teetee, tooltip="loan.book_id → book"];
        }

        """)
  }

  @Test func `the text for Mermaid has words as names and the original names in comments`() {
    #expect(
      EntityDiagram.library.mermaid == """
        erDiagram
          t0["loan"] {
            INTEGER id PK, FK
            INTEGER book_id FK
            DECIMAL(10_2) due_day "due day"
          }
          t1["book"] {
            INTEGER id PK
            TEXT isbn UK
            any sequel_of FK
          }
          t2["shelf"]
          t1 ||--o{ t0 : "book_id"
          t1 |o..o{ t1 : "sequel_of"

        """)
  }

  @Test(arguments: hostileTexts)
  func `hostile names do not end a string or a line of Mermaid`(name: String) {
    let text = Self.diagram(name).mermaid

    #expect(text.split(separator: "\n").count == 5)
    for line in text.split(separator: "\n") {
      #expect(line.utf8.count { $0 == UInt8(ascii: "\"") } % 2 == 0)
      #expect(!line.utf8.contains(UInt8(ascii: "<")))
      #expect(!line.utf8.contains(UInt8(ascii: "%")))
      #expect(!line.utf8.contains(UInt8(ascii: "\\")))
    }
  }

  @Test(arguments: hostileTexts)
  func `hostile names do not end a string or a label of Graphviz`(name: String) throws {
    let text = Self.diagram(name).dot
    let lines = text.split(separator: "\n")

    #expect(lines.count == 7)
    let node = try #require(lines.first { $0.hasPrefix("  t0 [label=<") })
    let label = node.dropFirst("  t0 [label=<".count).dropLast(">];".count)
    #expect(throws: Never.self) { try Self.checkBalance(label) }
    for line in lines where !line.hasPrefix("  t0 [label=<") {
      #expect(Self.unescapedQuoteCount(line) % 2 == 0)
    }
  }

  @Test func `keywords and digits at the beginning of a name are changed for Mermaid`() {
    let columns = [("PK", "FK"), ("1st", "_x"), ("ÄPFEL", "")].map { EntityDiagram.Column($0, $1) }
    let table = EntityDiagram.Table("", columns)

    let text = EntityDiagram(title: "", tables: [table], references: []).mermaid
    #expect(
      text == """
        erDiagram
          t0[" "] {
            FK_ PK_ "PK"
            c__x c_1st "1st"
            any c__PFEL "ÄPFEL"
          }

        """)
  }

  private static func diagram(_ name: String) -> EntityDiagram {
    EntityDiagram(
      title: name, tables: [EntityDiagram.Table(name, [EntityDiagram.Column(name, name)])],
      references: [EntityDiagram.Reference(from: name, [name], to: name, [name])])
  }

  private static func unescapedQuoteCount(_ line: Substring) -> Int {
    var count = 0
    var isEscaped = false
    for byte in line.utf8 {
      if byte == UInt8(ascii: "\""), !isEscaped { count += 1 }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return count
  }

  /// Throws an error if the elements of an HTML-like label are not balanced.
  private static func checkBalance(_ label: Substring) throws {
    let lowercase = label.replacing("TABLE", with: "g").replacing("TR>", with: "g>")
      .replacing("TD", with: "g").replacing("B>", with: "g>")
    _ = try SVGOutline(String(lowercase))
  }
}
