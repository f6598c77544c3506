import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct DescriptorTests {
  @Test func `a read returns fewer bytes than requested only at the end of the file`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("0123456789", to: "book")
    let file = try Descriptor(opening: folder.file("book"), O_RDONLY)

    #expect(try file.read(4, at: 3) == Data("3456".utf8))
    #expect(try file.read(40, at: 8) == Data("89".utf8))
    #expect(try file.read(4, at: 10) == Data())
    #expect(try file.readAll() == Data("0123456789".utf8))
  }

  @Test func `readAll(limit:) throws an error if the file is larger than the limit`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("0123456789", to: "book")
    let file = try Descriptor(opening: folder.file("book"), O_RDONLY)
    #expect(try file.readAll(limit: 10).count == 10)
    let error = #expect(throws: StorageError.self) { try file.readAll(limit: 9) }
    #expect(error?.code == .tooLarge)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/version")))
  func `readToEnd(limit:) reads a file that has more bytes than the system reports`() throws {
    let file = try Descriptor(opening: "/proc/version", O_RDONLY)

    let text = String(
      decoding: try file.readToEnd(limit: 1 << 16, suggestion: "shorten it"), as: UTF8.self)
    let error = #expect(throws: StorageError.self) {
      try file.readToEnd(limit: 4, suggestion: "shorten it")
    }

    #expect(text.hasPrefix("Linux version "))
    #expect(text.hasSuffix("\n"))
    #expect(error?.code == .tooLarge)
    #expect(error?.message.hasSuffix("; shorten it") == true)
  }

  @Test func `opening a missing file throws an error that names the file`() throws {
    let folder = try TemporaryDirectory()
    do {
      _ = try Descriptor(opening: folder.file("absent"), O_RDONLY)
      Issue.record("a missing file was opened")
    } catch {
      #expect(error.code == .unavailable)
      #expect(error.message.contains("absent"))
    }
  }

  @Test(
    .enabled(if: faults_are_available() != 0),
    arguments: [
      FAULTS_OPEN, FAULTS_WRITE, FAULTS_SYNC, FAULTS_RENAME, FAULTS_MKDIR, FAULTS_TRUNCATE,
    ])
  func `system calls interrupted by a signal are repeated`(call: faults_call) throws {
    let folder = try TemporaryDirectory()
    faults_arm(Int32(call.rawValue), 1, 3, EINTR)
    defer { _ = faults_disarm() }
    try Folder.create(folder.file("shelf"))
    try ReplacementFile.write(Data("Emma".utf8), to: folder.file("shelf/book"))
    let file = try Descriptor(opening: folder.file("shelf/book"), O_RDWR)
    try Array("ily".utf8).withUnsafeBytes { try file.write($0, at: 1) }
    try file.truncate(to: 3)
    try file.synchronize()
    let lock = try FileLock(at: folder.file("lock"))
    try lock.advance(.changes)

    #expect(try Folder.names(in: Folder.open(folder.file("shelf"))) == ["book"])
    // Each call was interrupted and repeated.
    #expect(faults_disarm() > 3)
    #expect(try folder.read("shelf/book") == "Eil")
    #expect(try lock.count(.changes) == 1)
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `the remaining bytes of a short write are written by further calls`() throws {
    let folder = try TemporaryDirectory()
    let file = try Descriptor(opening: folder.file("book"), O_RDWR | O_CREAT)
    faults_arm(Int32(FAULTS_WRITE.rawValue), 1, 4, 0)
    defer { _ = faults_disarm() }
    try file.write(Data("0123456789".utf8))
    try Array("abcdefgh".utf8).withUnsafeBytes { try file.write($0, at: 1) }

    #expect(try file.readAll() == Data("0abcdefgh9".utf8))
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `a counter in a lock file is stored completely even after a short write`() throws {
    let folder = try TemporaryDirectory()
    let lock = try FileLock(at: folder.file("lock"))
    // A short write sets no error number: the number of an earlier call must not be reported.
    errno = ENOENT
    faults_arm(Int32(FAULTS_WRITE.rawValue), 1, 3, 0)
    defer { _ = faults_disarm() }

    try lock.advance(.changes)

    #expect(try lock.count(.changes) == 1)
  }

  @Test(.enabled(if: faults_are_available() != 0), arguments: [1, 2])
  func `the error after a short write reports why the remaining bytes were not written`(
    failing: Int32
  ) throws {
    let folder = try TemporaryDirectory()
    let lock = try FileLock(at: folder.file("lock"))
    errno = ENOENT
    faults_arm(Int32(FAULTS_WRITE.rawValue), failing, 1, ENOSPC)
    defer { _ = faults_disarm() }

    let error = #expect(throws: StorageError.self) {
      try lock.advance(.changes)
      try lock.advance(.changes)
    }

    #expect(error?.code == .full)
  }

  @Test(.enabled(if: faults_are_available() != 0), .timeLimit(.hangLimit))
  func
    `a write of non-empty data throws without a retry if the system call writes zero bytes`()
    throws
  {
    let folder = try TemporaryDirectory()
    let file = try Descriptor(opening: folder.file("book"), O_RDWR | O_CREAT)
    errno = 0
    faults_arm(Int32(FAULTS_WRITE.rawValue), 1, 1_000, 0)
    faults_shorten_to(0)
    defer { _ = faults_disarm() }

    let appended = #expect(throws: StorageError.self) { try file.write(Data("Emma".utf8)) }
    let placed = #expect(throws: StorageError.self) {
      try Array("Emma".utf8).withUnsafeBytes { try file.write($0, at: 1) }
    }

    #expect(faults_disarm() == 2)
    #expect(appended?.code == .io)
    #expect(placed?.code == .io)
    #expect(try file.status().st_size == 0)
  }

  @Test func `opening a Descriptor sets FD_CLOEXEC on its file descriptor`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("", to: "book")
    let file = try Descriptor(opening: folder.file("book"), O_RDONLY)

    #expect(fcntl(file.raw, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
  }
}
