import Foundation
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct FilePathTests {
  @Test func `links, chains of links and the file itself give one path`() throws {
    let folder = try TemporaryDirectory()
    try Folder.create(folder.file("shelf"))
    try #require(symlink("shelf/book", folder.file("relative")) == 0)
    try #require(symlink("../relative", folder.file("shelf/twice")) == 0)
    try #require(symlink(folder.file("shelf/book"), folder.file("absolute")) == 0)
    for isThere in [false, true] {
      if isThere { try folder.write("Emma", to: "shelf/book") }
      for name in ["shelf/book", "relative", "shelf/twice", "absolute"] {
        let path = try FilePath.ofFile(at: URL(filePath: folder.file(name)))
        #expect(
          URL(filePath: path).standardizedFileURL.path == folder.file("shelf/book"), "\(name)")
      }
    }
  }

  @Test func `a path that cannot be examined is an error, and not taken for that of a file`() throws
  {
    let folder = try TemporaryDirectory()
    let path = folder.file(String(repeating: "a", count: 300))

    #expect(throws: StorageError.self) { try FilePath.ofFile(at: URL(filePath: path)) }
    #expect(throws: StorageError.self) { try FileIdentity(path) }
  }

  @Test func `links in a circle and the URLs of no files are errors`() throws {
    let folder = try TemporaryDirectory()
    try #require(symlink("b", folder.file("a")) == 0)
    try #require(symlink("a", folder.file("b")) == 0)
    let circle = #expect(throws: StorageError.self) {
      try FilePath.ofFile(at: URL(filePath: folder.file("a")))
    }
    #expect(circle?.code == .accessDenied)
    let url = try #require(URL(string: "https://example.org/book"))
    let other = #expect(throws: StorageError.self) { try FilePath.ofFile(at: url) }
    #expect(other?.code == .misuse)
  }
}
