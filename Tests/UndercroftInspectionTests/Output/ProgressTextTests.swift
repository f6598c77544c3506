import Testing
import UndercroftInspection

@Suite struct ProgressTextTests {
  private func line(
    _ count: Int, total: Int?, after seconds: Double, stores: Int = 7
  ) -> String {
    var text = ProgressText(activity: "searching", stepCount: stores)
    let start = ContinuousClock.now
    text.begin("blob", total: total, now: start)
    return text.line(count: count, now: start + .seconds(seconds))
  }

  @Test func `the line shows the share and the rate`() {
    #expect(
      line(1_200, total: 4_000, after: 2) == "searching blob (1 of 7): 1,200 of 4,000 (30%), 600/s")
  }

  @Test func `the line shows only what is known`() {
    #expect(line(5, total: nil, after: 0.1, stores: 1) == "searching blob: 5")
    #expect(line(0, total: nil, after: 12) == "searching blob (1 of 7): 12 s")
    #expect(line(9, total: 8, after: 0.1) == "searching blob (1 of 7): 9")
    #expect(ProgressText(activity: "searching").line(count: 0, now: .now) == "searching")
  }

  @Test func `the line escapes the name of the part`() {
    var text = ProgressText(activity: "reading")
    text.begin("a\u{1b}[2Jb", total: nil, now: .now)

    #expect(text.line(count: 0, now: .now) == #"reading a\u{1b}[2Jb"#)
  }
}
