import Foundation
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct DescriptorTests {
  @Test func `reading gives fewer bytes only at the end`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("0123456789", to: "book")
    let file = try Descriptor(opening: folder.file("book"), O_RDONLY)
    #expect(try file.read(4, at: 3) == Data("3456".utf8))
    #expect(try file.read(40, at: 8) == Data("89".utf8))
    #expect(try file.read(4, at: 10) == Data())
    #expect(try file.readAll() == Data("0123456789".utf8))
  }

  @Test func `a file above the limit is refused before it is read`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("0123456789", to: "book")
    let file = try Descriptor(opening: folder.file("book"), O_RDONLY)
    #expect(try file.readAll(limit: 10).count == 10)
    let error = #expect(throws: StorageError.self) { try file.readAll(limit: 9) }
    #expect(error?.code == .tooLarge)
  }

  @Test(
    arguments: [
      (EACCES, StorageError.Code.accessDenied), (EPERM, .accessDenied), (EROFS, .accessDenied),
      (ELOOP, .accessDenied), (ENOSPC, .full), (EDQUOT, .full), (EFBIG, .full),
      (ENOENT, .unavailable), (EMFILE, .unavailable), (EAGAIN, .locked), (EBUSY, .locked),
      (EIO, .io),
    ] as [(Int32, StorageError.Code)])
  func `errno is translated to a code`(number: Int32, code: StorageError.Code) {
    let error = StorageError.system("open", "/library/a\u{1b}b", number: number)
    #expect(error.code == code)
    #expect(error.message.hasPrefix(#"cannot open "/library/a\u{1b}b": "#))
    #expect((error.underlying as? SystemError)?.number == number)
  }

  @Test func `a missing file says so`() throws {
    let folder = try TemporaryDirectory()
    do {
      _ = try Descriptor(opening: folder.file("absent"), O_RDONLY)
      Issue.record("a missing file was opened")
    } catch {
      #expect(error.code == .unavailable)
      #expect(error.message.contains("absent"))
    }
  }

  @Test func `descriptors are not inherited by child processes`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("", to: "book")
    let file = try Descriptor(opening: folder.file("book"), O_RDONLY)
    #expect(fcntl(file.raw, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
  }
}
