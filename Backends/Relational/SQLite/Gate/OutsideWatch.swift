import Dispatch
import Synchronization
import UndercroftCore
import UndercroftFileSystem

/// Calls back after commits of other processes and other connections, until it is released.
///
/// A stir in the database's folder says that somebody may have written, and `PRAGMA data_version` whether it was somebody else.
final class OutsideWatch: ExternalWatch {
  private let look: Look
  private let folder: FolderWatch?

  init(
    of database: Database, _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let path = try database.location.map { url throws(StorageError) in
      try DatabaseFile.path(of: url)
    }
    // Whoever is writing is not waited for; the first look will then tell of a change that may be none.
    let version = database.seats.lookIfFree { $0.externalVersion }
    let look = Look(handler, from: version ?? nil) { [weak database] in
      try? database?.seats.lend(.look, orThrow: { $0 }) { (connection) throws(StorageError) in
        connection.externalVersion
      }
    }
    self.look = look
    // Nobody else can reach a database in memory.
    folder = try path.map { path throws(StorageError) in
      try FolderWatch(Folder.parent(of: path)) { look.begin() }
    }
  }
}

extension Connection {
  /// The number that changes when another connection commits; to be asked of the one that writes. (`PRAGMA data_version`)
  var externalVersion: Int64? { (try? integer("PRAGMA data_version")) ?? nil }
}

/// Looks whether a stir was a commit of somebody else.
///
/// The log is written before its commit can be seen, so a look that comes too early is repeated a little later.
private final class Look: Sendable {
  private struct State {
    var version: Int64?
    /// The number of the last stir: looks that were planned for earlier ones are left to those of this one.
    var stir = 0
  }

  private static let pauses: [DispatchTimeInterval] = [
    .microseconds(200), .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(300),
  ]

  private let state: Mutex<State>
  private let handler: @Sendable () -> Void
  private let current: @Sendable () -> Int64?
  private let queue = DispatchQueue(label: "undercroft.sqlite-watch")

  init(
    _ handler: @escaping @Sendable () -> Void, from version: Int64?,
    _ current: @escaping @Sendable () -> Int64?
  ) {
    self.handler = handler
    self.current = current
    state = Mutex(State(version: version))
  }

  func begin() {
    let stir = state.withLock { state in
      state.stir += 1
      return state.stir
    }
    look()
    repeatLater(Self.pauses[...], for: stir)
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
      defer { state.version = version }
      return state.version != version
    }
    if isNew { handler() }
  }
}
