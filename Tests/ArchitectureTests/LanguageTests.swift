import Foundation
import Testing

/// Tests of the rules for comments and pages that can be checked automatically.
@Suite struct LanguageTests {
  /// Words that hide the actor or replace a standard term, with the words to use instead.
  private static let discouraged: [(word: String, instead: String)] = [
    ("anew", "again"), ("whoever", "name the component"), ("somebody", "name the component"),
    ("someone", "name the component"), ("nobody", "no process, no caller"),
    ("anybody", "any process, any caller"), ("for ever", "forever, without end"),
    ("bring in line", "reconcile"), ("brings in line", "reconciles"),
    ("brought in line", "reconciled"), ("gives back", "returns"), ("given back", "returned"),
    ("told", "reported, notified"),
  ]

  private static let codeWidth = 100
  private static let pageWidth = 120

  @Test func `no comment exceeds 100 columns`() throws {
    for file in try SourceTree.product() + SourceTree.files(in: "Tests") {
      for (number, line) in file.lines.enumerated() where isComment(line) {
        #expect(line.count <= Self.codeWidth, "\(file.path):\(number + 1)")
      }
    }
  }

  @Test func `no line of prose in a documentation page exceeds 120 columns`() throws {
    for file in try pages() {
      for (number, line) in prose(of: file) {
        #expect(line.count <= Self.pageWidth, "\(file.path):\(number)")
      }
    }
  }

  @Test func `comments and documentation pages contain no discouraged word`() throws {
    for file in try SourceTree.product() {
      for (number, line) in file.lines.enumerated() where isComment(line) {
        expectPlain(line, "\(file.path):\(number + 1)")
      }
    }
    for file in try pages() {
      for (number, line) in prose(of: file) { expectPlain(line, "\(file.path):\(number)") }
    }
  }

  @Test func `test titles contain no discouraged word`() throws {
    for file in try SourceTree.files(in: "Tests") {
      for match in file.text.matches(of: /func `([^`]+)`/) { expectPlain(match.1, file.path) }
    }
  }

  /// Records an issue for each discouraged word outside of code spans.
  private func expectPlain(_ line: Substring, _ place: String) {
    let lowercased = line.lowercased()
    for (word, instead) in Self.discouraged where lowercased.contains(word) {
      let phrases = lowercased.replacing(/`[^`]*`/, with: "").matches(of: /[a-z' ]+/)
      let isFound = phrases.contains { " \($0.0) ".contains(" \(word) ") }
      #expect(!isFound, "\(place): \"\(word)\"; write: \(instead)")
    }
  }

  private func isComment(_ line: Substring) -> Bool {
    line.drop { $0 == " " }.hasPrefix("//")
  }

  /// The lines of a page outside of code blocks and tables, with their numbers.
  private func prose(of page: SourceTree.File) -> [(number: Int, line: Substring)] {
    var isCode = false
    return page.lines.enumerated().compactMap { index, line in
      let text = line.drop { $0 == " " }
      if text.hasPrefix("```") { isCode.toggle() }
      if isCode || text.hasPrefix("```") || text.hasPrefix("|") { return nil }
      // A link cannot be divided.
      return line.contains(" ") ? (index + 1, line) : nil
    }
  }

  private func pages() throws -> [SourceTree.File] {
    let readme = SourceTree.root.appending(path: "README.md")
    return try SourceTree.files(in: "Docs", ending: ".md")
      + SourceTree.files(in: ".github", ending: ".md")
      + [SourceTree.File(path: "README.md", text: String(contentsOf: readme, encoding: .utf8))]
  }
}
