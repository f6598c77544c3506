import Foundation
import TestSupport
import Testing

@Suite struct BehaviourReportTests {
  private static let list = """
    A-LIB-01\tA lent book is not on the shelf.
    A-LIB-02\tA returned book is.
    B-LIB-01\tA reader has a card.

    """

  @Test func `a behaviour is reported as tested if its test ends without an issue`() throws {
    let report = try report(
      record: [
        ("bears", "A-LIB-01", "T/`lends \"x\" a/b`()"),
        ("ended", "A-LIB-01", "T/`lends \"x\" a/b`()"),
      ],
      events: [#"{"kind":"testEnded","testID":"T\/`lends \"x\" a\/b`()"}"#])

    #expect(report.status == 0)
    #expect(report.lines == ["3 behaviours, 1 tested, 2 missing"])
  }

  @Test(arguments: [
    #"{"kind":"issueRecorded","testID":"T/lends()","issue":{"isKnown":false}}"#,
    #"{"kind":"issueRecorded","testID":"T/lends()","issue":{"isKnown":true}}"#,
    #"{"kind":"testSkipped","testID":"T/lends()"}"#,
    #"{"kind":"testCaseCancelled","testID":"T/lends()"}"#,
  ])
  func `a behaviour is reported as untested if its test failed, was skipped or was cancelled`(
    event: String
  )
    throws
  {
    let report = try report(
      record: [("bears", "A-LIB-01", "T/lends()"), ("ended", "A-LIB-01", "T/lends()")],
      events: [event, #"{"kind":"testEnded","testID":"T/lends()"}"#])
    #expect(report.lines == ["3 behaviours, 0 tested, 3 missing"])
  }

  @Test func `a behaviour is reported as untested if its test does not start or does not end`()
    throws
  {
    let report = try report(
      record: [
        ("bears", "A-LIB-01", "T/never()"), ("bears", "A-LIB-02", "T/dies()"),
        ("ended", "A-LIB-02", "T/dies()"),
      ], events: [#"{"kind":"testEnded","testID":"T/never()"}"#])
    #expect(report.lines == ["3 behaviours, 0 tested, 3 missing"])
  }

  @Test func `one passing test is enough to report a behaviour as tested`() throws {
    let report = try report(
      record: [
        ("bears", "A-LIB-01", "T/a()"), ("bears", "A-LIB-01", "T/b()"),
        ("ended", "A-LIB-01", "T/a()"), ("ended", "A-LIB-01", "T/b()"),
      ],
      events: [
        #"{"kind":"issueRecorded","testID":"T/a()"}"#, #"{"kind":"testEnded","testID":"T/a()"}"#,
        #"{"kind":"testEnded","testID":"T/b()"}"#,
      ])
    #expect(report.lines == ["3 behaviours, 1 tested, 2 missing"])
  }

  @Test
  func `if untested behaviours match the pattern, the report program lists them and exits with 1`()
    throws
  {
    let record = [("ended", "A-LIB-01", "T/a()")]
    let events = [#"{"kind":"testEnded","testID":"T/a()"}"#]
    let some = try report(record: record, events: events, only: "A-LIB-0[12]|X")
    #expect(some.status == 1)
    #expect(some.lines == ["A-LIB-02\tA returned book is.", "2 behaviours, 1 tested, 1 missing"])

    let all = try report(record: record, events: events, only: "^A-LIB-01$")
    #expect(all.status == 0)
    #expect(all.lines == ["1 behaviours, 1 tested, 0 missing"])
  }

  @Test func `the report program rejects a pattern that is invalid or matches no behaviour`() throws
  {
    for pattern in ["C-", "A-(", "["] {
      let report = try report(record: [], events: [], only: pattern)
      #expect(report.status != 0 && report.status != 1)
      #expect(report.lines == [])
    }
  }

  @Test
  func `the report program fails if a test records an id that the behaviour list does not contain`()
    throws
  {
    let report = try report(record: [("bears", "A-LIB-99", "T/a()")], events: [])
    #expect(report.status == 2)
    #expect(report.lines == [])
  }

  @Test func `each id of the project's behaviour list is unique and has a description`() throws {
    let list = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Behaviours/behaviours.tsv")
    let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
    let ids = lines.compactMap { $0.wholeMatch(of: /(A-[A-Z][A-Z0-9]-[A-Z]?\d\d)\t\S.+/)?.1 }

    #expect(ids.count == lines.count)
    #expect(Set(ids).count == 252)
  }

  @Test func `the behaviours page explains the prefix and the area letter of every behaviour id`()
    throws
  {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let list = try String(
      contentsOf: root.appending(path: "Tests/Behaviours/behaviours.tsv"), encoding: .utf8)
    let page = try String(contentsOf: root.appending(path: "Docs/Behaviours.md"), encoding: .utf8)
    let ids = list.matches(of: /(?m)^(A-[A-Z0-9]+)-([A-Z]?)/)

    for id in ids {
      #expect(page.contains("| `\(id.1)` |"))
      if !id.2.isEmpty { #expect(page.contains("| `\(id.2)` |"), "\(id.0)") }
    }
    #expect(ids.count > 200)
  }

  private func report(
    record: [(String, String, String)], events: [String], only: String = ""
  ) throws -> ProgramResult {
    try withTemporaryDirectory { folder in
      func write(_ lines: [String], to name: String) throws -> String {
        let file = folder.appending(path: name)
        try lines.map { $0 + "\n" }.joined().write(to: file, atomically: false, encoding: .utf8)
        return file.path()
      }
      let stream = events.map { #"{"kind":"event","payload":\#($0),"version":0}"# }
      return try Program(built: "BehaviourReport").run([
        "--list", try write([Self.list], to: "list"),
        "--record", try write(record.map { "\($0.0)\t\($0.1)\t\($0.2)" }, to: "record"),
        "--events", try write(stream, to: "events"), "--only", only,
      ])
    }
  }
}
