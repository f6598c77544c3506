import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// The completion of names in the shell on a terminal.
@Suite struct ShellCompletionTests {
  @Test func `Tab inserts only what more than 1,000 names have in common`() throws {
    try withShell((0..<1_200).map { "shelf \($0)" } + ["stack"]) { shell in
      shell.type("get s\tta\t\r")

      try shell.expect("[stack]")
    }
  }

  @Test func `Tab completes more than 1,000 names up to their longest common prefix`() throws {
    try withShell((0..<1_200).map { "shelf\($0)" }) { shell in
      shell.type("get sh\t1199\r")

      try shell.expect("[shelf1199]")
    }
  }

  @Test(arguments: [
    ("get \"it\t\r", "it's"), ("get 'sa\t\r", "sarah's list"),
    ("get \"read\t\r", "reading list"),
    ("get 'reading li\t\r", "reading list"), ("get sarah\\'s\\ \t\r", "sarah's list"),
    ("get \"co\t\r", "cost in $"), ("get un\\\t\r", "un paid"), ("get \"\tit\t\r", "it's"),
  ])
  func `Tab completes a name in the quotes that the user has begun`(
    typed: String, name: String
  ) throws {
    try withShell(["it's", "sarah's list", "reading list", "cost in $", "un paid"]) { shell in
      shell.type(typed)

      try shell.expect("[\(name)]")
    }
  }

  @Test func `Tab does not insert a part of an escape`() throws {
    try withShell(["book one", "book(2)"]) { shell in
      shell.type("get bo\t\\ \t\r")

      try shell.expect("[book one]")
      #expect(!shell.text.contains(#"\\"#))
    }
  }

  /// Runs `body` with a shell on a store with values of given names, each of which is the name in
  /// brackets, and ends the shell.
  private func withShell(_ names: [String], _ body: (PseudoTerminal) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let store = directory.appending(path: "loans")
      try SingleFileBackend(at: store).apply(
        names.map { StorageChange.set($0, Data("[\($0)]".utf8)) })
      let shell = try PseudoTerminal(
        .inspector, ["shell", store.path], environment: ["XDG_STATE_HOME": directory.path])
      try shell.expect("loans> ")

      try body(shell)

      try shell.expect("> ")
      #expect(shell.statusAfterTyping("\u{15}\u{4}") == 0)
    }
  }
}
