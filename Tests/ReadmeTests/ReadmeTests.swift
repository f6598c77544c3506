import Foundation
import Testing
import Undercroft

@Suite struct ReadmeTests {
  private func withHome<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let home = FileManager.default.temporaryDirectory.appending(path: "undercroft-readme-\(UUID())")
    defer { try? FileManager.default.removeItem(at: home) }
    return try await body(home)
  }

  @Test func `the first code of the README runs as it stands`() async throws {
    let session = try await withHome { home in try visit(home) }
    #expect(session == Session(reader: "Ada"))
  }

  @Test func `the code of the guide does what it says`() async throws {
    try await withHome { home in
      let storage = try Storage(home: home)
      let names = try oneByOne(storage)
      #expect(names == ["loan/2"])
      try storage.save(Loan(book: "Dune", days: 3), for: .loan(1))
      let days = try several(storage)
      #expect(days == 3)
      let longer = try storage.load(.loan(2))
      #expect(longer == Loan(book: "Emma", days: 10))
      let file = try FileHandle(forReadingFrom: URL(filePath: #filePath))
      let count = try inChunks(storage, from: file)
      #expect(count > 1_000)
      try storage.save(21, for: .fontSize)
      await watch(storage)
      let loan = try await elsewhere(storage)
      #expect(loan == Loan(book: "Dune", days: 14))
      let size = try layered(home.appending(path: "layered"))[.fontSize]
      #expect(size == 20)
      #expect(told(storage) == "nobody")
    }
  }

  @Test(arguments: [
    ("README.md", ["FirstExample"]), ("Docs/Guides/UsingAStorage.md", ["UsingAStorage"]),
  ])
  func `a page shows code that is compiled here`(page: String, sources: [String]) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    let code = try sources.map { source in
      try String(
        contentsOf: root.appending(path: "Tests/ReadmeTests/\(source).swift"), encoding: .utf8)
    }.joined(separator: "\n")
    let known = Set(lines(code[...]))
    let blocks = text.matches(of: /```swift\n([\s\S]*?)```/)
    // Of the README only the first: the others are calls and a manifest.
    let shown = (page == "README.md" ? Array(blocks.prefix(1)) : blocks).flatMap { lines($0.1) }
    for line in shown { #expect(known.contains(line), "\(page): \(line)") }
    #expect(shown.count >= 12)
  }

  private func lines(_ text: Substring) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}
