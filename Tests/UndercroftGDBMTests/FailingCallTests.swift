import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftGDBM
import UndercroftInspection
import UndercroftKeyValue

/// Tests of GDBM stores whose system calls fail, one after another.
@Suite(.enabled(if: faults_are_available() != 0)) struct FailingCallTests {
  /// A negative number: the first write stores half of its bytes before the error.
  @Test(.heavy, arguments: [ENOSPC, EDQUOT, -ENOSPC, -EDQUOT], [Int32(1), 1_000])
  func
    `if a checkpoint fails on a full disk, its error has the code full, and later writes succeed`(
      error: Int32, count: Int32
    ) throws
  {
    // A checkpoint makes three calls per entry, so that steps of seven reach each of them.
    for first in stride(from: Int32(1), through: 700, by: 7) {
      let isOver = try withTemporaryDirectory { directory in
        let url = directory.appending(path: "prefs.gdbm")
        let store = try JournalledBackend(at: url, format: GDBMFormat())
        // Enough values to split buckets.
        try store.apply((0..<150).map { .set("loan/\($0)", Data(count: 20)) })

        faults_arm(Int32(FAULTS_ALL.rawValue), first, count, error)
        var failure: StorageError?
        do throws(StorageError) { try store.checkpoint() } catch { failure = error }
        let calls = faults_disarm()

        if let failure {
          #expect(failure.code == .full, "call \(first): \(failure)")
          #expect(failure.message.contains("free disk space"), "call \(first): \(failure)")
        }
        try store.apply([.set("loan/last", Data("Dune".utf8))])
        try store.checkpoint()
        let names = try StoreInspectorFactory.gdbm.open(url, .init()).entries(withPrefix: "")
        #expect(names.count == 151, "call \(first)")
        return calls < first
      }
      if isOver { return }
    }
    Issue.record("a checkpoint made more than 700 system calls")
  }
}
