import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft

/// Tests of the executable `shelf`, run with command-line arguments.
@Suite struct ShelfCommandTests {
  @Test func `a first import adds packages, and a second import reports no change`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try ShelfProcess.input(50, version: 1).write(to: file)
      let arguments = [
        file.path, "--home", directory.appending(path: "home").path, "--no-changelogs",
      ]
      let first = try ShelfProcess.run(arguments)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output.contains("50 packages: 50 packages added"))
      #expect(first.output.contains("undercroft ls "))

      let second = try ShelfProcess.run(arguments)
      #expect(second.output.contains("50 packages: nothing changed"))

      let token = try Storage(home: directory.appending(path: "home")).load(.accountToken)
      #expect(token != nil)
      #expect(!first.output.contains(token ?? "-"))
    }
  }

  @Test func `an import with --in-memory writes no file`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try ShelfProcess.input(5, version: 1).write(to: file)
      let result = try ShelfProcess.run(
        [
          file.path, "--in-memory", "--no-changelogs", "--home",
          directory.appending(path: "home").path,
        ])

      #expect(result.status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["status"])
    }
  }

  @Test func `an import of bad input prints one line and exits with an error status`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try Data("no package database\n".utf8).write(to: file)
      for (path, status) in [(file.path, Int32(65)), (directory.path, 66), ("/nonexistent", 66)] {
        let result = try ShelfProcess.run([path, "--home", directory.appending(path: "home").path])
        #expect(result.status == status)
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: directory.appending(path: "home").path))
      }
    }
  }

  @Test func `a query before the first import fails and does not create the data directory`() throws
  {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "home")
      for question in [["search", "dune"], ["show", "dune"], ["needs", "dune"]] {
        let result = try ShelfProcess.run(question + ["--home", home.path])
        #expect(result.status == 1)
        #expect(result.errors.contains("run shelf import first"))
      }
      #expect(!FileManager.default.fileExists(atPath: home.path))
    }
  }

  @Test
  func `the commands search, show and needs print results from the imported package catalogue`()
    throws
  {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try ShelfProcess.input(50, version: 1).write(to: file)
      let home = ["--home", directory.appending(path: "home").path]
      #expect(
        try ShelfProcess.run(["import", file.path, "--no-changelogs"] + home).status == 0)

      let found = try ShelfProcess.run(["search", "book-4", "--limit", "3"] + home)
      #expect(found.output.split(separator: "\n").count == 3)
      #expect(found.output.hasPrefix("book-4 1  "))
      #expect(found.errors == "shelf: 3 of 11 packages; --limit shows more\n")
      #expect(try ShelfProcess.run(["search"] + home).output == found.output)

      let shown = try ShelfProcess.run(["show", "book-4"] + home).output
      #expect(shown.contains("needs      paper, book-2 (>= 1)"))
      #expect(shown.contains("needed by  book-8, book-9"))
      #expect(
        try ShelfProcess.run(["needs", "book-1"] + home).output == "book-0\npaper\n")

      let nothing = try ShelfProcess.run(["search", "\u{1b}[31m"] + home)
      #expect(nothing.status == 1)
      #expect(!nothing.errors.contains("\u{1b}"))
      #expect(try ShelfProcess.run(["show", "solaris"] + home).status == 1)
      #expect(try ShelfProcess.run(["search", "a", "--limit", "0"] + home).status == 64)
    }
  }

  @Test
  func `a mistyped subcommand fails, recommends shelf --help and creates no data directory`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "home")
      let result = try ShelfProcess.run(["serch", "--home", home.path])

      #expect(result.status == 66)
      #expect(result.errors.contains("shelf --help"))
      #expect(!FileManager.default.fileExists(atPath: home.path))
    }
  }

  @Test func `a command exits with an error status if its output cannot be written`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try ShelfProcess.input(5, version: 1).write(to: file)
      let home = ["--home", directory.appending(path: "home").path]

      #expect(try ShelfProcess.run(["import", file.path, "--no-changelogs"] + home).status == 0)
      #expect(try ShelfProcess.run(["search", "book"] + home, output: "/dev/full").status == 74)
    }
  }

  @Test func `the needs command prints dependencies even without the stored dependency graph`()
    throws
  {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try ShelfProcess.input(5, version: 1).write(to: file)
      let home = directory.appending(path: "home")
      let place = ["--home", home.path]
      #expect(try ShelfProcess.run(["import", file.path, "--no-changelogs"] + place).status == 0)

      try FileManager.default.removeItem(at: home.appending(path: "archive"))
      #expect(try ShelfProcess.run(["needs", "book-1"] + place).output == "book-0\npaper\n")
    }
  }

  @Test
  func `an import fails with an input error if the changelog directory does not exist`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try ShelfProcess.input(5, version: 1).write(to: file)
      let result = try ShelfProcess.run(
        [file.path, "--in-memory", "--doc", directory.appending(path: "none").path])

      #expect(result.status == 66)
    }
  }
}
