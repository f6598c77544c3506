import Foundation
import UndercroftCore
import UndercroftCrashTesting
import UndercroftSQLite
import UndercroftSync

/// The work of the crash test for two databases and a server, which one process synchronises.
///
/// A batch is one transaction and the synchronisation that follows it. The two clients write the
/// batches in turn. After a crash and a further synchronisation, both databases and the server must
/// contain the changes of the first batches, up to any number, and no others.
struct SyncWork: CrashWork {
  /// The kinds of failures after which a committed transaction of a client is still stored.
  ///
  /// A committed transaction of the server is stored after all kinds of failures.
  let durability: Durability

  static let batchCount = 4
  /// The number of synchronisations of both clients after which they must have the same rows.
  static let maximumRounds = 6

  var hasContinuation: Bool { false }

  func prepare(_ folder: URL) throws {
    let session = try Session(SyncPlace(folder), durability)
    try session.synchroniseAll()
    // The recording begins with these files, so nothing may change them later in this process.
    try session.close()
  }

  func write(in folder: URL, _ phase: WriterPhase, _ reporter: ProgressReporter) throws {
    let session = try Session(SyncPlace(folder), durability)
    for number in 1...Self.batchCount {
      let client = Self.client(ofBatch: number)
      // The other client has synchronised before, so that no change is concurrent.
      try session.synchronise(client)
      reporter.report(.begun(number))
      try session.commit(Self.batch(number), of: client)
      if durability == .powerLoss { reporter.report(.acknowledged(number)) }
      try session.synchronise(client)
      reporter.report(.acknowledged(number))
    }
  }

  static func client(ofBatch number: Int) -> String {
    SyncPlace.clients[number % SyncPlace.clients.count]
  }

  static func batch(_ number: Int) -> [SyncEdit] {
    SyncEdits(seed: 34, client: client(ofBatch: number)).transaction(Int64(number))
  }

  /// The expected rows after 0, 1, 2 and more batches, up to all of them.
  private static let libraries: [ExpectedLibrary] = {
    var library = ExpectedLibrary()
    return [library]
      + (1...batchCount).map { number in
        library.enter(batch(number))
        return library
      }
  }()

  func verify(_ folder: URL, _ phase: WriterPhase) -> CrashOutcome {
    outcome(of: folder, verify)
  }

  /// Opens the files in a folder, and returns the outcome that `verify` determines.
  func outcome(
    of folder: URL, _ verify: (Session) throws -> CrashOutcome
  ) -> CrashOutcome {
    let session: Session
    do {
      session = try Session(SyncPlace(folder), durability)
    } catch {
      return .unopenable("\(error)")
    }
    do {
      return try verify(session)
    } catch {
      return .unusable("\(error)")
    }
  }

  private func verify(_ session: Session) throws -> CrashOutcome {
    let contents = try session.synchronised(within: Self.maximumRounds)
    let numbers = Self.libraries.indices.filter { Self.libraries[$0].isEqual(to: contents) }
    guard let number = numbers.first else {
      return .mixture("the rows are not those after any batch: \(contents.rows)")
    }
    var library = Self.libraries[number]
    let again: [SyncEdit] = [
      .visit("north", 1), .rename("atlas", title: "written after the crash"),
    ]
    library.enter(again)
    try session.commit(again, of: SyncPlace.clients[0])
    let end = try session.synchronised(within: Self.maximumRounds)
    guard library.isEqual(to: end) else {
      return .unusable("a change after the crash results in \(end.rows)")
    }
    return .consistent(after: Set(numbers))
  }
}

extension CrashStores {
  /// The crash tests of two databases and the store of their server, one for each durability.
  static let synchronised: [CrashSubject] = [
    (Durability.powerLoss, "pl"), (.processDeath, "pd"),
  ].map { durability, suffix in
    CrashSubject("sync-\(suffix)", .powerLoss, work: SyncWork(durability: durability))
  }
}
