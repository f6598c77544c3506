import Testing
import UndercroftInspection

@Suite struct BarChartTests {
  @Test func `bars have labels, values and shares`() {
    let chart = BarChart(
      title: "Sizes", unit: .bytes, bars: [ChartValue("loan", 3000), ChartValue("fine", 1000)])

    #expect(
      chart.svg.drawing == """
        <rect class="page" x="0" y="0" width="720" height="116"/>
        <text class="heading" x="16" y="28">Sizes</text>
        <text class="label" x="46.16" y="65" text-anchor="end">loan</text>
        <rect class="bar" x="54.16" y="52" width="574.76" height="18" rx="2"><title>loan: 3 kB \
        (75%)</title></rect>
        <text class="muted" x="636.92" y="65">3 kB (75%)</text>
        <text class="label" x="46.16" y="91" text-anchor="end">fine</text>
        <rect class="bar" x="54.16" y="78" width="191.59" height="18" rx="2"><title>fine: 1 kB \
        (25%)</title></rect>
        <text class="muted" x="253.75" y="91">1 kB (25%)</text>
        </svg>

        """)
  }

  @Test func `the smallest of many bars are added up in one bar`() throws {
    let bars = (1...1000).map { ChartValue("\($0)", Double($0)) }

    let outline = try SVGOutline(BarChart(title: "", bars: bars).svg)
    let tooltips = outline.texts(of: "title").dropFirst()
    #expect(tooltips.count == 101)
    #expect(tooltips.first == "901: 901 (0.2%)")
    #expect(tooltips.last == "900 others: 405450 (81%)")
  }

  @Test func `hostile texts and extreme numbers give a valid document inside its bounds`() throws {
    for value in hostileValues {
      let chart = BarChart(title: value.label, unit: .bytes, bars: [value, ChartValue("b", 1)])
      let outline = try SVGOutline(chart.svg)

      #expect(outline.numbers("width", of: "rect").allSatisfy { (0...720).contains($0) })
    }
  }

  @Test func `a chart without bars states that there is no data`() throws {
    let outline = try SVGOutline(BarChart(title: "Sizes", bars: []).svg)

    #expect(outline.texts(of: "text") == ["Sizes", "No data"])
  }
}
