import UndercroftCore

/// The division of sealed operations into packets.
package enum PacketSplitter {
  /// The maximum number of bytes of an operation, which leaves room in a message for the other
  /// members of the packet.
  package static let maximumOperationBytes = SyncLimits.messageBytes - (64 << 10)

  /// Returns the operations in runs of consecutive numbers that are within the limits.
  ///
  /// An atomic group is never divided, and a run has at least one operation or group.
  ///
  /// - Parameters:
  ///   - operations: the operations in the order of their numbers.
  ///   - count: the largest number of operations in a packet.
  ///   - bytes: the largest sum of the sizes of the operations of a packet.
  ///   - packets: the largest number of packets.
  ///   - size: a function that returns the number of bytes of an operation.
  package static func split(
    _ operations: [SyncOperation], count: Int, bytes: Int, packets: Int = .max,
    size: (SyncOperation) -> Int
  ) -> [[SyncOperation]] {
    var runs: [[SyncOperation]] = []
    var current: [SyncOperation] = []
    var currentBytes = 0
    for unit in units(of: operations) {
      let unitBytes = unit.reduce(0) { $0 + size($1) }
      let isConsecutive = current.last.map { follows(unit[unit.startIndex], $0) } ?? true
      let fits = current.count + unit.count <= count && currentBytes + unitBytes <= bytes
      if !current.isEmpty, !isConsecutive || !fits {
        runs.append(current)
        if runs.count >= packets { return runs }
        current = []
        currentBytes = 0
      }
      current += unit
      currentBytes += unitBytes
    }
    if !current.isEmpty { runs.append(current) }
    return runs
  }

  /// Returns the parts that are never divided: atomic groups, and single operations.
  private static func units(of operations: [SyncOperation]) -> [ArraySlice<SyncOperation>] {
    var units: [ArraySlice<SyncOperation>] = []
    var start = operations.startIndex
    for index in operations.indices {
      let next = operations.index(after: index)
      if next < operations.endIndex, let group = operations[index].group,
        operations[next].group?.exact == group.exact, follows(operations[next], operations[index])
      {
        continue
      }
      units.append(operations[start..<next])
      start = next
    }
    return units
  }

  private static func follows(_ next: SyncOperation, _ previous: SyncOperation) -> Bool {
    next.sequence == previous.sequence &+ 1
  }
}
