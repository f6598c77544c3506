import Foundation
import Testing

/// Runs the laboratory that "Testing a backend" shows.
@Suite struct CrashGuideTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: ["PaperLaboratory", "PaperKills"])
  func `the guide shows the complete source of each compiled program`(program: String) throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "Docs/Guides/TestingABackend.md"), encoding: .utf8)
    let source = try String(
      contentsOf: Self.root.appending(path: "Tests/\(program)/\(program).swift"), encoding: .utf8)

    #expect(page.contains("```swift\n" + source + "```"))
  }

  @Test(.enabled(if: Self.canTrace))
  func `the guide's laboratory finds no broken promise`() async throws {
    let program = try Self.program("PaperLaboratory")

    let (status, text) = try await Self.run(
      program,
      [
        "--models", "kill,power,faults", "--states", "120", "--faults", "60", "--calls",
        "write,fsync,rename", "--seconds", "60",
      ])

    #expect(status == 0, "\(text)")
    #expect(text.contains("paper"))
  }

  @Test func `the guide's kill program finds no broken promise`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "paper-kills-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let (status, text) = try await Self.run(Self.program("PaperKills"), [folder.path])

    #expect(status == 0, "\(text)")
    #expect(text.contains("paper"))
  }

  private static func program(_ name: String) throws -> URL {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return try #require(
      [folder, Bundle.main.bundleURL].map { $0.appending(path: name) }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) })
  }

  /// Recording requires strace and permission to trace a child process.
  private static let canTrace: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/strace")
    process.arguments = ["-o", "/dev/null", "/bin/true"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  private static func run(
    _ program: URL, _ arguments: [String]
  ) async throws -> (status: Int32, text: String) {
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        do {
          let process = Process()
          process.executableURL = program
          process.arguments = arguments
          let output = Pipe()
          process.standardOutput = output
          try process.run()
          let bytes = output.fileHandleForReading.readDataToEndOfFile()
          process.waitUntilExit()
          continuation.resume(
            returning: (process.terminationStatus, String(decoding: bytes, as: UTF8.self)))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }
}
