import Foundation
import Testing

/// Tests that the code blocks of the documentation are parts of source files that are compiled.
@Suite struct ShownCodeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Each argument is a page, the source files that contain its code blocks, and the number of
  /// blocks that are compared.
  ///
  /// Of the README, only the first blocks are compared. The others are calls and a manifest.
  @Test(arguments: [
    ("README.md", ["FirstExample", "SecondExample"], 2),
    ("Docs/Guides/UsingAStorage.md", ["UsingAStorage"], .max),
    ("Docs/Guides/UsingSQLite.md", ["UsingSQLite"], .max),
    (
      "Docs/Guides/UsingTables.md",
      [
        "UsingTables", "UsingTables+Reading", "UsingTables+Writing", "UsingTables+Functions",
        "UsingTables+Library",
        "../CommonNamesTests/UsingTables+SwiftUI", "../MainActorTests/LendingDesk",
      ], .max
    ),
    ("Docs/Guides/CommonTasks.md", ["CommonTasks"], .max),
    (
      "Docs/Guides/VirtualRecordsAndDataCenters.md",
      ["VirtualRecords", "VirtualRecords+Tables"], .max
    ),
    ("Docs/Guides/WritingABackend.md", ["../Paper/PaperBackend", "../Paper/PaperInspection"], 4),
    ("Docs/Guides/TestingABackend.md", ["TestingABackend"], 2),
    ("Docs/Guides/Migrating.md", ["Migrating", "Migrating+Tools"], .max),
    ("Docs/Guides/Syncing.md", ["Syncing", "Syncing+Tables"], .max),
    ("Docs/Guides/SyncingOverANetwork.md", ["SyncingOverANetwork"], .max),
    (
      "Docs/Guides/Inspecting.md", ["../WithoutTraits/NotebookInspector/NotebookInspector"], .max
    ),
  ])
  func `code blocks of a documentation page are equal to code in compiled source files`(
    page: String, sources: [String], count: Int
  ) throws {
    let paths = sources.map { "Tests/ReadmeTests/\($0).swift" }
    try expectBlocks(of: "swift", in: page, toBePartsOf: paths, count: count)
  }

  @Test func `code blocks in Python are equal to code of the client that the tests run`() throws {
    let folder = "Tests/UndercroftSyncServerTests/Python/"
    try expectBlocks(
      of: "python", in: "Docs/Guides/SyncingFromOtherLanguages.md",
      toBePartsOf: ["sync_client.py", "sync_http.py", "sync_replica.py"].map { folder + $0 })
  }

  /// Expects that each code block of a language on a page is a part of one of the given files.
  private func expectBlocks(
    of language: String, in page: String, toBePartsOf paths: [String], count: Int = .max
  ) throws {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    let code = try paths.map { path in
      let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      return "\n" + lines(text[...]).joined(separator: "\n") + "\n"
    }
    let pattern = try Regex(
      "```\(language)\\n([\\s\\S]*?)```", as: (Substring, Substring).self)
    let blocks = text.matches(of: pattern).prefix(count)
    #expect(!blocks.isEmpty)
    for block in blocks {
      let shown = lines(block.1).joined(separator: "\n")
      #expect(code.contains { $0.contains("\n\(shown)\n") }, "\(page):\n\(block.1)")
    }
  }

  /// Returns the lines of a text without indentation and without empty lines.
  ///
  /// A page may differ from the source file in both.
  private func lines(_ text: Substring) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}
