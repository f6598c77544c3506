import Foundation
import TestSupport
import Testing
import UndercroftInspection

/// Tests of the width of the output, as the option `--width` or a terminal limits it.
@Suite struct WidthTests {
  private static let commands = [
    ["ls"], ["info"], ["keys"], ["stat"], ["top"], ["du"], ["check"], ["find", "noon"], ["rows"],
    ["rows", "book"], ["doctor"],
  ]

  @Test(arguments: commands, [40, 60, 80])
  func `no line of a table is wider than the option --width`(command: [String], width: Int) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let name = Array(repeating: "northanger-abbey", count: 9).joined(separator: "/")
      try home.save("noon", as: name)

      let arguments = [command[0], home.url.path] + command.dropFirst()
      let answer = try run(arguments + ["--width", "\(width)"])

      #expect(!answer.output.isEmpty)
      // Paths are complete, so that they can be copied.
      for line in answer.lines where !line.contains(directory.path) {
        #expect(DisplayWidth.of(line) <= width, "\(line)")
      }
    }
  }

  @Test func `a sentence is complete in a narrow table`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let wide = try home.run("check", "--kind", "blob", "--wide").output
      let narrow = try home.run("check", "--kind", "blob", "--width", "30").output

      #expect(wide.contains("no checksums"))
      #expect(!narrow.contains("…"))
      #expect(narrow.split(separator: " ").contains { $0.hasPrefix("checksums") })
      #expect(narrow.split(separator: "\n").count > wide.split(separator: "\n").count)
    }
  }

  @Test func `advice is wrapped, but paths and commands are not`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("open sesame at noon", as: "api_token")

      let answer = try home.run("advise", "--width", "40")
      let complete = try home.run("advise")

      #expect(answer.output.contains("secret"))
      for line in answer.output.split(separator: "\n")
      where !line.hasPrefix("  /") && !line.hasPrefix("  run: ") {
        #expect(DisplayWidth.of(line) <= 40, "\(line)")
      }
      #expect(Self.words(answer.output) == Self.words(complete.output))
    }
  }

  private static func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace } }

  @Test func `the width does not change rows that programs read`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      for format in ["json", "csv", "md"] {
        let narrow = try home.run("stat", "--format", format, "--width", "40")
        let wide = try home.run("stat", "--format", format)

        #expect(narrow.output == wide.output, "\(format)")
      }
    }
  }
}
