/// The numbers of events in histories, which show that faults have happened.
public struct SimulationCounters: Sendable, Hashable {
  /// A kind of event.
  ///
  /// A campaign should contain at least one event of every kind.
  public enum Event: String, Sendable, Hashable, CaseIterable {
    /// A change by a user.
    case edits = "edits"
    /// A history whose devices synchronise two scopes.
    case severalScopes = "histories with two scopes"
    /// A history whose devices only send one of their scopes.
    case oneWayScopes = "histories with a one-way scope"
    /// A history in which two processes synchronise the file of each device.
    case twoProcesses = "histories with two processes"
    /// A step that a process did not make, because the other process had the lease.
    case refusedLeases = "refused leases"
    /// A row that all devices had before the first fault.
    case initialRows = "initial rows"
    /// A change of all rows that meet a condition.
    case batches = "batches"
    /// A transaction of a user whose changes are an atomic group.
    case groups = "atomic groups"
    /// An atomic group of which the server has applied nothing.
    case abortedGroups = "aborted groups"
    /// An answer of a user to a conflict.
    case answers = "answers"
    /// A conflict that a second device has answered before it received the answer of the first.
    case doubleAnswers = "double answers"
    /// An answer that was refused, because the conflict was unknown or had an answer.
    case refusedAnswers = "refused answers"
    /// An answer to a conflict that was still open after the devices were synchronised.
    case finalAnswers = "final answers"
    /// A message that was lost.
    case drops = "drops"
    /// A message that arrived twice.
    case duplicates = "duplicates"
    /// A message of which only a part arrived.
    case truncations = "truncations"
    /// The end of a device's process in the middle of a call.
    case deviceCrashes = "device crashes"
    /// The end of the server's process in the middle of a request.
    case serverCrashes = "server crashes"
    /// A copy of a device's file that became another device.
    case clones = "clones"
    /// A file of a device that was restored from a backup.
    case restores = "restores"
    /// A removal of tombstones and old operations.
    case compactions = "compactions"
    /// A server that was restored from a backup.
    case timelines = "server restores"
    /// A packet that waited for earlier operations.
    case heldPackets = "held packets"
    /// A packet that was dropped because too many packets waited for earlier operations.
    case heldOverflows = "held overflows"
    /// A packet that showed that the file of its replica was copied or restored.
    case forks = "forks"
    /// A replica that got a new identity.
    case reidentifications = "reidentifications"
    /// A replica that pulled a snapshot.
    case snapshots = "snapshots"
    /// An operation that the server already knew from another replica.
    case duplicateOperations = "duplicate operations"
    /// An operation that has absorbed another operation that the server already knew.
    case absorbedOverlaps = "absorbed overlaps"
    /// A device that got a new version of the schema.
    case upgrades = "upgrades"
  }

  private var events: [Event: Int] = [:]
  /// The numbers of conflicts by their kinds.
  public internal(set) var conflicts: [String: Int] = [:]
  /// The number of histories whose events are counted.
  public internal(set) var histories = 0

  /// Creates counters without events.
  public init() {}

  /// The number of events of a kind.
  public internal(set) subscript(event: Event) -> Int {
    get { events[event, default: 0] }
    set { events[event] = newValue }
  }

  /// Adds the counters of other histories to these counters.
  public mutating func add(_ other: SimulationCounters) {
    events.merge(other.events) { $0 + $1 }
    conflicts.merge(other.conflicts) { $0 + $1 }
    histories += other.histories
  }
}

extension SimulationCounters: CustomStringConvertible {
  public var description: String {
    let counts = Event.allCases.map { "\(self[$0]) \($0.rawValue)" }
    let kinds = conflicts.keys.sorted().map { "\(conflicts[$0, default: 0]) conflicts \($0)" }
    return (["\(histories) histories"] + counts + kinds).joined(separator: ", ")
  }
}
