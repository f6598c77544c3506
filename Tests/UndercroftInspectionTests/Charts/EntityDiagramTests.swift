import Testing
import UndercroftInspection

@Suite struct EntityDiagramTests {
  @Test func `the document of a small schema is unchanged`() {
    #expect(
      EntityDiagram.small.svg.drawing == """
        <rect class="page" x="0" y="0" width="437" height="161"/>
        <text class="heading" x="48" y="34">Library</text>
        <path class="link" d="M234 99.5 L218 99.5 C196 99.5 196 99.5 174 99.5 L158 99.5"><title>\
        loan.book_id → book</title></path>
        <path class="link mark" d="M234 93.5 L223 99.5 L234 105.5 M164 94.5 L164 104.5 M168 94.5 \
        L168 104.5"/>
        <g>
        <title>loan</title>
        <rect class="box" x="234" y="64" width="155" height="49" rx="3"/>
        <rect class="box-header" x="234" y="64" width="155" height="26" rx="3"/>
        <text class="strong" x="242" y="81.5">loan</text>
        <text class="muted" x="242" y="103.5">FK</text>
        <text class="label" x="264" y="103.5">book_id</text>
        <text class="muted" x="381" y="103.5" text-anchor="end">INTEGER</text>
        </g>
        <g>
        <title>book</title>
        <rect class="box" x="48" y="64" width="110" height="49" rx="3"/>
        <rect class="box-header" x="48" y="64" width="110" height="26" rx="3"/>
        <text class="strong" x="56" y="81.5">book</text>
        <text class="muted" x="56" y="103.5">PK</text>
        <text class="strong" x="78" y="103.5">id</text>
        <text class="muted" x="150" y="103.5" text-anchor="end">TEXT</text>
        </g>
        </svg>

        """)
  }

  @Test func `the description counts tables, references and missing tables`() throws {
    let outline = try SVGOutline(EntityDiagram.library.svg)

    #expect(
      outline.texts(of: "desc") == [
        "3 tables, 1 foreign key, 1 inferred reference, 1 reference to missing tables"
      ])
  }

  @Test func `inferred references are dashed and their marks are not`() throws {
    let outline = try SVGOutline(EntityDiagram.library.svg)

    let classes = outline.elements.filter { $0.name == "path" }.map { $0.attributes["class"] }
    #expect(classes == ["link", "link mark", "link inferred", "link inferred mark"])
    #expect(SVGStyle.sheet.contains(".inferred{stroke-dasharray:5 4}"))
  }

  @Test func `columns show their key marks`() throws {
    let texts = try SVGOutline(EntityDiagram.library.svg).texts(of: "text")

    #expect(texts.contains("PK"))
    #expect(texts.contains("FK"))
    #expect(texts.contains("UK"))
  }

  @Test(arguments: hostileTexts)
  func `hostile names give a valid document without further elements`(name: String) throws {
    let column = EntityDiagram.Column(name, name, isPrimaryKey: true)
    let diagram = EntityDiagram(
      title: name, tables: [EntityDiagram.Table(name, [column])],
      references: [EntityDiagram.Reference(from: name, [name], to: name, [name])])

    let outline = try SVGOutline(diagram.svg)
    let names = Set(outline.elements.map(\.name))
    #expect(names == ["svg", "title", "desc", "style", "rect", "g", "path", "text"])
  }

  @Test func `equal diagrams give equal bytes in every format`() {
    let first = EntityDiagram.random(tableCount: 40, seed: 5)
    let second = EntityDiagram.random(tableCount: 40, seed: 5)

    #expect(first.svg == second.svg)
    #expect(first.dot == second.dot)
    #expect(first.mermaid == second.mermaid)
  }

  @Test func `names that differ in Unicode form are different tables`() throws {
    let names = ["caf\u{e9}", "cafe\u{301}"]
    let diagram = EntityDiagram(
      title: "", tables: names.map { EntityDiagram.Table($0, [EntityDiagram.Column("id")]) },
      references: [EntityDiagram.Reference(from: names[1], ["id"], to: names[0], ["id"])])

    #expect(diagram.mermaid.contains("t0 ||--o{ t1"))
  }

  @Test func `a schema without tables gives a document with a notice`() throws {
    let outline = try SVGOutline(EntityDiagram(title: "Library", tables: [], references: []).svg)

    #expect(outline.texts(of: "text") == ["Library", "No tables"])
  }

  @Test func `columns after the sixtieth are counted in one row`() throws {
    let columns = (0..<75).map { EntityDiagram.Column("c\($0)") }
    let table = EntityDiagram.Table("loan", columns)
    let reference = EntityDiagram.Reference(from: "loan", ["c74"], to: "loan", ["c0"])

    let diagram = EntityDiagram(title: "", tables: [table], references: [reference])
    let texts = try SVGOutline(diagram.svg).texts(of: "text")
    #expect(texts.last == "… 15 more columns")
    #expect(texts.contains("c59"))
    #expect(!texts.contains("c60"))
  }
}
