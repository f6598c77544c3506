import Testing
import UndercroftInspection

@Suite struct TreemapTests {
  /// Returns a section with one part.
  private static func section(_ label: String, _ value: Double) -> Treemap.Section {
    Treemap.Section(label, parts: [ChartValue(label, value)])
  }

  @Test func `a section contains its parts below its label`() {
    let chart = Treemap(
      title: "File",
      sections: [
        Treemap.Section("free", parts: [ChartValue("pages", 1000)]),
        Treemap.Section("loan", parts: [ChartValue("rows", 2000), ChartValue("index", 1000)]),
      ])

    #expect(
      chart.svg.drawing == """
        <rect class="page" x="0" y="0" width="960" height="600"/>
        <text class="heading" x="16" y="28">File</text>
        <g>
        <title>loan: 3 kB</title>
        <rect class="fill0" x="16" y="48" width="696" height="536"/>
        <text class="strong" x="21" y="62">loan: 3 kB</text>
        <rect class="fill0" x="18" y="68" width="461.33" height="514">\
        <title>rows: 2 kB</title></rect>
        <text class="label" x="23" y="82">rows</text>
        <text class="label" x="23" y="98">2 kB</text>
        <rect class="fill0" x="479.33" y="68" width="230.67" height="514">\
        <title>index: 1 kB</title></rect>
        <text class="label" x="484.33" y="82">index</text>
        <text class="label" x="484.33" y="98">1 kB</text>
        </g>
        <g>
        <title>free: 1 kB</title>
        <rect class="fill1" x="712" y="48" width="232" height="536"/>
        <text class="strong" x="717" y="62">free: 1 kB</text>
        <rect class="fill1" x="714" y="68" width="228" height="514">\
        <title>pages: 1 kB</title></rect>
        <text class="label" x="719" y="82">pages</text>
        <text class="label" x="719" y="98">1 kB</text>
        </g>
        </svg>

        """)
  }

  @Test(arguments: 1...20)
  func `areas of sections and of the parts of a section are proportional`(seed: Int) throws {
    var numbers = SampleNumbers(seed: UInt64(seed))
    let sections = (0..<12).map { section in
      Treemap.Section(
        "\(section)",
        parts: (0..<8).map { ChartValue("\($0)", Double.random(in: 1...50, using: &numbers)) })
    }
    let total = sections.reduce(0) { $0 + $1.total.value }

    let tiles = Treemap(title: "", sections: sections).tiles
    #expect(tiles.count == 12)
    for tile in tiles {
      #expect(abs(tile.frame.area / Treemap.plot.area - tile.value.value / total) < 1e-6)
      let area = tile.parts.reduce(0) { $0 + $1.frame.area }
      for part in tile.parts {
        #expect(abs(part.frame.area / area - part.value.value / tile.value.value) < 1e-6)
        #expect(part.frame.x >= tile.frame.x && part.frame.maxX <= tile.frame.maxX + 1e-6)
        #expect(part.frame.y >= tile.frame.y && part.frame.maxY <= tile.frame.maxY + 1e-6)
      }
    }
  }

  @Test func `values that are too small to see are added up`() {
    let small = (0..<500).map { Self.section("small \($0)", 1) }

    let tiles = Treemap(title: "", sections: small + [Self.section("loan", 1e6)]).tiles
    #expect(tiles.map(\.value.label) == ["loan", "500 others"])
    #expect(tiles.map(\.value.value) == [1e6, 500])
  }

  @Test func `a single small value keeps its label`() {
    let sections = [Self.section("fine", 1), Self.section("loan", 1e6)]

    let labels = Treemap(title: "", sections: sections).tiles.map(\.value.label)
    #expect(labels == ["loan", "fine"])
  }

  @Test func `hostile texts and extreme numbers give a valid document`() throws {
    let sections =
      hostileValues.map { Self.section($0.label, $0.value) }
      + [Treemap.Section("]]>", parts: hostileValues)]

    let outline = try SVGOutline(Treemap(title: "<", sections: sections).svg)
    #expect(
      Set(outline.elements.map(\.name)).isSubset(of: [
        "svg", "title", "desc", "style", "rect", "g", "text",
      ]))
    #expect(outline.numbers("width", of: "rect").allSatisfy { (0...960).contains($0) })
    for text in hostileTexts {
      let chart = Treemap(title: text, sections: [Self.section(text, 5)])
      #expect(throws: Never.self) { try SVGOutline(chart.svg) }
    }
  }

  @Test func `a chart of zeros states that there is no data`() throws {
    let chart = Treemap(title: "File", sections: [Self.section("loan", 0)])

    #expect(chart.tiles.isEmpty)
    #expect(try SVGOutline(chart.svg).texts(of: "text") == ["File", "No data"])
  }
}
