import Foundation
import Testing
import UndercroftCore

@Suite struct SystemErrorTests {
  @Test(
    arguments: [
      (EACCES, StorageError.Code.accessDenied), (EPERM, .accessDenied), (EROFS, .accessDenied),
      (ELOOP, .accessDenied), (ENOSPC, .full), (EDQUOT, .full), (EFBIG, .full),
      (ENOENT, .unavailable), (EAGAIN, .locked), (EBUSY, .locked), (EIO, .io), (EMFILE, .io),
      (ENFILE, .io),
    ] as [(Int32, StorageError.Code)])
  func `StorageError.system translates an errno value to a storage error code`(
    number: Int32, code: StorageError.Code
  ) {
    let error = StorageError.system("open", "/library/a\u{1b}b", number: number)

    #expect(error.code == code)
    #expect(error.message.hasPrefix(#"cannot open "/library/a\u{1b}b": "#))
    #expect((error.underlying as? SystemError)?.number == number)
  }

  @Test(arguments: [EMFILE, ENFILE])
  func `the error of too many open files suggests a higher limit`(number: Int32) {
    let error = StorageError.system("open", "/library", number: number)

    #expect(error.suggestion?.contains("ulimit -n") == true)
  }
}
