import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct ReplacementFileTests {
  let folder = try? TemporaryDirectory()

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode
  }

  @Test func `a new file gets the requested mode regardless of the umask`() throws {
    let folder = try #require(folder)
    try ReplacementFile.write(Data("Emma".utf8), to: folder.file("book"))
    #expect(try folder.read("book") == "Emma")
    #expect(try mode(folder.file("book")) & 0o7777 == 0o600)

    try ReplacementFile.write(Data(), to: folder.file("shared"), mode: 0o664)
    #expect(try mode(folder.file("shared")) & 0o7777 == 0o664)
    #expect(try folder.names == ["book", "shared"])
  }

  @Test(arguments: [0o600, 0o640, 0o444, 0o755] as [mode_t])
  func `replacing a file preserves its mode`(kept: mode_t) throws {
    let folder = try #require(folder)
    try folder.write("old", to: "book")
    try #require(chmod(folder.file("book"), kept) == 0)
    try ReplacementFile.write(Data("new".utf8), to: folder.file("book"), mode: 0o600)

    #expect(try mode(folder.file("book")) & 0o7777 == kept)
    #expect(try folder.read("book") == "new")
  }

  @Test func `the old file stays complete until the replacement is committed`() throws {
    let folder = try #require(folder)
    try folder.write("old", to: "book")
    let replacement = try ReplacementFile(of: folder.file("book"))
    try replacement.file.write(Data("new".utf8))
    #expect(try folder.read("book") == "old")

    try replacement.commit()
    #expect(try folder.read("book") == "new")
    #expect(try folder.names == ["book"])
  }

  @Test func `destroying an uncommitted ReplacementFile removes only its temporary file`()
    throws
  {
    let folder = try #require(folder)
    try folder.write("old", to: "book")
    do {
      let replacement = try ReplacementFile(of: folder.file("book"))
      try replacement.file.write(Data("new".utf8))
      #expect(try folder.names.count == 2)
    }

    #expect(try folder.names == ["book"])
    #expect(try folder.read("book") == "old")
  }

  @Test func `replacing a file through a symbolic link replaces the target and leaves the link`()
    throws
  {
    let folder = try #require(folder)
    try Folder.create(folder.file("shelf"))
    try folder.write("old", to: "shelf/book")
    // Relative to the folder of the link, through a second link, and absolute.
    try #require(symlink("shelf/book", folder.file("relative")) == 0)
    try #require(symlink("../relative", folder.file("shelf/twice")) == 0)
    try #require(symlink(folder.file("shelf/book"), folder.file("absolute")) == 0)
    for link in ["relative", "shelf/twice", "absolute"] {
      try ReplacementFile.write(Data(link.utf8), to: folder.file(link))
      #expect(try mode(folder.file(link)) & S_IFMT == S_IFLNK)
      #expect(try mode(folder.file("shelf/book")) & S_IFMT == S_IFREG)
      #expect(try folder.read("shelf/book") == link)
    }

    #expect(try folder.names == ["absolute", "relative", "shelf"])
  }

  @Test func `replacing a file through a dangling link creates the target`() throws {
    let folder = try #require(folder)
    try #require(symlink("not yet", folder.file("link")) == 0)
    try ReplacementFile.write(Data("new".utf8), to: folder.file("link"))

    #expect(try mode(folder.file("link")) & S_IFMT == S_IFLNK)
    #expect(try folder.read("not yet") == "new")
  }

  @Test func `replacing a file through circular links throws an error`() throws {
    let folder = try #require(folder)
    try #require(symlink("b", folder.file("a")) == 0)
    try #require(symlink("a", folder.file("b")) == 0)

    let error = #expect(throws: StorageError.self) {
      try ReplacementFile.write(Data(), to: folder.file("a"))
    }

    #expect(error?.code == .accessDenied)
  }

  @Test func `replacing a symbolic link in an open folder replaces the link and not its target`()
    throws
  {
    let folder = try #require(folder)
    try folder.write("outside", to: "target")
    try #require(symlink("target", folder.file("link")) == 0)
    let replacement = try ReplacementFile(of: "link", in: Folder.open(folder.path))
    try replacement.file.write(Data("new".utf8))
    try replacement.commit()

    #expect(try folder.read("target") == "outside")
    #expect(try mode(folder.file("link")) & S_IFMT == S_IFREG)
  }

  @Test func `replacing a file in a missing folder throws an error that names the folder`() throws {
    let folder = try #require(folder)

    let error = #expect(throws: StorageError.self) {
      try ReplacementFile.write(Data(), to: folder.file("absent/book"))
    }

    #expect(error?.code == .unavailable)
    #expect(error?.message.contains(folder.file("absent")) == true)
  }

  @Test func `replacing a folder by a file fails and leaves no temporary file`() throws {
    let folder = try #require(folder)
    try Folder.create(folder.file("book"))

    #expect(throws: StorageError.self) {
      try ReplacementFile.write(Data("new".utf8), to: folder.file("book"))
    }
    #expect(try folder.names == ["book"])
  }

  @Test
  func `while a file is replaced, readers see the complete old file or the complete new file`()
    async throws
  {
    let folder = try #require(folder)
    let path = folder.file("book")
    let sizes = [10, 100_000, 3_000]
    try ReplacementFile.write(Data(repeating: 0, count: 10), to: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 0..<60 {
          try ReplacementFile.write(
            Data(repeating: UInt8(round % 3), count: sizes[round % 3]), to: path)
        }
      }
      group.addTask {
        for _ in 0..<300 {
          let bytes = try Descriptor(opening: path, O_RDONLY).readAll()
          let first = try #require(bytes.first)
          #expect(bytes.count == sizes[Int(first)])
          #expect(bytes.allSatisfy { $0 == first })
        }
      }
      try await group.waitForAll()
    }
  }

  @Test
  func `in a renamed open folder, ReplacementFile.write replaces a symbolic link, not its target`()
    throws
  {
    let folder = try #require(folder)
    try folder.write("keep me", to: "victim")
    try FileManager.default.createDirectory(
      atPath: folder.file("inner"), withIntermediateDirectories: true)
    let inner = try Folder.open(folder.file("inner"))
    try #require(symlink(folder.file("victim"), folder.file("inner/book")) == 0)
    try #require(rename(folder.file("inner"), folder.file("moved")) == 0)
    try ReplacementFile.write(Data("new".utf8), to: "book", in: inner)

    #expect(try folder.read("victim") == "keep me")
    #expect(try folder.read("moved/book") == "new")
    #expect(try mode(folder.file("moved/book")) & S_IFMT == S_IFREG)
  }
}
