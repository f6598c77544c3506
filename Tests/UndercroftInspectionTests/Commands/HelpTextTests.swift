import Foundation
import TestSupport
import Testing

/// Tests of the help of single commands.
@Suite struct HelpTextTests {
  /// Returns the help of a command as one line, because lines are wrapped.
  private static func help(_ command: String) throws -> String {
    let answer = try run(command, "--help")
    #expect(answer.status == 0)
    return answer.output.split { $0.isWhitespace }.joined(separator: " ")
  }

  @Test func `the help of convert lists the backends of new stores`() throws {
    let help = try Self.help("convert")

    for backend in EditLockTests.backends { #expect(help.contains(backend), "\(backend)") }
  }

  @Test func `the help of convert describes each backend in a line of its own`() throws {
    let lines = try run("convert", "--help").lines.map { $0.drop { $0 == " " } }

    for backend in EditLockTests.backends {
      let line = try #require(lines.first { $0.hasPrefix("\(backend): ") }, "\(backend)")
      #expect(line.hasSuffix(".") && !line.contains("another library"), "\(line)")
    }
  }

  @Test func `the help of rows says how to order rows`() throws {
    #expect(
      try Self.help("rows").contains(
        #"undercroft query PATH "SELECT * FROM record.book ORDER BY title""#))
  }

  @Test(arguments: ["rows", "query", "diff", "find", "watch"])
  func `the help of a command that redacts secrets mentions the placeholders`(
    command: String
  ) throws {
    let help = try Self.help(command)

    #expect(help.contains("Values that look like secrets by their names or forms are replaced"))
  }

  @Test(arguments: ["rows", "query", "diff", "find", "watch", "tree"])
  func `the help of a command with placeholders says that fingerprints belong to one run`(
    command: String
  ) throws {
    #expect(try Self.help(command).contains("compare only fingerprints of one run"))
  }
}
