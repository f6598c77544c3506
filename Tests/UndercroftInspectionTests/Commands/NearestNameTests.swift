import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the suggestions for mistyped names of values, tables and applications.
@Suite struct NearestNameTests {
  @Test func `get and tree suggest the most similar name of a value`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      for command in ["get", "tree"] {
        let similar = try home.run(command, "tehme")
        let other = try home.run(command, "Odyssey")

        #expect(similar.status == 66)
        #expect(similar.errors.contains("did you mean \"theme\"?"), "\(similar.errors)")
        #expect(other.status == 66)
        #expect(!other.errors.contains("did you mean"))
      }
    }
  }

  @Test(arguments: [["get", "theme"], ["keys"], ["set", "theme", "1", "--write", "--yes"]])
  func `commands suggest the most similar kind`(command: [String]) throws {
    try EditedHome.with { edited in
      let words = [command[0], edited.home.url.path] + command.dropFirst()

      let similar = try edited.run(words + ["--kind", "preferences"])
      let other = try edited.run(words + ["--kind", "newspaper"])

      #expect(similar.status == 66 && other.status == 66)
      #expect(similar.errors.contains("did you mean \"preference\"? choose one of these kinds"))
      #expect(!other.errors.contains("did you mean"), "\(other.errors)")
    }
  }

  @Test func `the names of a confidential store are not suggested`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let key = directory.appending(path: "keys/vault.key").path

      let hidden = try home.run("get", "pim")
      let revealed = try home.run("get", "pim", "--reveal", "--yes", "--key-file", key)

      for answer in [hidden, revealed] {
        #expect(answer.status == 66)
        #expect(!answer.errors.contains("did you mean"))
      }
    }
  }

  @Test func `a name is searched among a limited number of names`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.sqlite")
      let names = (1...10_000).map { "loan/\($0)" } + ["reader"]
      try SQLiteBackend(at: url).apply(names.map { .set($0, Data("1".utf8)) })

      let near = try run("get", url.path, "loan/10x")
      let far = try run("get", url.path, "raeder")

      #expect([near.status, far.status] == [66, 66])
      #expect(near.errors.contains("did you mean \"loan/10"), "\(near.errors)")
      #expect(!far.errors.contains("did you mean"), "\(far.errors)")
    }
  }

  @Test(arguments: [
    ("bok", "book"), ("auhtor", "author"), ("record.bok", "record.book"),
  ])
  func `rows suggests the most similar table`(typed: String, meant: String) throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run("rows", typed)

      #expect(answer.status == 66)
      #expect(
        answer.errors.contains("did you mean \"\(meant)\"? choose one of these tables: author, "),
        "\(answer.errors)")
    }
  }

  @Test(arguments: ["loan", "record.loan", "preference.book"])
  func `rows suggests no table if all names differ much`(typed: String) throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run("rows", typed)

      #expect(answer.status == 66)
      #expect(!answer.errors.contains("did you mean"), "\(answer.errors)")
    }
  }

  @Test func `a mistyped name of an application is answered with the name of its home`() throws {
    try withTemporaryDirectory { directory in
      _ = try SampleHome(at: directory.appending(path: "library"))
      try FileManager.default.createDirectory(
        at: directory.appending(path: "binder"), withIntermediateDirectories: false)
      func list(_ path: String) throws -> ProgramResult {
        try Program.inspector.run(
          ["ls", path], environment: ["XDG_DATA_HOME": directory.path])
      }

      let similar = try list("libary")
      let path = try list("./libary")
      let folder = try list("bindr")

      #expect([similar.status, path.status, folder.status] == [66, 66, 66])
      #expect(similar.errors.contains("did you mean \"library\"?"), "\(similar.errors)")
      #expect(!(path.errors + folder.errors).contains("did you mean"))
    }
  }
}
