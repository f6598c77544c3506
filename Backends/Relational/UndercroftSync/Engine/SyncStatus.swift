public import UndercroftCore

/// The state of an engine at one time.
public struct SyncStatus: Sendable {
  /// The activity of an engine.
  public enum State: Sendable, Hashable {
    /// The engine waits for a trigger.
    case idle
    /// The engine asks the server for changes.
    case pulling
    /// The engine applies pulled changes.
    case executing
    /// The engine assigns sequence numbers to captured changes, before they are sent.
    case sealing
    /// The engine sends changes.
    case pushing
    /// The last synchronisation has failed; see ``SyncStatus/lastError``.
    case failed
    /// Synchronisation was switched off.
    case disabled
  }

  /// The activity of the engine.
  public var state = State.idle
  /// The number of local changes without a result from the server.
  ///
  /// Before ``SyncEngine/start()``, the number is that of the end of the last synchronisation.
  public var pending = 0
  /// The number of changes that have a sequence number for sending, but no result yet.
  ///
  /// If ``state`` is ``State/failed``, the next synchronisation sends these changes again.
  public var unacknowledged = 0
  /// The number of pulled changes that are not applied.
  public var staged = 0
  /// The number of open conflicts.
  public var conflicts = 0
  /// The version of the scope up to which the database contains all changes.
  public var cursor: Int64 = 0
  /// The latest known version of the scope on the server.
  public var head: Int64 = 0
  /// The policies of the engine's tables that differ from the policies that the server announced
  /// last.
  ///
  /// The server decides by its own policies.
  public var policyMismatches: [PolicyMismatch] = []
  /// The reason for which the last synchronisation has failed, or `nil` if it has succeeded.
  public var lastError: StorageError?

  /// The number of versions of the server that the database does not contain yet.
  public var lag: Int64 { max(0, head &- cursor) }

  init() {}
}
