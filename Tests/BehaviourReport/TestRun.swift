import Foundation

/// The results of one run of the tests, read from the lines that `BehaviourTrait` writes and from
/// the event stream of Swift Testing.
struct TestRun {
  /// The tests that declare each behaviour, including tests that did not run.
  private(set) var bearers: [String: Set<String>] = [:]
  /// Whether an issue was recorded outside of a test.
  private(set) var hasStrayIssue = false
  private var ended: [String: Set<String>] = [:]
  private var finished: Set<String> = []
  private var failed: Set<String> = []

  init(record: String, events: String) throws {
    // Without a file, no test declares a behaviour.
    let lines = (try? String(contentsOfFile: record, encoding: .utf8)) ?? ""
    for line in lines.split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 2).map(String.init)
      guard fields.count == 3 else { continue }
      bearers[fields[1], default: []].insert(fields[2])
      if fields[0] == "ended" { ended[fields[1], default: []].insert(fields[2]) }
    }
    let stream = try String(contentsOfFile: events, encoding: .utf8)
    for line in stream.split(separator: "\n") {
      guard let event = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) else {
        continue
      }
      enter(event)
    }
  }

  private mutating func enter(_ line: Line) {
    guard line.kind == "event" else { return }
    switch (line.payload.kind, line.payload.testID) {
    case ("testEnded", let test?): finished.insert(test)
    case ("issueRecorded", let test?), ("testSkipped", let test?), ("testCancelled", let test?),
      ("testCaseCancelled", let test?):
      failed.insert(test)
    case ("issueRecorded", nil): hasStrayIssue = true
    default: break
    }
  }

  /// Returns whether a test that declares the behaviour ran to its end without an issue.
  func isProven(_ id: String) -> Bool {
    ended[id, default: []].contains { finished.contains($0) && !failed.contains($0) }
  }

  /// The part of one line of the event stream that this program reads.
  private struct Line: Decodable {
    let kind: String
    let payload: Payload

    struct Payload: Decodable {
      let kind: String?
      let testID: String?
    }
  }
}
