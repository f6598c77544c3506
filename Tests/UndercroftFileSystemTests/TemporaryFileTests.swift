import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct TemporaryFileTests {
  @Test func `sweeping a folder removes the temporary files of dead processes and no other files`()
    throws
  {
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

  @Test func `sweeping a folder removes the temporary file of a destroyed TemporaryFile instance`()
    throws
  {
    let folder = try TemporaryDirectory()
    let open = try Folder.open(folder.path)
    do { _ = try TemporaryFile(in: open) }
    #expect(try folder.names.count == 1)
    try TemporaryFile.sweep(open)
    #expect(try folder.names == [])
  }

  @Test
  func `sweeping removes companions of a temporary file, like journals, only if the writer died`()
    throws
  {
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

  @Test
  func `sweeping removes a read-only temporary file that only the superuser can open for writing`()
    throws
  {
    let folder = try TemporaryDirectory()
    try folder.write("left by the dead", to: ".undercroft-1f.tmp")
    try #require(chmod(folder.file(".undercroft-1f.tmp"), 0o444) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.file(".undercroft-2f.tmp"), withIntermediateDirectories: false)
    let open = try Folder.open(folder.path)
    let living = try TemporaryFile(in: open)
    try #require(fchmod(living.file.raw, 0o444) == 0)
    if geteuid() == 0 {
      let nobody: uid_t = 65_534
      for path in [folder.path] + (try folder.names.map(folder.file)) {
        try #require(chown(path, nobody, nobody) == 0)
      }
      faults_use_files_as(nobody)
    }
    defer { faults_use_files_as(0) }

    #expect(try TemporaryFile.firstFailure(ofSweeping: open) == nil)

    #expect(try folder.names == [".undercroft-2f.tmp", living.name].sorted())
  }

  @Test func `sweeping a folder does not follow a symbolic link with the name of a temporary file`()
    throws
  {
    let folder = try TemporaryDirectory()
    try folder.write("outside", to: "book")
    try #require(symlink("book", folder.file(".undercroft-2.tmp")) == 0)
    try TemporaryFile.sweep(Folder.open(folder.path))

    #expect(try folder.read("book") == "outside")
  }

  @Test func `a temporary file is hidden and accessible to its owner only`() throws {
    let folder = try TemporaryDirectory()
    let temporary = try TemporaryFile(in: Folder.open(folder.path))

    #expect(try temporary.file.status().st_mode & 0o777 == 0o600)
    #expect(temporary.name.hasPrefix("."))
    #expect(TemporaryFile.isTemporary(temporary.name))
    #expect(!TemporaryFile.isTemporary("book.tmp"))
  }

  @Test func `sweeping a folder during concurrent writes removes no temporary file in use`()
    async throws
  {
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
