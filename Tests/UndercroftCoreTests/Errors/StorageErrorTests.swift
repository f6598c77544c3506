import Foundation
import TestSupport
import Testing
import UndercroftCore

@Suite struct StorageErrorTests {
  @Test func `an error's description has backend, failure, key and suggestion in one line`() {
    let error = StorageError(
      .locked, "cannot open \"prefs\": another process holds it", suggestion: "wait",
      backend: "gdbm",
      key: "theme")

    #expect(
      "\(error)"
        == #"gdbm: cannot open "prefs": another process holds it (key "theme"); wait"#)
    #expect("\(StorageError(.io, "cannot read"))" == "cannot read")
    #expect("\(StorageError.Code.locked)" == "locked")
    #expect(StorageError.Code(rawValue: "ownCode") != .io)
  }

  @Test
  func `a StorageError.Code pattern matches an error with that code, even inside wrapper errors`() {
    struct Wrapper: WrappingError { let wrappedError: (any Error)? }
    let full = StorageError(.full, "cannot write")
    let outer = StorageError(.io, "cannot lend", underlying: full)

    #expect(StorageError.Code.full ~= full)
    #expect(StorageError.Code.full ~= Wrapper(wrappedError: Wrapper(wrappedError: full)))
    #expect(StorageError.Code.io ~= outer)
    #expect(!(StorageError.Code.full ~= outer))
    #expect(!(StorageError.Code.full ~= Wrapper(wrappedError: nil)))
    #expect(!(StorageError.Code.full ~= CancellationError()))
  }

  @Test func `an error's description escapes the control characters of a stored name`() {
    let name = "a\u{1b}[31m\n\r\t\u{7f}\u{9b}\u{202e}\u{200b}\u{2028}\u{e000}\"\\b"
    let error = StorageError(.io, "cannot read", key: name)
    let expected =
      #"cannot read (key "a\u{1b}[31m\u{a}\u{d}\u{9}\u{7f}\u{9b}\u{202e}\u{200b}\u{2028}\u{e000}\"\\b")"#

    #expect("\(error)" == expected)
    #expect(quoted("Ærø 図書館 📚") == "\"Ærø 図書館 📚\"")
  }

  @Test func `an error's suggestion is part of its description and available separately`() {
    let error = StorageError(.locked, "cannot open \"prefs\"", suggestion: "wait", backend: "gdbm")

    #expect(error.suggestion == "wait")
    #expect(error.message == #"cannot open "prefs"; wait"#)
    #expect((error as any Error).localizedDescription == #"gdbm: cannot open "prefs"; wait"#)
    #expect((error as any LocalizedError).recoverySuggestion == "wait")
    #expect(StorageError(.io, "cannot read").suggestion == nil)
  }

  @Test
  func `adding an operation and a cause to an error preserves the error's code and suggestion`() {
    let cause = StorageError(.full, "cannot write", suggestion: "free disk space", backend: "files")
    let error = cause.within("cannot save the catalogue").caused(by: cause)

    #expect(error.code == .full)
    #expect(error.message == "cannot save the catalogue: cannot write; free disk space")
    #expect(error.recoverySuggestion == "free disk space")
    #expect(error.backend == "files")
    #expect(error.underlying is StorageError)
  }

  @Test
  func `adding a backend and a key to an error does not replace a backend or key already present`()
  {
    let error = StorageError(.io, "cannot read", backend: "gdbm").naming(backend: "x", key: "k")

    #expect(error.backend == "gdbm")
    #expect(error.key == "k")
    #expect(error.naming(key: "other").key == "k")
  }

  @Test func `an error that no call throws is passed to the receiver of the task`() async {
    let (early, late) = (EventCollector<StorageError>(), EventCollector<StorageError>())
    let error = StorageError(.full, "cannot erase \"pin\"", backend: "vault")

    await StorageError.$issueReceiver.withValue(IssueReceiver { early.append($0) }) {
      error.reportIssue()
      StorageError.$issueReceiver.withValue(IssueReceiver { late.append($0) }) {
        error.reportIssue()
      }
      await Task { error.reportIssue() }.value
    }

    #expect(
      early.events.map(\.description) == Array(repeating: #"vault: cannot erase "pin""#, count: 2))
    #expect(late.count == 1)
  }

  @Test func `the damage of a store is reported with its backend and its description`() {
    let issues = EventCollector<StorageError>()
    let damage = StoreDamage(path: "/loans/settings.journal", offset: 34, unrecoveredByteCount: 5)

    StorageError.$issueReceiver.withValue(IssueReceiver { issues.append($0) }) {
      damage.reportIssue(backend: "settings")
    }

    #expect(issues.events.map(\.code) == [.corrupted])
    #expect(issues.events.map(\.description) == ["settings: \(damage)"])
  }
}
