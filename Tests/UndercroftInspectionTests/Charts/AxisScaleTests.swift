import Testing
import UndercroftInspection

@Suite struct AxisScaleTests {
  @Test func `ticks are round numbers`() {
    #expect(AxisScale(maximum: 87).ticks == [0, 25, 50, 75])
    #expect(AxisScale(maximum: 8).ticks == [0, 2, 4, 6, 8])
    #expect(AxisScale(maximum: 2).ticks == [0, 1, 2])
  }

  @Test func `extreme numbers give fractions from zero to one and few ticks`() {
    for maximum in extremeNumbers {
      let scale = AxisScale(maximum: maximum)

      #expect((1...8).contains(scale.ticks.count))
      #expect(scale.ticks == scale.ticks.sorted())
      #expect(extremeNumbers.allSatisfy { (0...1).contains(scale.fraction($0)) })
    }
  }
}
