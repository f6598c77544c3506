import ArgumentParser
import Foundation

/// A command that counts the behaviours that tests have proven in one run.
@main
struct BehaviourReport: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count the behaviours that tests have proven in one run.",
    discussion: """
      A behaviour is tested when a test that bears it ran to its end and the event stream of the \
      same run records no issue of that test, known ones included.
      """)

  @Option(help: "The list of behaviours: an id, a tab and a sentence a line.")
  var list: String
  @Option(help: "What the tests' traits have written.")
  var record: String
  @Option(help: "The event stream of the run.")
  var events: String
  @Option(
    help:
      "An extended regular expression: only ids that it matches count, missing ones are shown, and any missing one makes the status 1."
  )
  var only = ""

  func run() throws {
    let listed = try BehaviourList(contentsOf: list)
    let run = try TestRun(record: record, events: events)
    let unknown = run.bearers.keys.filter { listed.sentences[$0] == nil }.sorted()
    for id in unknown {
      complain(
        """
        cannot count \(id): the test \(run.bearers[id]?.sorted().first ?? "") declares it, but \
        "\(list)" does not contain it; add the behaviour, or correct the id in the test
        """)
    }
    if !unknown.isEmpty { throw ExitCode(2) }
    if run.hasStrayIssue {
      complain(
        """
        an issue was recorded outside of any test; a test that counts as passed may have recorded \
        the issue after its end
        """)
    }
    let wanted = only.isEmpty ? listed.ids : try Pattern(only).matches(among: listed.ids)
    if wanted.isEmpty {
      complain("cannot use --only \"\(only)\": no behaviour in \"\(list)\" matches it")
      throw ExitCode(2)
    }
    let missing = wanted.filter { !run.isProven($0) }
    if !only.isEmpty { for id in missing { print("\(id)\t\(listed.sentences[id] ?? "")") } }
    print(
      "\(wanted.count) behaviours, \(wanted.count - missing.count) tested, \(missing.count) missing"
    )
    if !only.isEmpty && !missing.isEmpty { throw ExitCode(1) }
  }

  private func complain(_ line: String) {
    FileHandle.standardError.write(Data("behaviours: \(line)\n".utf8))
  }
}
