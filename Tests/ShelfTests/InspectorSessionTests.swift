import Foundation
import TestSupport
import Testing

/// Tests that the sessions in the guide on the inspector show the output of the programs.
@Suite struct InspectorSessionTests {
  /// The id of the undo files in the guide, instead of the random ones.
  private static let undoID = "1a2b3c4d"
  private static let fixtures = GuideSession.root.appending(path: "Tests/ShelfTests/Fixtures")

  @Test func `each session in the guide shows the output of its commands`() throws {
    let guide = try GuideSession("InspectorSessions.md")

    let present = try withTemporaryDirectory { directory in
      try Self.makeHomes(in: directory)
      return try Self.rerun(guide.text, in: directory)
    }

    try guide.expect(present)
    #expect(present.split(separator: "\n").count { $0.hasPrefix("$ ") } > 10)
  }

  /// Creates the home of shelf, a copy from before its last import, and the list of packages of the
  /// next import.
  private static func makeHomes(in directory: URL) throws {
    for name in ["packages-yesterday", "packages-today"] {
      try FileManager.default.copyItem(
        at: fixtures.appending(path: name), to: directory.appending(path: name))
    }
    let today = try String(contentsOf: fixtures.appending(path: "packages-today"), encoding: .utf8)
    try Data(today.replacing("590-2.1", with: "590-2.2").utf8)
      .write(to: directory.appending(path: "packages-next"))
    for name in ["gcc-12", "libc6", "sqlite3"] {
      let folder = directory.appending(path: "doc/\(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let changelog =
        "\(name): " + String(repeating: "a line of the changelog\n", count: name.count)
      try Data(changelog.utf8).write(to: folder.appending(path: "changelog.gz"))
    }
    let setUp = """
      shelf import packages-yesterday --home home --doc doc
      shelf search compiler --home home --limit 5 --save compilers
      cp -Rp home yesterday
      shelf search database --home home --limit 20
      shelf import packages-today --home home --doc doc
      """
    for command in setUp.split(separator: "\n") {
      _ = try run(String(command), in: directory)
    }
  }

  /// Returns the guide with the present output of each command in it.
  private static func rerun(_ text: String, in directory: URL) throws -> String {
    var lines: [String] = []
    var isSession = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if isSession, !line.hasPrefix("```"), !line.hasPrefix("$ ") { continue }
      lines.append(String(line))
      if line.hasPrefix("```") { isSession = line == "```console" }
      guard isSession, line.hasPrefix("$ ") else { continue }
      let output = try run(String(line.dropFirst(2)), in: directory)
      lines += output.split(separator: "\n").map(String.init)
    }
    return lines.joined(separator: "\n")
  }

  /// Runs a command line in a directory, and returns its output, in which no part depends on the
  /// time, the user or the computer.
  private static func run(_ command: String, in directory: URL) throws -> String {
    let script = """
      cd "$1" && PATH="$(dirname "$0"):$PATH" && XDG_STATE_HOME="$1/.local/state" \
      && export PATH COLUMNS=100 TZ=UTC XDG_STATE_HOME && eval "$2" 2>&1
      """
    let programs = try Program(built: "undercroft").path
    let line = command.replacing(undoID, with: presentUndoID(in: directory) ?? undoID)
    let output = try Program(at: "/bin/sh").run(
      ["-c", script, programs, directory.path, line]
    ).output
    return output.replacing(directory.path, with: "/home/ada")
      .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#, with: "2026-11-27T12:00:00Z")
      .replacing(#/\d{4}-\d\d-\d\dT\d{6}Z-(\w+)-[0-9a-f]+\.ndjson/#) {
        "2026-11-27T120000Z-\($0.output.1)-\(undoID).ndjson"
      }
      .replacing(#/"id":"[0-9a-f]+"/#, with: "\"id\":\"\(undoID)\"")
      .replacing(#/#[0-9a-f]{8}/#, with: "#3f9a61d0")
      .replacing(#/age +\d+ \w+/#, with: "age       2 seconds")
      .replacing(#/fingerprint=-?\d+/#, with: "fingerprint=42")
      .replacing(#/owner +(?:\S+ \(\d+\)|\d+)/#, with: "owner     ada (1000)")
  }

  /// Returns the id of the first undo file that a session has saved, or `nil` if there is none.
  private static func presentUndoID(in directory: URL) -> String? {
    let folder = directory.appending(path: ".local/state/undercroft/undo")
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    let stem = names?.min()?.split(separator: ".").first
    return stem?.split(separator: "-").last.map(String.init)
  }
}
