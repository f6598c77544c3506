import Foundation
import Testing
import Undercroft

@Suite struct ReadmeTests {
  @Test func `the first code of the README runs as it stands`() throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "undercroft-readme-\(UUID())")
    defer { try? FileManager.default.removeItem(at: home) }
    let session = try FirstExample.run(home: home)
    #expect(session == Session(reader: "Ada"))
  }

  @Test func `the README shows this very code`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let source = try String(
      contentsOf: root.appending(path: "Tests/ReadmeTests/FirstExample.swift"), encoding: .utf8)
    let shown = try #require(readme.firstMatch(of: /```swift\n([\s\S]*?)```/)).1
    let lines = { (text: Substring) in
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
        !$0.isEmpty
      }
    }
    let code = lines(source[...])
    for line in lines(shown) { #expect(code.contains(line), "\(line)") }
    #expect(lines(shown).count >= 12)
  }
}
