import Synchronization
import UndercroftCore

/// The packets that wait for earlier operations of their replicas.
///
/// The packets are in memory only. Any packet can be dropped at any time, because a replica sends a
/// packet again until the replica has the results.
final class HeldPackets: Sendable {
  private struct Held {
    let packet: SyncPacket
    let account: String
    let bytes: Int
    let receivedAt: Int64

    func isExpired(at now: Int64) -> Bool {
      now.subtractingReportingOverflow(receivedAt).partialValue > lifetime
    }
  }

  private struct Author: Hashable {
    let scope: ScopeIdentifier
    let replica: ReplicaIdentifier
  }

  private struct State {
    var packets: [Author: [Int64: Held]] = [:]
    var bytes = 0

    mutating func remove(_ sequence: Int64, of author: Author) -> Held? {
      guard let held = packets[author]?.removeValue(forKey: sequence) else { return nil }
      if packets[author]?.isEmpty == true { packets[author] = nil }
      bytes -= held.bytes
      return held
    }

    mutating func removeExpired(at now: Int64) {
      for (author, packets) in packets {
        for (sequence, held) in packets where held.isExpired(at: now) {
          _ = remove(sequence, of: author)
        }
      }
    }
  }

  /// The milliseconds after which a packet is dropped.
  static let lifetime: Int64 = 600_000
  /// The maximum number of bytes of all packets together; each packet counts as at least 1 KiB.
  static let maximumBytes = 64 << 20

  /// The maximum number of packets of each replica.
  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// The number of packets, for tests.
  var count: Int { state.withLock { $0.packets.values.reduce(0) { $0 + $1.count } } }

  /// Stores a packet, unless too many packets of its replica are stored, or the stored packets
  /// together have too many bytes.
  ///
  /// If a stored packet of the same replica begins with the same operation, the new packet replaces
  /// it.
  func hold(_ packet: SyncPacket, account: String, at now: Int64) {
    guard let first = packet.operations.first?.sequence,
      let encoded = try? packet.encoded()
    else { return }
    let author = Author(scope: packet.scope, replica: packet.replica)
    let bytes = max(encoded.count, 1024)
    state.withLock { state in
      if state.bytes > Self.maximumBytes / 2 { state.removeExpired(at: now) }
      _ = state.remove(first, of: author)
      guard state.packets[author, default: [:]].count < limit,
        bytes <= Self.maximumBytes - state.bytes
      else { return }
      state.packets[author, default: [:]][first] = Held(
        packet: packet, account: account, bytes: bytes, receivedAt: now)
      state.bytes += bytes
    }
  }

  /// Removes and returns the first packet of a replica, if the first operation of this packet has a
  /// sequence number of at most `sequence + 1`.
  ///
  /// Returns `nil` if there is no such packet. Packets that are expired or from another account are
  /// dropped.
  func next(
    of replica: ReplicaIdentifier, in scope: ScopeIdentifier, account: String,
    after sequence: Int64, at now: Int64
  ) -> SyncPacket? {
    let author = Author(scope: scope, replica: replica)
    return state.withLock { state in
      while let first = state.packets[author]?.keys.min(), first <= sequence &+ 1,
        let held = state.remove(first, of: author)
      {
        if !held.isExpired(at: now), held.account.exact == account.exact { return held.packet }
      }
      return nil
    }
  }

  func removeAll(in scope: ScopeIdentifier) {
    state.withLock { state in
      for (author, packets) in state.packets where author.scope == scope {
        for sequence in packets.keys { _ = state.remove(sequence, of: author) }
      }
    }
  }

  func removeAll() { state.withLock { $0 = State() } }
}
