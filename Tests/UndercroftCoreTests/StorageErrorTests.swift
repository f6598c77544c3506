import Foundation
import Testing
import UndercroftCore

@Suite struct StorageErrorTests {
  @Test func `the description is backend, message, cure and key in one line`() {
    let error = StorageError(
      .locked, "cannot open \"prefs\": another process holds it", cure: "wait", backend: "gdbm",
      key: "theme")
    #expect(
      "\(error)"
        == #"gdbm: cannot open "prefs": another process holds it; wait (key "theme")"#)
    #expect("\(StorageError(.io, "cannot read"))" == "cannot read")
    #expect("\(StorageError.Code.locked)" == "locked")
    #expect(StorageError.Code(rawValue: "ownCode") != .io)
  }

  @Test func `control characters of a stored name never reach the terminal`() {
    let name = "a\u{1b}[31m\n\r\t\u{7f}\u{9b}\u{202e}\u{200b}\u{2028}\u{e000}\"\\b"
    let error = StorageError(.io, "cannot read", key: name)
    let expected =
      #"cannot read (key "a\u{1b}[31m\u{a}\u{d}\u{9}\u{7f}\u{9b}\u{202e}\u{200b}\u{2028}\u{e000}\"\\b")"#
    #expect("\(error)" == expected)
    #expect(quoted("Ærø 図書館 📚") == "\"Ærø 図書館 📚\"")
  }

  @Test func `its localized description is the whole sentence`() {
    let error = StorageError(.locked, "cannot open \"prefs\"", cure: "wait", backend: "gdbm")
    #expect((error as any Error).localizedDescription == #"gdbm: cannot open "prefs"; wait"#)
  }

  @Test func `naming fills in only what is missing`() {
    let error = StorageError(.io, "cannot read", backend: "gdbm").naming(backend: "x", key: "k")
    #expect(error.backend == "gdbm")
    #expect(error.key == "k")
    #expect(error.naming(key: "other").key == "k")
  }
}
