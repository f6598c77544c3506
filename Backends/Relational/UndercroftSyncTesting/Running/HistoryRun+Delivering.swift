import UndercroftCore
import UndercroftFoundation
import UndercroftSync

extension HistoryRun {
  /// Delivers the messages that are due.
  func deliver() throws {
    for message in network.due() {
      context.reseed(message.seed)
      if message.answer == nil { try deliverRequest(message) } else { try deliverAnswer(message) }
    }
  }

  private func deliverRequest(_ message: SimulatedMessage) throws {
    var random = SimulationRandom(seed: message.seed &+ 1)
    guard let request = try received(message.request, &random) else {
      return try expectRejection(message.request) { data in
        _ = try self.server.server.respond(
          to: SyncRequest(message.endpoint, body: data), account: SimulatedDevice.account)
      }
    }
    guard let body = try server.respond(to: message.endpoint, request) else {
      trace?("  the server ends during the \(message.endpoint) of device \(message.device)")
      return
    }
    trace?(
      "  server answers \(message.endpoint) of device \(message.device): "
        + String(decoding: body.prefix(600), as: UTF8.self))
    delivered.append(message)
    network.send(
      SimulatedMessage(
        endpoint: message.endpoint, device: message.device, request: message.request,
        answer: body, seed: random.seed()))
  }

  private func deliverAnswer(_ message: SimulatedMessage) throws {
    guard let device = devices[message.device], let answer = message.answer else { return }
    var random = SimulationRandom(seed: message.seed &+ 2)
    guard let answer = try received(answer, &random) else {
      return try expectRejection(answer) { data in
        switch message.endpoint {
        case .push: _ = try PushAnswer(decoding: data)
        case .hello: _ = try HelloAnswer(decoding: data)
        default: _ = try PullAnswer(decoding: data)
        }
      }
    }
    delivered.append(message)
    let knowsRequest = !plan.profile.hasFaults || random.chance(0.9)
    trace?("  device \(message.device) receives the answer to a \(message.endpoint)")
    let isDone: Void? = try device.run {
      try self.accept(answer, message, on: device, knowsRequest: knowsRequest)
    }
    if isDone == nil { trace?("  device \(message.device) ends") }
  }

  private func accept(
    _ answer: Data, _ message: SimulatedMessage, on device: SimulatedDevice, knowsRequest: Bool
  ) throws {
    switch message.endpoint {
    case .push:
      let packet = try SyncPacket(decoding: message.request)
      try device.replica(of: packet.scope).accept(
        try PushAnswer(decoding: answer), for: knowsRequest ? packet : nil)
    case .hello:
      for scope in try HelloAnswer(decoding: answer).scopes {
        let replica = device.replica(of: scope.scope)
        guard try replica.state().epoch == nil else { continue }
        try replica.accept(.refused(.epoch(scope.epoch)) as PushAnswer)
      }
    default:
      let request = try PullRequest(decoding: message.request)
      try device.replica(of: request.scope).accept(
        try PullAnswer(decoding: answer), for: knowsRequest ? request : nil)
    }
  }

  // MARK: Truncated messages

  /// Returns the message if it arrives completely, or `nil` if it is truncated.
  private func received(_ data: Data, _ random: inout SimulationRandom) throws -> Data? {
    guard network.duplicationRate > 0, random.chance(0.02) else { return data }
    counters[.truncations] += 1
    return nil
  }

  private func expectRejection(_ data: Data, _ body: (Data) throws -> Void) throws {
    let part = data.prefix(data.count / 2)
    do { try body(Data(part)) } catch is StorageError { return }
    throw SimulationViolation(
      .truncation,
      """
      a truncated message must be rejected, but the first \(part.count) of the \(data.count) \
      bytes of a message were accepted: \(String(decoding: part, as: UTF8.self))
      """)
  }
}
