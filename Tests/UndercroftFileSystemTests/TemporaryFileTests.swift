import Foundation
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct TemporaryFileTests {
  @Test func `sweeping removes what dead processes left and keeps what a writer holds`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("kept", to: "book")
    try folder.write("kept", to: ".undercroft-notes")
    try folder.write("left by the dead", to: ".undercroft-1f.tmp")
    let open = try Folder.open(folder.path)
    let living = try TemporaryFile(in: open)
    try TemporaryFile.sweep(open)
    #expect(try folder.names == [living.name, ".undercroft-notes", "book"].sorted())
    try living.file.write(Data("still writable".utf8))
    #expect(try folder.read(living.name) == "still writable")
  }

  @Test func `a temporary is dead once its writer has let go`() throws {
    let folder = try TemporaryDirectory()
    let open = try Folder.open(folder.path)
    do { _ = try TemporaryFile(in: open) }
    #expect(try folder.names.count == 1)
    try TemporaryFile.sweep(open)
    #expect(try folder.names == [])
  }

  @Test func `sweeping removes the companions of dead temporaries alone`() throws {
    let folder = try TemporaryDirectory()
    let open = try Folder.open(folder.path)
    let living = try TemporaryFile(in: open)
    let companion = TemporaryFile.companion(of: living.name, "new")
    for name in [companion, ".undercroft-1f.tmp", "book.tmp-new"] {
      try folder.write("text", to: name)
    }
    for name in [".undercroft-1f.tmp-new", ".undercroft-1f.tmp-new-journal"] {
      try folder.write("left by the dead", to: name)
    }
    try folder.write("left by the dead", to: ".undercroft-2f.tmp-journal")

    try TemporaryFile.sweep(open)

    #expect(try folder.names == [living.name, companion, "book.tmp-new"].sorted())
  }

  @Test func `a link that looks like a temporary is not followed`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("outside", to: "book")
    try #require(symlink("book", folder.file(".undercroft-2.tmp")) == 0)
    try TemporaryFile.sweep(Folder.open(folder.path))
    #expect(try folder.read("book") == "outside")
  }

  @Test func `a temporary is its owner's alone and its name is hidden`() throws {
    let folder = try TemporaryDirectory()
    let temporary = try TemporaryFile(in: Folder.open(folder.path))
    #expect(try temporary.file.status().st_mode & 0o777 == 0o600)
    #expect(temporary.name.hasPrefix("."))
    #expect(TemporaryFile.isTemporary(temporary.name))
    #expect(!TemporaryFile.isTemporary("book.tmp"))
  }

  @Test func `many writers and sweepers at once lose no temporary that is in use`() async throws {
    let folder = try TemporaryDirectory()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            try ReplacementFile.write(Data("\(writer)".utf8), to: folder.file("book-\(writer)"))
          }
        }
        group.addTask {
          for _ in 0..<100 { try TemporaryFile.sweep(Folder.open(folder.path)) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.names == (0..<4).map { "book-\($0)" })
  }
}
