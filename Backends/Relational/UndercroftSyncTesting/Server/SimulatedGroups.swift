import UndercroftCore
import UndercroftSync

/// The atomic groups that have arrived at a server, and their outcomes.
struct SimulatedGroups {
  /// The name of the part of a group that belongs to a scope.
  ///
  /// Each scope applies its part independently of the others.
  struct Name: Hashable, CustomStringConvertible {
    let scope: ScopeIdentifier
    let group: String

    var description: String { "the group \(quoted(group)) in the scope \(quoted(scope.text))" }
  }

  /// The lists of operations that packets have contained for each group, keyed by the name of the
  /// group.
  ///
  /// A group has several lists if copies of a file have sent different parts of the group.
  private var lists: [Name: Set<[OperationIdentifier]>] = [:]
  /// The names of the groups that were applied, at least once.
  private(set) var applied: Set<Name> = []
  /// The names of the groups that were processed and not applied.
  private(set) var aborted: Set<Name> = []

  mutating func add(_ packet: SyncPacket) {
    for run in packet.groups {
      guard let group = run.first?.group else { continue }
      lists[Name(scope: packet.scope, group: group), default: []].insert(
        run.map(\.operationIdentifier))
    }
  }

  /// Reads the results of all groups of a scope, and throws if only a part of a group was processed
  /// or applied.
  ///
  /// - Parameter hasCopies: whether database files were copied, or restored from a backup. If
  ///   `true`, no error is thrown for a packet of which the server has processed only a part of the
  ///   group. Another copy of the file can have sent this part.
  mutating func check(
    _ reader: any SyncServerReader, in scope: ScopeIdentifier, hasCopies: Bool
  ) throws {
    let sorted = lists.filter { $0.key.scope == scope }
      .sorted { $0.key.group < $1.key.group }
    for (name, lists) in sorted {
      for list in lists {
        let results = try list.map { try reader.operation($0)?.status() }
        let known = results.compactMap(\.self)
        if known.isEmpty || known.count < list.count && hasCopies { continue }
        let appliedCount = known.count { $0 == .applied || $0 == .absorbed }
        guard known.count == list.count, appliedCount == 0 || appliedCount == list.count else {
          throw SimulationViolation(
            .atomicity,
            """
            the server must not process or apply only a part of \(name), but has processed \
            \(known.count) and applied \(appliedCount) of the \(list.count) operations: \
            \(results.map { $0?.rawValue ?? "unknown" }.joined(separator: ", "))
            """)
        }
        if appliedCount > 0 { applied.insert(name) } else { aborted.insert(name) }
      }
    }
  }
}
