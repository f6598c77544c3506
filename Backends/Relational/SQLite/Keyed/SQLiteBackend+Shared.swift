import Dispatch
import Synchronization
public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The number that moves on with every commit of another connection, and when it was asked for last.
struct ExternalVersion {
  var number: UInt64 = 0
  var asked: ContinuousClock.Instant?
}

extension SQLiteBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    guard location != nil else { return 0 }
    return version.withLock { version in
      let now = ContinuousClock.now
      if let asked = version.asked, now - asked < .milliseconds(3) { return version.number }
      // Whoever holds the connection for long must not hold up a look at a setting.
      if let number = database.seats.lookIfFree({ Self.version(in: $0) }), let number {
        version.number = number
        version.asked = now
      }
      return version.number
    }
  }

  /// Returns the version that changes when another connection commits. (`PRAGMA data_version`)
  private static func version(in connection: borrowing Connection) -> UInt64? {
    guard let number = try? connection.integer("PRAGMA data_version") else { return nil }
    return UInt64(bitPattern: number)
  }

  public func watchExternalChanges(
    _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) -> any ExternalWatch {
    guard let path = location?.path(percentEncoded: false) else { return NoWatch() }
    let look = Look(handler, from: try current()) { [weak self] in
      (try? self?.current()) ?? nil
    }
    return try FolderWatch(Folder.parent(of: path)) { look.begin() }
  }

  private func current() throws(StorageError) -> UInt64? {
    try database.seats.lend(.look, orThrow: { $0 }) { (connection) throws(StorageError) in
      Self.version(in: connection)
    }
  }
}

/// Nobody else can reach a database in memory.
private final class NoWatch: ExternalWatch {}

/// Looks whether a stir in the folder was a commit of somebody else.
///
/// The log is written before its commit can be seen, so a look that comes too early is repeated a little later.
private final class Look: Sendable {
  private struct State {
    var number: UInt64?
    var isPending = false
  }

  private static let pauses: [DispatchTimeInterval] = [
    .milliseconds(2), .milliseconds(20), .milliseconds(300),
  ]

  private let state: Mutex<State>
  private let handler: @Sendable () -> Void
  private let current: @Sendable () -> UInt64?
  private let queue = DispatchQueue(label: "undercroft.sqlite-watch")

  init(
    _ handler: @escaping @Sendable () -> Void, from number: UInt64?,
    _ current: @escaping @Sendable () -> UInt64?
  ) {
    self.handler = handler
    self.current = current
    state = Mutex(State(number: number))
  }

  func begin() {
    let isFirst = state.withLock { state in
      defer { state.isPending = true }
      return !state.isPending
    }
    look()
    guard isFirst else { return }
    repeatLater(Self.pauses[...])
  }

  private func repeatLater(_ pauses: ArraySlice<DispatchTimeInterval>) {
    guard let pause = pauses.first else {
      state.withLock { $0.isPending = false }
      // A stir after the last look and before this line has begun nothing of its own.
      return look()
    }
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in
      self?.look()
      self?.repeatLater(pauses.dropFirst())
    }
  }

  private func look() {
    guard let number = current() else { return }
    let isNew = state.withLock { state in
      defer { state.number = number }
      return state.number != number
    }
    if isNew { handler() }
  }
}
