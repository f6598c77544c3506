import UndercroftCore
import UndercroftSync

extension SimulatedServer {
  func head(of scope: ScopeIdentifier) throws -> Int64 {
    try store.inspect(scope) { try $0.scope()?.head ?? 0 }
  }

  func epoch(of scope: ScopeIdentifier) throws -> Epoch? {
    try store.inspect(scope) { try $0.scope()?.epoch }
  }

  /// Returns whether the server has processed all operations of a message.
  ///
  /// A packet that waited for an earlier packet is discarded when the server ends. If the device of
  /// the packet was then restored from a backup, the operations were never processed, so a later
  /// arrival of the packet is not a repetition.
  func hasProcessed(_ message: SimulatedMessage) throws -> Bool {
    guard message.endpoint == .push, message.answer == nil else { return true }
    let packet = try SyncPacket(decoding: message.request)
    return try store.inspect(packet.scope) { reader in
      guard let replica = try reader.replica(packet.replica) else { return true }
      return packet.operations.allSatisfy { $0.sequence <= replica.lastSequence }
    }
  }

  /// Returns all rows and conflicts of a scope, as a new replica pulls them.
  func contents(of scope: ScopeIdentifier) throws -> [SyncPage] {
    guard let epoch = try epoch(of: scope) else { return [] }
    var pages: [SyncPage] = []
    while pages.last.map(\.hasMore) ?? true {
      let request = PullRequest(
        scope: scope, epoch: epoch, replica: "observer",
        cursor: pages.last?.to ?? 0, mode: .snapshot, snapshotFloor: pages.first?.floor)
      let answer = try server.pull(request, account: SimulatedDevice.account)
      guard case .page(let page) = answer else {
        throw SimulationViolation(
          .quiescence,
          """
          the server has not answered a pull request with a page: the request asked for the \
          snapshot of the scope \(quoted(scope.text)) after version \(request.cursor), and the \
          answer is \(answer)
          """)
      }
      pages.append(page)
    }
    return pages
  }
}
