import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the command `undo`, which lists and restores old values.
@Suite struct UndoCommandTests {
  private static let options = ["--kind", "preference", "--write", "--yes"]

  /// Stores a theme, and returns the path of the new undo file.
  @discardableResult
  private static func setTheme(_ value: String, _ edited: EditedHome) throws -> String {
    let before = try edited.undoFiles
    let answer = try edited.run(
      ["set", edited.home.url.path, "theme", value, "--encoding", "text"] + options)
    #expect(answer.status == 0, "\(answer.errors)")
    return try #require(try edited.undoFiles.first { !before.contains($0) }).path
  }

  /// Returns the rows of the list with arguments.
  private static func list(
    _ edited: EditedHome, _ arguments: String...
  ) throws -> [[String: Any]] {
    try rowsOfJSON(try edited.run(["undo"] + arguments + ["--format", "json"]).output)
  }

  private static func id(_ path: String) -> String {
    String(path.dropLast(".ndjson".count).split(separator: "-").last ?? "")
  }

  @Test func `undo lists the files with command, path, time and names, the newest first`() throws {
    try EditedHome.with { edited in
      let path = edited.home.url.path
      let first = try Self.setTheme("light", edited)
      let removal = ["rm", path, "cover/dune", "cover/emma", "--kind", "blob", "--write", "--yes"]
      #expect(try edited.run(removal).status == 0)

      let rows = try Self.list(edited)
      let text = try edited.run(["undo", "--wide"]).output

      #expect(rows.map { $0["command"] as? String } == ["rm", "set"])
      #expect(rows.allSatisfy { $0["path"] as? String == path })
      #expect(rows.last?["id"] as? String == Self.id(first))
      let time = try #require(rows.last?["time"] as? String)
      #expect(time.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/#), "\(time)")
      let names = (rows.first?["values"] as? [[String: String]])?.map { $0["name"] }
      #expect(names == ["cover/dune", "cover/emma"])
      #expect(text.contains("blob cover/dune, blob cover/emma\n"), "\(text)")
      #expect(text.contains("preference theme\n"))
      #expect(!text.contains("dark"))
    }
  }

  @Test func `undo of a home lists its changes and those of its stores, and no others`() throws {
    try EditedHome.with { edited in
      let path = edited.home.url.path
      let other = edited.state.deletingLastPathComponent().appending(path: "other")
      try FileManager.default.copyItem(at: edited.home.url, to: other)
      try Self.setTheme("light", edited)
      let store = path + "/" + (try edited.home.fileName(of: "preference"))
      try edited.run(["rm", store, "window.title", "--write", "--yes"])
      try edited.run(["rm", other.path, "theme"] + Self.options)

      let all = try Self.list(edited)
      let home = try Self.list(edited, path + "/")
      let single = try Self.list(edited, store)

      #expect(all.count == 3)
      #expect(home.map { $0["path"] as? String } == [store, path])
      #expect(single.map { $0["path"] as? String } == [store])
    }
  }

  @Test func `undo of a file or its id restores the values, and can be undone itself`() throws {
    try EditedHome.with { edited in
      let file = try Self.setTheme("light", edited)

      let shown = try edited.run(["undo", file, "--dry-run"])
      let undone = try edited.run(["undo", file, "--write", "--yes"])
      let theme = try edited.preference("theme")
      let redo = try #require(try edited.undoFiles.first { $0.path != file })
      let redone = try edited.run(["undo", Self.id(redo.path), "--write", "--yes"])

      #expect(shown.output == "~ preference theme: \"light\" → \"dark\"\n", "\(shown.errors)")
      #expect(undone.output.hasPrefix("changed 1 value\nto undo: undercroft undo "))
      #expect(theme == "dark")
      #expect(redo.lastPathComponent.contains("-undo-"))
      #expect(redone.status == 0, "\(redone.errors)")
      #expect(try edited.preference("theme") == "light")
    }
  }

  @Test func `the list says which changes are undone, and not that of an undo that is undone`()
    throws
  {
    try EditedHome.with { edited in
      let undone = {
        try Self.list(edited, edited.home.url.path).map { $0["undone"] as? Bool }
      }
      let file = try Self.setTheme("light", edited)
      let before = try undone()
      try edited.run(["undo", file, "--write", "--yes"])
      let after = try undone()
      let redo = try #require(try edited.undoFiles.first { $0.path != file })
      try edited.run(["undo", Self.id(redo.path), "--write", "--yes"])
      let redone = try undone()

      #expect(before == [false])
      #expect(after == [false, true])
      #expect(redone == [false, true, false])
    }
  }

  @Test func `a change is not undone if its old values were restored in part or in another home`()
    throws
  {
    try EditedHome.with { edited in
      let path = edited.home.url.path
      let other = edited.state.deletingLastPathComponent().appending(path: "other")
      try edited.run(["rm", path, "cover/dune", "cover/emma", "--kind", "blob", "--write", "--yes"])
      let removal = try #require(try edited.undoFiles.first).path
      try FileManager.default.copyItem(at: edited.home.url, to: other)

      let answer = try edited.run(["undo", other.path, removal, "--write", "--yes"])
      let elsewhere = try Self.list(edited, path).map { $0["undone"] as? Bool }
      try Storage(home: edited.home.url)
        .save(Data(count: 20), for: StorageKey("cover/dune", kind: .blob, default: Data()))
      try edited.run(["undo", removal, "--write", "--yes"])
      let part = try Self.list(edited, path).map { $0["undone"] as? Bool }

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(elsewhere == [false])
      #expect(part == [false, false])
    }
  }

