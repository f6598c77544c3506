import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct GuardedFileTests {
  @Test
  func `committing a new file replaces the old file, and only the owner can access the new file`()
    throws
  {
    let folder = try TemporaryDirectory()
    try folder.write("old", to: "book")
    #expect(chmod(folder.file("book"), 0o644) == 0)
    let new = try GuardedFile(replacing: folder.file("book"))
    try new.withDescriptor { (file) throws(StorageError) in try file.write(Data("new".utf8)) }
    #expect(try folder.read("book") == "old")

    try new.commit(of: "the new book")

    #expect(try folder.names == ["book"])
    #expect(try folder.read("book") == "new")
    let status = try Descriptor(opening: folder.file("book"), O_RDONLY).status()
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `replacing a file through a symbolic link replaces the target and leaves the link`()
    throws
  {
    let folder = try TemporaryDirectory()
    try Folder.create(folder.file("shelf"))
    try #require(symlink("shelf/book", folder.file("link")) == 0)
    let new = try GuardedFile(replacing: folder.file("link"))

    try new.commit(of: "the new book")

    #expect(try Folder.names(in: Folder.open(folder.file("shelf"))) == ["book"])
    #expect(try FilePath.resolvingLinks(folder.file("link")).hasSuffix("/shelf/book"))
  }

  @Test
  func `destroying an uncommitted GuardedFile removes the new file and leaves the old file intact`()
    throws
  {
    let folder = try TemporaryDirectory()
    try folder.write("old", to: "book")
    do { _ = try GuardedFile(replacing: folder.file("book")) }

    #expect(try folder.names == ["book"])
    #expect(try folder.read("book") == "old")
  }

  @Test func `sweeping a folder does not remove the temporary file of a running writer`() throws {
    let folder = try TemporaryDirectory()
    let new = try GuardedFile(replacing: folder.file("book"))
    try TemporaryFile.sweep(Folder.open(folder.path))
    try new.commit(of: "the new book")

    #expect(try folder.names == ["book"])
  }

  @Test(.enabled(if: faults_are_available() != 0), arguments: [Int32(1), 2])
  func `the error after a failed flush states whether the new file replaced the old file`(
    flush: Int32
  ) throws {
    let folder = try TemporaryDirectory()
    let new = try GuardedFile(replacing: folder.file("book"))

    faults_arm(Int32(FAULTS_SYNC.rawValue), flush, 1, ENOSPC)
    var failure: StorageError?
    do throws(StorageError) { try new.commit(of: "the new book") } catch { failure = error }
    _ = faults_disarm()

    let isInPlace = flush == 2
    #expect(failure?.code == .full)
    #expect(failure?.message.contains("the new book is in place") == isInPlace)
    #expect(failure?.message.contains("free disk space") == true)
    #expect(try folder.names == (isInPlace ? ["book"] : []))
  }
}
