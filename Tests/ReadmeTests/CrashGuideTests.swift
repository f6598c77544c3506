import Foundation
import TestSupport
import Testing

/// Tests of the `CrashLaboratory` that the guide "Testing a backend" shows.
@Suite struct CrashGuideTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: ["PaperLaboratory", "PaperKills"])
  func `the guide to testing a backend contains the complete source of each example program`(
    program: String
  ) throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "Docs/Guides/TestingABackend.md"), encoding: .utf8)
    let source = try String(
      contentsOf: Self.root.appending(path: "Tests/\(program)/\(program).swift"), encoding: .utf8)

    #expect(page.contains("```swift\n" + source + "```"))
  }

  @Test(.heavy, .enabled(if: Program.canTrace))
  func `the crash test of the guide to testing a backend finds no violated guarantee`() async throws
  {
    let result = try await Program(built: "PaperLaboratory").run([
      "--models", "kill,power,faults", "--states", "120", "--faults", "60", "--calls",
      "write,fsync,rename", "--seconds", "60",
    ])

    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("paper"))
  }

  @Test(.heavy) func `the kill test of the guide to testing a backend finds no violated guarantee`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      let result = try await Program(built: "PaperKills").run([folder.path])

      #expect(result.status == 0, "\(result.output)")
      #expect(result.output.contains("paper"))
    }
  }
}
