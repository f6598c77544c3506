import Foundation
import Testing

@Suite struct DocumentationTests {
  private static let pages: [(choice: String, page: String)] = [
    (".settings(at:", "Settings"), (".gdbm(at:", "GDBM"), (".files(in:", "Files"),
    (".propertyLists(in:", "PropertyLists"), (".singleFile(at:", "SingleFile"),
    (".vault(at:", "Vault"), (".encrypted(with:", "Encrypted"), (".sqlite(at:", "SQLite"),
    (".memory", "Memory"), (".namespaced(", "Layers"),
  ]

  @Test(arguments: pages)
  func `the documentation page of each backend shows the code that selects the backend`(
    choice: String, page: String
  ) throws {
    let url = SourceTree.root.appending(path: "Docs/Backends/\(page).md")
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains(choice.replacingOccurrences(of: ":", with: "")) || text.contains(choice))
  }

  @Test(arguments: [
    "Journal", "SortedSnapshot", "FileDirectory", "SingleFile", "Vault", "EncryptedEntry", "SQLite",
    "Manifest", "SyncWire",
  ])
  func `the documentation page of each file format states the version of the format`(format: String)
    throws
  {
    let url = SourceTree.root.appending(path: "Docs/Formats/\(format).md")
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.lowercased().contains("version"))
  }

  @Test func `each page about a file format names a format test and a fixture test`() throws {
    // Messages over HTTP and tables of PostgreSQL are not files that a later version opens, and the
    // tests of the inspector pin its undo files.
    let others = ["SyncHTTP.md", "SyncPostgres.md", "UndoFile.md"]
    let pages = try SourceTree.files(in: "Docs/Formats", ending: ".md").filter { page in
      !others.contains { page.path.hasSuffix($0) }
    }

    for page in pages {
      #expect(page.text.contains(#/Tests/FormatTests/\w+FormatTests\.swift/#), "\(page.path)")
      #expect(page.text.contains(#/Tests/FormatTests/\w+FixtureTests\.swift/#), "\(page.path)")
    }
    #expect(pages.count >= 9)
  }

  @Test func `every relative link in the documentation leads to an existing file`() throws {
    var count = 0
    for file in try SourceTree.files(in: "Docs", ending: ".md") + readme() {
      let folder = SourceTree.root.appending(path: file.path).deletingLastPathComponent()
      for match in file.text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
        count += 1
        let target = folder.appending(path: String(match.1)).standardizedFileURL
        #expect(FileManager.default.fileExists(atPath: target.path), "\(file.path): \(match.1)")
      }
    }
    #expect(count > 10)
  }

  @Test func `the guide for operators names every setting and option of the server`() throws {
    let page = SourceTree.root.appending(path: "Docs/Guides/RunningASyncServer.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let names = SourceTree.root.appending(
      path: "Sources/SyncServerTool/Settings/SettingName.swift")
    let settings = try String(contentsOf: names, encoding: .utf8)
      .matches(of: /\n    case \w+ = "([\w.]+)"/).map { "`\($0.1)`" }
    let serve = SourceTree.root.appending(
      path: "Sources/SyncServerTool/Commands/ServeCommand.swift")
    let options = try String(contentsOf: serve, encoding: .utf8)
      .matches(of: /\n    var ([a-z]\w+)(?:: String\?| = false)/).map { match in
        // As ArgumentParser derives the name of an option.
        let name = String(match.1).replacingOccurrences(of: "HTTP", with: "Http")
        return "`--" + name.replacing(/[A-Z]/) { "-" + $0.output.lowercased() } + "`"
      }

    let missing = Set(settings + options).filter { !text.contains($0) }

    #expect(settings.count >= 30)
    #expect(options.count >= 10)
    #expect(missing == [], "\(page.lastPathComponent)")
  }

  @Test func `every file named on the architecture page exists`() throws {
    let page = SourceTree.root.appending(path: "Docs/Architecture.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let paths = text.matches(of: /`((?:Sources|Backends|Tests)\/[^`]+\.swift)`/).map {
      String($0.1)
    }

    for path in paths {
      let file = SourceTree.root.appending(path: path)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
    }
    #expect(paths.count > 20)
  }

  @Test func `the pages about file formats list every magic number that the backends define`()
    throws
  {
    let pages = try SourceTree.files(in: "Docs/Formats", ending: ".md").map(\.text).joined()
    for file in try SourceTree.files(in: "Backends") {
      for match in file.text.matches(of: /"(UND[A-Z]{4,5}[0-9]+)"/) {
        #expect(pages.contains(String(match.1)), "\(match.1)")
      }
    }
  }

  @Test func `the index of decision records lists every record`() throws {
    let folder = SourceTree.root.appending(path: "Docs/Decisions")
    let index = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)

    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name != "README.md" {
      #expect(index.contains("(\(name))"), "\(name)")
    }
  }

  @Test func `every make target that the README names exists`() throws {
    let makefile = try String(
      contentsOf: SourceTree.root.appending(path: "Makefile"), encoding: .utf8)
    let targets = Set(try readme()[0].text.matches(of: /make ([a-z]+)/).map { String($0.1) })

    #expect(targets.isSuperset(of: ["demo", "test", "bench", "kills"]))
    for target in targets { #expect(makefile.contains("\n\(target):"), "\(target)") }
  }

  private func readme() throws -> [SourceTree.File] {
    let url = SourceTree.root.appending(path: "README.md")
    return [SourceTree.File(path: "README.md", text: try String(contentsOf: url, encoding: .utf8))]
  }
}
