import Foundation
import UndercroftSQLite
import UndercroftSync

/// A benchmark of a server with files that answers packets of 50 operations, compared with SQL
/// statements that write the same rows into the same tables in the same transactions.
struct PushContest: Contestant {
  let name = "sync.push"

  private static let packetSize = 50

  private static var limits: SyncLimits {
    var limits = SyncLimits()
    limits.operations = packetSize
    return limits
  }

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let count = clock.isShort ? 500 : 10_000
    let recording = try record(count: count, in: directory)
    let written = try WrittenPackets(
      of: recording.store, rowCount: count, packetSize: Self.packetSize)
    var times: (ours: [Double], raw: [Double]) = ([], [])
    for run in 0..<clock.runs {
      // Alternate the order, so that neither is always first.
      for isOurs in run % 2 == 0 ? [true, false] : [false, true] {
        let store = directory.appending(path: "store")
        try FileManager.default.copyItem(at: recording.emptyStore, to: store)
        let time = try isOurs ? answer(recording.packets, at: store) : written.write(to: store)
        let packets = Double(count / Self.packetSize)
        if isOurs { times.ours.append(time / packets) } else { times.raw.append(time / packets) }
        try WrittenPackets.verify(store, rowCount: count)
        try FileManager.default.removeItem(at: store)
      }
    }
    func bytes(_ name: String, _ bytes: Int) -> Measurement {
      Measurement(
        name, unit: "B/operation", peerName: nil, ours: [Double(bytes) / Double(count)], raw: nil,
        peer: nil)
    }
    return [
      Measurement(
        "sync.push", unit: "ms/packet", peerName: nil, ours: times.ours, raw: times.raw, peer: nil,
        goal: 1.6),
      bytes("sync.push-bytes", recording.traffic.requestBytes),
      bytes("sync.push-answer-bytes", recording.traffic.answerBytes),
    ]
  }

  /// The packets of a device, and the store of the server before and after them.
  private struct Recording {
    let emptyStore: URL
    let store: URL
    let traffic: MeasuredPeer.Traffic
    var packets: [SyncRequest] { traffic.requests }
  }

  private func record(count: Int, in directory: URL) throws -> Recording {
    let store = directory.appending(path: "recorded")
    let empty = directory.appending(path: "empty")
    let database = try CopiedBook.makeDatabase(at: directory.appending(path: "device.sqlite"))
    // The scope and its epoch are created by the first request, and the packets name the epoch.
    try synchronise(database, with: store)
    try FileManager.default.copyItem(at: store, to: empty)
    try database.write { db in
      try CopiedBook.run(
        CopiedBook.insertion, with: CopiedBook.numbered(1...count)[...], in: db)
    }
    let traffic = try synchronise(database, with: store)
    try database.close()
    guard traffic.requests.count == count / Self.packetSize else {
      throw BenchmarkFailure("\(traffic.requests.count) packets")
    }
    return Recording(emptyStore: empty, store: store, traffic: traffic)
  }

  @discardableResult
  private func synchronise(_ database: Database, with folder: URL) throws -> MeasuredPeer.Traffic {
    let store = try SQLiteSyncStore(at: folder)
    let peer = MeasuredPeer(SyncServer(of: store, limits: Self.limits), storesRequests: true)
    try peer.engine(of: database).syncAndWait()
    try store.close()
    return peer.traffic(of: .push)
  }

  /// Returns the milliseconds in which a server answers the packets.
  private func answer(_ packets: [SyncRequest], at folder: URL) throws -> Double {
    let store = try SQLiteSyncStore(at: folder)
    let server = SyncServer(of: store, limits: Self.limits)
    let duration = try ContinuousClock().measure {
      for packet in packets {
        _ = try server.respond(to: packet, account: MeasuredPeer.account)
      }
    }
    try store.close()
    return duration / .milliseconds(1)
  }
}
