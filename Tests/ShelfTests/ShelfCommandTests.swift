import Foundation
import ShelfCatalogue
import Testing
import Undercroft

/// The executable, as a person runs it.
@Suite struct ShelfCommandTests {
  private static func input(_ count: Int) -> Data {
    var text = ""
    for number in 0..<count {
      text += "Package: book-\(number)\nVersion: \(number).0\nArchitecture: all\nSection: novels\n"
      text +=
        "Depends: paper, book-\(number / 2) (>= 1)\nDescription: The book number \(number)\n\n"
    }
    return Data(text.utf8)
  }

  @Test func `a first run imports, a second finds nothing changed`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try Self.input(50).write(to: file)
      let arguments = [
        file.path, "--home", directory.appending(path: "home").path, "--no-changelogs",
      ]
      let first = try shelf(arguments)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output.contains("50 packages: 50 packages added"))
      #expect(first.output.contains("look inside: undercroft ls"))
      let second = try shelf(arguments)
      #expect(second.output.contains("50 packages: nothing changed"))
      let token = try Storage(home: directory.appending(path: "home")).load(.accountToken)
      #expect(token != nil)
      #expect(!first.output.contains(token ?? "-"))
    }
  }

  @Test func `in memory nothing is written`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try Self.input(5).write(to: file)
      let result = try shelf(
        [
          file.path, "--in-memory", "--no-changelogs", "--home",
          directory.appending(path: "home").path,
        ])
      #expect(result.status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["status"])
    }
  }

  @Test func `bad input gives one sentence and its exit status`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try Data("no package database\n".utf8).write(to: file)
      for (path, status) in [(file.path, Int32(65)), (directory.path, 66), ("/nonexistent", 66)] {
        let result = try shelf([path, "--home", directory.appending(path: "home").path])
        #expect(result.status == status)
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.output.isEmpty)
      }
    }
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func `a run that is ended at any moment leaves everything whole`(signal: Int32) throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try Self.input(4_000).write(to: file)
      let arguments = [
        file.path, "--home", directory.appending(path: "home").path, "--no-changelogs",
      ]
      for milliseconds in [20, 60, 120, 250, 400] {
        let result = try shelf(arguments, signal: signal, after: milliseconds)
        // A fast machine may have finished, a slow one not have begun to listen.
        if signal == SIGINT, result.status == 130 {
          #expect(result.errors.contains("interrupted"))
        }
        let check = try shelf(["search", "book", "--home", directory.appending(path: "home").path])
        #expect(check.status == 0, "\(check.errors)")
        let lines = check.output.split(separator: "\n").count
        #expect(lines == 0 || lines == 20)
      }
      let last = try shelf(arguments)
      #expect(last.status == 0, "\(last.errors)")
      #expect(last.output.contains("4000 packages"))
      #expect(try shelf(arguments).output.contains("nothing changed"))
    }
  }

  private func shelf(
    _ arguments: [String], signal: Int32 = 0, after milliseconds: Int = 0
  ) throws -> (status: Int32, output: String, errors: String) {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let program = try #require(
      [folder, Bundle.main.bundleURL].map { $0.appending(path: "shelf") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    if signal != 0 {
      usleep(UInt32(milliseconds * 1_000))
      kill(process.processIdentifier, signal)
    }
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let wrong = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, said, wrong)
  }
}
