import Foundation
import Testing

/// A page of the guide that shows the output of commands.
///
/// If the environment variable `UNDERCROFT_SESSIONS` is `write`, as in `make sessions`, the output
/// is written into the page instead of compared with it.
struct GuideSession {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private let url: URL
  let text: String

  /// Reads a page of `Docs/Guides`.
  init(_ name: String) throws {
    url = Self.root.appending(path: "Docs/Guides/\(name)")
    text = try String(contentsOf: url, encoding: .utf8)
  }

  /// Expects that the page is equal to `present`, which contains the present output.
  func expect(_ present: String) throws {
    if ProcessInfo.processInfo.environment["UNDERCROFT_SESSIONS"] == "write" {
      try Data(present.utf8).write(to: url)
    }
    let shown = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    let expected = present.split(separator: "\n")
    let difference = zip(shown, expected).first { $0 != $1 }
    #expect(difference.map { "the guide shows: \($0), the command prints: \($1)" } == nil)
    #expect(shown.count == expected.count)
  }
}
