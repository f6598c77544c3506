import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct FilePathTests {
  @Test
  func `a file path, a symbolic link to the file and a link to that link resolve to one path`()
    throws
  {
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

  @Test func `resolving a path whose file status cannot be read throws an error`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file(String(repeating: "a", count: 300))

    #expect(throws: StorageError.self) { try FilePath.ofFile(at: URL(filePath: path)) }
    #expect(throws: StorageError.self) { try FileVersion(at: path) }
  }

  @Test func `resolving circular links or a URL that is not a file URL throws an error`() throws {
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
