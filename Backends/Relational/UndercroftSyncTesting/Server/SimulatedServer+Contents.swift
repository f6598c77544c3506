import UndercroftCore
import UndercroftSync

extension SimulatedServer {
  func head() throws -> Int64 {
    try store.inspect(SimulatedDevice.scope) { try $0.scope()?.head ?? 0 }
  }

  func epoch() throws -> Epoch? {
    try store.inspect(SimulatedDevice.scope) { try $0.scope()?.epoch }
  }

  /// Returns all rows and conflicts, as a new replica pulls them.
  func contents() throws -> [SyncPage] {
    guard let epoch = try epoch() else { return [] }
    var pages: [SyncPage] = []
    while pages.last.map(\.hasMore) ?? true {
      let request = PullRequest(
        scope: SimulatedDevice.scope, epoch: epoch, replica: "observer",
        cursor: pages.last?.to ?? 0, mode: .snapshot, snapshotFloor: pages.first?.floor)
      let answer = try server.pull(request, account: SimulatedDevice.account)
      guard case .page(let page) = answer else {
        throw SimulationViolation(
          .quiescence,
          "the server refuses the snapshot after version \(request.cursor): \(answer)")
      }
      pages.append(page)
    }
    return pages
  }
}