  @Test func `undo is refused if a value was changed later, unless it is forced`() throws {
    try EditedHome.with { edited in
      let file = try Self.setTheme("light", edited)
      try edited.home.save("sepia", as: "theme")

      let refused = try edited.run(["undo", file, "--write", "--yes"])
      let theme = try edited.preference("theme")
      let forced = try edited.run(["undo", file, "--write", "--yes", "--force"])

      #expect(refused.status == 1)
      #expect(theme == "sepia")
      #expect(forced.status == 0, "\(forced.errors)")
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test func `undo of a file needs --write, and --yes without a terminal`() throws {
    try EditedHome.with { edited in
      let file = try Self.setTheme("light", edited)

      let answer = try edited.run(["undo", file])

      #expect(answer.status == 64)
      #expect(answer.errors.contains("--write") && answer.errors.contains("--yes"))
      #expect(try edited.preference("theme") == "light")
    }
  }

  @Test func `undo with --write and without a file asks for an id, and names the list`() throws {
    try EditedHome.with { edited in
      try Self.setTheme("light", edited)
      let home = edited.home.url.path

      let ofHome = try edited.run(["undo", home, "--write", "--yes"])
      let ofAll = try edited.run(["undo", "--write", "--yes"])

      #expect(ofHome.status == 64 && ofAll.status == 64)
      #expect(ofHome.errors.contains("needs an undo file or its id"), "\(ofHome.errors)")
      #expect(ofHome.errors.contains("Run \"undercroft undo \(home)\" to"), "\(ofHome.errors)")
      #expect(ofAll.errors.contains("Run \"undercroft undo\" to"), "\(ofAll.errors)")
      #expect(try edited.preference("theme") == "light")
    }
  }

  @Test func `undo of an unknown id says that no file has the id, and names the list`() throws {
    try EditedHome.with { edited in
      try Self.setTheme("light", edited)
      let home = edited.home.url.path

      let ofHome = try edited.run(["undo", home, "emma", "--write", "--yes"])
      let alone = try edited.run(["undo", "emma", "--write", "--yes"])

      #expect(ofHome.status == 66 && alone.status == 66)
      for errors in [ofHome.errors, alone.errors] {
        #expect(errors.contains("\"emma\": no undo file has this path or id"), "\(errors)")
      }
      #expect(ofHome.errors.contains("run \"undercroft undo \(home)\" to"), "\(ofHome.errors)")
      #expect(alone.errors.contains("run \"undercroft undo\" to"), "\(alone.errors)")
      #expect(try edited.preference("theme") == "light")
    }
  }

  @Test func `a home that was moved is restored with its new path`() throws {
    try EditedHome.with { edited in
      let file = try Self.setTheme("light", edited)
      let moved = edited.state.deletingLastPathComponent().appending(path: "moved")
      try FileManager.default.moveItem(at: edited.home.url, to: moved)

      let refused = try edited.run(["undo", file, "--write", "--yes"])
      let answer = try edited.run(["undo", moved.path, file, "--write", "--yes"])

      #expect(refused.status == 66)
      #expect(refused.errors.contains("undercroft undo PATH \(file)"), "\(refused.errors)")
      #expect(answer.status == 0, "\(answer.errors)")
      let theme = try Storage(home: moved).load(StorageKey("theme", kind: .preference, default: ""))
      #expect(theme == "dark")
    }
  }

  @Test func `a file of an earlier version is listed, and restored with the path of its home`()
    throws
  {
    try EditedHome.with { edited in
      let file = try Self.setTheme("light", edited)
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      try (lines.dropFirst().joined(separator: "\n") + "\n")
        .write(toFile: file, atomically: true, encoding: .utf8)

      let rows = try Self.list(edited)
      let home = try edited.run("undo")
      let refused = try edited.run(["undo", file, "--write", "--yes"])
      let answer = try edited.run("undo", file, "--write", "--yes")

      #expect(rows.map { $0["id"] as? String } == [Self.id(file)])
      #expect(rows.first?["command"] == nil)
      #expect(home.errors.contains("1 file of earlier versions"), "\(home.errors)")
      #expect(refused.status == 65)
      #expect(refused.errors.contains("undercroft undo PATH \(file)"), "\(refused.errors)")
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test func `a damaged undo file is reported, and the others are listed`() throws {
    try EditedHome.with { edited in
      try Self.setTheme("light", edited)
      let damaged = edited.state.appending(path: "undercroft/undo/torn.ndjson")
      try Data("{\"name\":\"the".utf8).write(to: damaged)

      let answer = try edited.run(["undo"])

      #expect(answer.status == 65)
      #expect(answer.output.contains("preference theme"))
      #expect(answer.errors.contains("torn.ndjson"), "\(answer.errors)")
    }
  }

  @Test func `a note says that no old values are saved`() throws {
    try EditedHome.with { edited in
      let all = try edited.run(["undo"])
      let home = try edited.run("undo")
      let missing = try edited.run(["undo", edited.home.url.path + "-none"])

      #expect(all.status == 0 && home.status == 0)
      #expect(all.errors == "undercroft: no old values are saved\n")
      #expect(home.errors.contains("no old values of changes at \"\(edited.home.url.path)\""))
      #expect(missing.status == 66, "\(missing.errors)")
    }
  }

  @Test func `in the shell, undo lists the changes of the home and restores them`() throws {
    try EditedHome.with { edited in
      let file = try Self.setTheme("light", edited)

      let answer = try edited.run(
        ["shell", edited.home.url.path, "--fail"],
        input: "undo\nundo \(Self.id(file)) --write --yes\n")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains(Self.id(file)))
      #expect(try edited.preference("theme") == "dark")
    }
  }
}
