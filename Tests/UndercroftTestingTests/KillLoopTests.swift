import Foundation
import Testing
import UndercroftCore

@Suite(.serialized) struct KillLoopTests {
  /// The stores that the tool knows; a test compares.
  static let stores = ["sheet", "journalled", "gdbm", "files", "single-file", "vault", "sqlite"]

  @Test(arguments: stores)
  func `twenty kills lose nothing that was acknowledged`(store: String) async throws {
    let (status, lines) = try await run("loop", "--store", store, "--rounds", "20")
    let text = lines.joined(separator: "\n")
    #expect(status == 0, "\(text)")
    let last = try #require(lines.last)
    let report = try #require(
      last.wholeMatch(
        of:
          /(.+): 20 rounds, 20 kills, (\d+) acknowledged writes, 0 lost, 0 never written, 0 half batches, 0 unopenable.*/
      ), "\(text)")
    #expect(report.1 == store)
    // A loop that kills before anything is written proves nothing.
    #expect(try #require(Int(report.2)) >= 20)
  }

  @Test(arguments: [
    ("forgetful", "[1-9][0-9]* lost"), ("torn", "[1-9][0-9]* half batches"),
    ("in-place", "1 unopenable"), ("failing", "0 unopenable"),
  ])
  func `a store that breaks its promise is found out`(store: String, sign: String) async throws {
    let place = URL.temporaryDirectory.appending(path: "undercroft-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let (status, lines) = try await run(
      "loop", "--store", store, "--rounds", "60", "--seed", "1", "--directory", place.path())
    #expect(status == 1)
    #expect(try lines.last?.firstMatch(of: Regex(sign)) != nil, "\(lines.suffix(3))")
  }

  @Test func `the tool knows the stores that are tested here`() async throws {
    let known = try await run("stores").lines
    #expect(known == Self.stores)
  }

  /// Not on a thread of the test pool: the few that there are would wait for kills, and every other test for them.
  private func run(_ arguments: String...) async throws -> (status: Int32, lines: [String]) {
    try await blocking { try Self.runBlocking(arguments) }
  }

  private static func runBlocking(
    _ arguments: [String]
  ) throws -> (status: Int32, lines: [String]) {
    // The tool is built beside the test bundle; where tests run in a helper, the bundle knows the
    // place.
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let tool = [folder, Bundle.main.bundleURL].map { $0.appending(path: "KillWriter") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
    let program: URL = try #require(tool)
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return (process.terminationStatus, lines)
  }
}
