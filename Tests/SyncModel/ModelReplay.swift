import Foundation
import UndercroftCore
import UndercroftSync

/// The replay of one history of the model with replicas and a server of this library.
final class ModelReplay {
  /// An encoded request, and the server's encoded answer, which is empty before the server answers.
  private struct Message {
    let endpoint: SyncRequest.Endpoint
    let request: Data
    var answer = Data()
  }

  private let clock: ModelClock
  private let server: ModelServer
  private var devices: [ModelDevice] = []
  private var backups: [ModelDevice] = []
  /// The packets that the device of the latest step `packets` would send.
  private var packets: [SyncPacket] = []
  private var requests: [Int64: Message] = [:]
  private var answers: [Int64: Message] = [:]

  init(_ start: JSONValue, without mutations: Set<SyncMutation>) throws {
    clock = ModelClock(without: mutations)
    server = ModelServer(policy: start["policy"].text, clock: clock)
    for device in start["devices"].elements {
      clock.expectReplica(device["replica"].text)
      devices.append(
        try ModelDevice(
          schemaVersion: device["schema"].integer, skew: device["skew"].integer, clock: clock))
    }
  }

  /// Repeats a step, and compares its results with those of the model.
  ///
  /// - Throws: ``ModelMismatch`` if the results differ, and the error of a call that must not fail.
  func perform(_ kind: String, _ line: JSONValue) throws {
    if !line["now"].isNull { clock.now = line["now"].integer }
    if !line["state"]["replica"].isNull { clock.expectReplica(line["state"]["replica"].text) }
    switch kind {
    case "serve": return try serve(line)
    case "crash": return server.server.dropHeldPackets()
    case "compact", "backUpServer", "restoreServer", "end": return try manage(kind, line)
    case "start": return
    default: break
    }
    let number = Int(line["c"].integer)
    let concerned = try act(kind, number, line)
    guard !line["state"].isNull else { return }
    try ModelMismatch.require(
      devices[concerned].state(), equals: line["state"], "device \(concerned)")
  }

  /// Repeats a step of a device, and returns the number of the device whose state is compared.
  private func act(_ kind: String, _ number: Int, _ line: JSONValue) throws -> Int {
    let replica = devices[number].replica
    switch kind {
    case "edit": try devices[number].edit(line["sql"].elements)
    case "seal": _ = try replica.seal(limit: Int(line["limit"].integer))
    case "execute": _ = try replica.execute(limit: Int(line["limit"].integer))
    case "upgrade": try devices[number].upgrade()
    case "receive": try receive(answers[line["answer"].integer], by: replica)
    case "packets":
      packets = try replica.packets(operations: Int(line["size"].integer), bytes: 1 << 20)
      try ModelMismatch.require(
        .array(packets.map(\.traced)), equals: line["packets"], "packets of device \(number)")
    case "push":
      let packet = packets[Int(line["index"].integer)]
      requests[line["mid"].integer] = Message(endpoint: .push, request: try packet.encoded())
    case "pull":
      let request = try replica.pullRequest(limit: Int(line["limit"].integer))
      requests[line["mid"].integer] = Message(endpoint: .pull, request: try request.encoded())
    case "backup": backups.append(try devices[number].copy())
    case "restore": devices[number] = backups.remove(at: Int(line["index"].integer))
    case "clone":
      devices.append(try devices[number].copy())
      return devices.count - 1
    default: throw ModelMismatch("the step is unknown")
    }
    return number
  }

  private func receive(_ message: Message?, by replica: Replica) throws {
    guard let message else { throw ModelMismatch("the library has not sent the answer") }
    if message.endpoint == .push {
      try replica.accept(
        try PushAnswer(decoding: message.answer), for: try SyncPacket(decoding: message.request))
    } else {
      try replica.accept(
        try PullAnswer(decoding: message.answer), for: try PullRequest(decoding: message.request))
    }
  }

  // MARK: Server

  private func serve(_ line: JSONValue) throws {
    guard var message = requests[line["mid"].integer] else {
      throw ModelMismatch("the library has not sent the request")
    }
    let head = try server.head
    message.answer = try server.respond(to: message.endpoint, message.request)
    answers[line["aid"].integer] = message
    try ModelMismatch.require(
      Self.summary(of: message), equals: line["answer"], "\(message.endpoint) answer")
    try ModelMismatch.require(server.state(after: head), equals: line["state"], "server")
  }

  private static func summary(of message: Message) throws -> JSONValue {
    guard message.endpoint == .push else {
      switch try PullAnswer(decoding: message.answer) {
      case .refused(let refusal): return summary(of: refusal)
      case .page(let page):
        return .members([
          "to": .digits(page.to), "more": .bool(page.hasMore),
          "through": .digits(page.appliedThrough.count),
          "rows": .array(
            page.rows.map { row in
              .array([
                .string(row.dataIdentifier.text), .digits(row.version),
                .integer(row.fields == nil ? 1 : 0),
              ])
            }),
        ])
      }
    }
    switch try PushAnswer(decoding: message.answer) {
    case .refused(let refusal): return summary(of: refusal)
    case .held: return .members(["held": .bool(true), "results": .array([])])
    case .results(let results):
      return .members([
        "held": .bool(false),
        "results": .array(
          results.results.map { result in
            .array([
              .digits(result.sequence), .string(result.status.rawValue), .digits(result.version),
            ])
          }),
      ])
    }
  }

  private static func summary(of refusal: SyncRefusal) -> JSONValue {
    let name =
      switch refusal {
      case .forked: "forked"
      case .epoch: "epoch"
      case .reset: "reset"
      default: "\(refusal)"
      }
    return .members(["error": .string(name)])
  }

  private func manage(_ kind: String, _ line: JSONValue) throws {
    switch kind {
    case "compact":
      try server.server.compact(ModelDevice.scope, through: line["floor"].integer)
    case "backUpServer": return server.backUp()
    case "restoreServer": try server.restore()
    default: try compareEnd(line)
    }
    try ModelMismatch.require(server.state(), equals: line["state"], "server")
  }

  private func compareEnd(_ line: JSONValue) throws {
    try ModelMismatch.require(
      server.conflicts(), equals: .array(line["conflicts"].elements.sortedByText), "conflicts")
    let request = DigestRequest(scope: ModelDevice.scope, version: try server.head)
    let digest = try server.server.digest(request, account: ModelDevice.account).digest
    for (number, device) in devices.enumerated() where try device.digest() != digest {
      throw ModelMismatch(
        "the digest of device \(number) is \(try device.digest()), and not \(digest)")
    }
  }
}
