import Testing
import UndercroftInspection

@Suite struct SVGDocumentTests {
  @Test func `a document has a title, a description, a view box and its elements in order`() {
    var document = SVGDocument(width: 100, height: 50.5, title: "Loans", description: "A < B")
    document.group("loan & fine") { group in
      group.rectangle(
        SVGRectangle(x: 1, y: 2.255, width: 3, height: -4), .box, radius: 2, tooltip: "\"tip\"")
      group.label("due", x: 5, y: 6, .muted, anchor: .end)
    }
    var path = SVGPath()
    path.move(0, 0)
    path.line(1.5, .nan)
    path.curve(2, from: 0, 3, to: 4, 5)
    document.path(path, .link)
    document.circle(x: 1, y: 1, radius: 2, .mark)

    #expect(
      document.text == """
        <svg xmlns="http://www.w3.org/2000/svg" class="undercroft-chart" role="img" width="100" \
        height="50.5" viewBox="0 0 100 50.5">
        <title>Loans</title>
        <desc>A &lt; B</desc>
        <style>
        \(SVGStyle.sheet)</style>
        <rect class="page" x="0" y="0" width="100" height="50.5"/>
        <g>
        <title>loan &amp; fine</title>
        <rect class="box" x="1" y="2.26" width="3" height="0" rx="2">\
        <title>&quot;tip&quot;</title></rect>
        <text class="muted" x="5" y="6" text-anchor="end">due</text>
        </g>
        <path class="link" d="M0 0 L1.5 0 C2 0 3 5 4 5"/>
        <circle class="link mark" cx="1" cy="1" r="2"/>
        </svg>

        """)
  }

  @Test(arguments: hostileTexts)
  func `a hostile text stays inside the text and the attributes`(text: String) throws {
    var document = SVGDocument(width: .nan, height: .infinity, title: text, description: text)
    document.group(text) { $0.label(text, x: .nan, y: -.infinity) }
    document.rectangle(SVGRectangle(x: 0, y: 0, width: 1, height: 1), .bar, tooltip: text)

    let outline = try SVGOutline(document.text)
    let names = outline.elements.map(\.name)
    #expect(
      names == ["svg", "title", "desc", "style", "rect", "g", "title", "text", "rect", "title"])
    #expect(outline.texts(of: "text") == [SVGText.cleaned(text)])
  }

  @Test func `a long path is complete`() throws {
    var path = SVGPath()
    path.move(0, 0)
    for x in 1...1000 { path.line(Double(x), 1) }
    var document = SVGDocument(width: 1000, height: 1, title: "", description: "")
    document.path(path, .link)

    let element = try #require(try SVGOutline(document.text).elements.last)
    #expect(element.attributes["d"]?.split(separator: "L").count == 1001)
  }

  @Test func `a document refers to no other resource`() throws {
    let text = EntityDiagram.library.svg.lowercased()

    for word in ["href", "url(", "@import", "<script", " on", "javascript", "data:"] {
      #expect(!text.contains(word), "\(word)")
    }
  }
}
