import Foundation
import Testing
import UndercroftCore

@Suite struct SystemErrorTests {
  @Test(
    arguments: [
      (EACCES, StorageError.Code.accessDenied), (EPERM, .accessDenied), (EROFS, .accessDenied),
      (ELOOP, .accessDenied), (ENOSPC, .full), (EDQUOT, .full), (EFBIG, .full),
      (ENOENT, .unavailable), (EMFILE, .unavailable), (EAGAIN, .locked), (EBUSY, .locked),
      (EIO, .io),
    ] as [(Int32, StorageError.Code)])
  func `StorageError.system translates an errno value to a storage error code`(
    number: Int32, code: StorageError.Code
  ) {
    let error = StorageError.system("open", "/library/a\u{1b}b", number: number)

    #expect(error.code == code)
    #expect(error.message.hasPrefix(#"cannot open "/library/a\u{1b}b": "#))
    #expect((error.underlying as? SystemError)?.number == number)
  }
}
