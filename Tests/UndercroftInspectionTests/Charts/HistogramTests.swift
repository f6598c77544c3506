import Testing
import UndercroftInspection

@Suite struct HistogramTests {
  @Test func `bars stand on a labelled axis above the labels of their ranges`() {
    let chart = Histogram(title: "Days", bins: [ChartValue("0–7", 2), ChartValue("8–14", 1)])

    #expect(
      chart.svg.drawing == """
        <rect class="page" x="0" y="0" width="720" height="312"/>
        <text class="heading" x="16" y="28">Days</text>
        <path class="grid" d="M72 272 L704 272"/>
        <text class="muted" x="66" y="276" text-anchor="end">0</text>
        <path class="grid" d="M72 162 L704 162"/>
        <text class="muted" x="66" y="166" text-anchor="end">1</text>
        <path class="grid" d="M72 52 L704 52"/>
        <text class="muted" x="66" y="56" text-anchor="end">2</text>
        <rect class="bar" x="97.28" y="52" width="265.44" height="220">\
        <title>0–7: 2</title></rect>
        <rect class="bar" x="413.28" y="162" width="265.44" height="110">\
        <title>8–14: 1</title></rect>
        <text class="label" x="230" y="290" text-anchor="middle">0–7</text>
        <text class="label" x="546" y="290" text-anchor="middle">8–14</text>
        </svg>

        """)
  }

  @Test func `neighbouring labels do not overlap`() throws {
    let bins = (0..<40).map { ChartValue("\($0) to \($0 + 1) days", 1) }

    let outline = try SVGOutline(Histogram(title: "", bins: bins).svg)
    let labels = outline.elements.filter { $0.attributes["text-anchor"] == "middle" }
    let centers = labels.compactMap { $0.attributes["x"].flatMap(Double.init) }
    #expect(centers.count > 3)
    for (left, right) in zip(labels.indices, labels.indices.dropFirst()) {
      let widths = [left, right].map { SVGTextMetrics.width(labels[$0].text) }
      #expect(centers[right] - centers[left] > (widths[0] + widths[1]) / 2)
    }
  }

  @Test func `neighbouring ranges are merged if there are too many`() throws {
    let bins = (0..<1001).map { ChartValue("\($0)", 1) }

    let outline = try SVGOutline(Histogram(title: "", bins: bins).svg)
    let tooltips = outline.texts(of: "title").dropFirst()
    #expect(tooltips.count == 167)
    #expect(tooltips.first == "0 to 5: 6")
    #expect(tooltips.last == "996 to 1000: 5")
  }

  @Test func `hostile ranges give a valid document inside its bounds`() throws {
    for value in hostileValues {
      let chart = Histogram(title: value.label, bins: [value, ChartValue("b", 3)])
      let outline = try SVGOutline(chart.svg)

      #expect(outline.numbers("height", of: "rect").allSatisfy { (0...312).contains($0) })
      #expect(outline.numbers("y", of: "rect").allSatisfy { (0...312).contains($0) })
    }
  }
}
