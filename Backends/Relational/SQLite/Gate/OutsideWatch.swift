import CSQLite
import Dispatch
import Synchronization
import UndercroftCore

/// Calls back after commits of other processes and other connections, and when the files may be others, until it is released.
///
/// A stir in a folder of the database says that somebody may have written, and ``DataVersion`` whether it was somebody else.
final class OutsideWatch: ExternalWatch {
  /// What is called from a folder's watch, and when the folders are watched anew.
  struct Handlers: Sendable {
    let stirred: @Sendable () -> Void
    let renewed: @Sendable () -> Void
  }

  private let registration: Registration

  init(
    of database: Database, _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let look = Look(handler) { [weak database] in
      try? database?.seats.lend(.look, orThrow: { $0 }) { (connection) throws(StorageError) in
        database?.dataVersion(of: connection)
      }
    }
    let settle: @Sendable () -> Void = { [weak database] in
      guard let database else { return }
      let version = database.dataVersionWithoutWaiting()
      look.settle(version, in: database.seats.generation.load(ordering: .relaxed))
    }
    settle()
    registration = try database.folders.add(
      Handlers(stirred: look.begin) {
        settle()
        handler()
        look.lookLater()
      })
    // The events of a commit that is under way may be over, and the commit cannot be seen yet.
    look.lookLater()
  }
}

/// What moves on whenever somebody else commits, or the files become others.
struct DataVersion: Equatable {
  /// A connection counts from its own beginning, so that of another one says nothing.
  var generation: Int
  var commits: Int64
}

extension Database {
  /// Returns the version now, or the version that was read last while another thread has the connection
  /// that writes.
  ///
  /// With an older version, no later commit of others is missed. `nil` if no version was read before: the
  /// first comparison then reports a change, also if there was none.
  func dataVersionWithoutWaiting() -> DataVersion? {
    let version: DataVersion?
    if seats.isWritingHere {
      version = try? seats.lend(.look, orThrow: { $0 }) { (connection) throws(StorageError) in
        dataVersion(of: connection)
      }
    } else {
      version = seats.lookIfFree { dataVersion(of: $0) } ?? nil
    }
    return version ?? lastDataVersion.withLock { $0 }
  }

  /// Reads the version from the connection that writes.
  func dataVersion(of connection: borrowing Connection) -> DataVersion? {
    guard let commits = connection.externalVersion else { return nil }
    // Another connection counts from its own beginning.
    let opened = Int64(truncatingIfNeeded: seats.writerOpenCount) << 24
    let version = DataVersion(
      generation: seats.generation.load(ordering: .relaxed), commits: commits &+ opened)
    lastDataVersion.withLock { $0 = version }
    return version
  }
}

extension Connection {
  /// The number that grows when another connection commits to any of the databases; to be asked of the one that writes.
  /// (`PRAGMA data_version`)
  var externalVersion: Int64? {
    let numbers = Statement.numbers("data_version", on: raw)
    if numbers.isEmpty || numbers.contains(nil) { return nil }
    return numbers.reduce(0) { $0 &+ ($1 ?? 0) }
  }
}

/// Looks whether a stir was a commit of somebody else.
///
/// The log is written before its commit can be seen, so a look that comes too early is repeated
/// later. No event follows when the commit can be seen: its last step writes to shared memory, which
/// makes none.
private final class Look: Sendable {
  private struct State {
    var generation = 0
    var version: DataVersion?
    /// The number of the last stir: looks that were planned for earlier ones are left to those of this one.
    var stir = 0
  }

  // The last ones are for a busy disk, which may take longer than a minute to flush the log.
  private static let pauses: [DispatchTimeInterval] = [
    .microseconds(200), .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(300),
    .milliseconds(700), .seconds(4), .seconds(4), .seconds(8), .seconds(16), .seconds(32),
    .seconds(64),
  ]

  private let state = Mutex(State())
  private let handler: @Sendable () -> Void
  private let current: @Sendable () -> DataVersion?
  private let queue = DispatchQueue(label: "undercroft.sqlite-watch")

  init(_ handler: @escaping @Sendable () -> Void, _ current: @escaping @Sendable () -> DataVersion?)
  {
    self.handler = handler
    self.current = current
  }

  /// Compares with `version` from now on.
  func settle(_ version: DataVersion?, in generation: Int) {
    state.withLock { state in
      state.generation = generation
      state.version = version
    }
  }

  /// Looks now and several times later.
  @Sendable func begin() {
    let stir = nextStir()
    look()
    repeatLater(Self.pauses[...], for: stir)
  }

  /// Looks several times later, and does not wait for a writer now.
  func lookLater() { repeatLater(Self.pauses[...], for: nextStir()) }

  private func nextStir() -> Int {
    state.withLock { state in
      state.stir += 1
      return state.stir
    }
  }

  private func repeatLater(_ pauses: ArraySlice<DispatchTimeInterval>, for stir: Int) {
    guard let pause = pauses.first else { return }
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in
      guard let self, self.state.withLock({ $0.stir == stir }) else { return }
      self.look()
      self.repeatLater(pauses.dropFirst(), for: stir)
    }
  }

  private func look() {
    guard let version = current() else { return }
    let isNew = state.withLock { state in
      // Whoever has changed the files is about to settle this, and to tell.
      if version.generation != state.generation { return false }
      defer { state.version = version }
      return state.version != version
    }
    if isNew { handler() }
  }
}
