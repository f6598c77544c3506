import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Returns packets with the oldest operations whose results have not arrived.
  ///
  /// There are at most ``SyncLimits/window`` packets, and none before the first pull.
  ///
  /// - Parameters:
  ///   - count: the largest number of operations in a packet.
  ///   - bytes: the maximum number of bytes of a packet with more than one operation.
  func packets(operations count: Int, bytes: Int) throws -> [SyncPacket] {
    guard let epoch = state.epoch else { return [] }
    let (count, window) = (max(1, count), max(1, limits.window))
    var sizes: [OperationIdentifier: Int] = [:]
    var (operations, total) = ([SyncOperation](), 0)
    var chains: [Int64: OperationChain] = [:]
    try forEachSent { entry in
      let operation = try encrypted(entry.operation)
      let size = operation.byteCount
      // Operations that do not fit into the packets of one window are sent later.
      let isComplete =
        operations.last?.group == nil
        || operations.last?.group?.exact != operation.group?.exact
      if isComplete, total / window >= bytes || operations.count / window >= count {
        return .stop
      }
      operations.append(operation)
      chains[operation.sequence] = entry.chain
      sizes[operation.operationIdentifier] = size
      total += size
      return .continue
    }
    let runs = PacketSplitter.split(operations, count: count, bytes: bytes, packets: window) {
      sizes[$0.operationIdentifier] ?? 0
    }
    return runs.map { run in
      SyncPacket(
        scope: state.scope, epoch: epoch, replica: state.replica, schemaVersion: schemaVersion,
        packet: environment.makeIdentifier(), resultsThrough: state.resultsThrough,
        after: run.first.flatMap { chains[$0.sequence] } ?? OperationChain(), operations: run)
    }
  }
}
