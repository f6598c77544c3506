import Testing
import UndercroftInspection

@Suite struct AxisScaleTests {
  @Test func `ticks of a linear scale are round numbers`() {
    #expect(AxisScale(.linear, maximum: 87).ticks == [0, 25, 50, 75])
    #expect(AxisScale(.linear, maximum: 8).ticks == [0, 2, 4, 6, 8])
    #expect(AxisScale(.linear, maximum: 2).ticks == [0, 1, 2])
  }

  @Test func `ticks of a logarithmic scale are powers of ten`() {
    #expect(AxisScale(.logarithmic, maximum: 1234).ticks == [0, 1, 10, 100, 1000])
  }

  @Test func `a logarithmic scale is proportional to the logarithm of the number plus one`() {
    let scale = AxisScale(.logarithmic, maximum: 1023)

    for (value, fraction) in [(0.0, 0.0), (1, 0.1), (31, 0.5), (511, 0.9), (1023, 1)] {
      #expect(abs(scale.fraction(value) - fraction) < 1e-12)
    }
  }

  @Test(arguments: [AxisScale.Kind.linear, .logarithmic])
  func `extreme numbers give fractions from zero to one and few ticks`(kind: AxisScale.Kind) {
    for maximum in extremeNumbers {
      let scale = AxisScale(kind, maximum: maximum)

      #expect((1...8).contains(scale.ticks.count))
      #expect(scale.ticks == scale.ticks.sorted())
      #expect(extremeNumbers.allSatisfy { (0...1).contains(scale.fraction($0)) })
    }
  }
}
