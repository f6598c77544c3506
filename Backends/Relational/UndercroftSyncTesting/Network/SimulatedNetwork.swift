import UndercroftFoundation
import UndercroftSync

/// A message on its way to the server, or an answer on its way to a device.
struct SimulatedMessage {
  let endpoint: SyncRequest.Endpoint
  /// The number of the device that sent the request.
  let device: Int
  let request: Data
  /// The answer of the server, or `nil` if the message is a request.
  var answer: Data?
  /// The seed that determines whether the message is lost, repeated, delayed or truncated.
  let seed: UInt64
}

/// A network, which can lose, repeat and delay messages.
struct SimulatedNetwork {
  private struct Entry {
    let due: Int
    let order: UInt64
    let message: SimulatedMessage
  }

  /// The simulated time, in steps of the history.
  private(set) var tick = 0
  private(set) var dropRate = 0.0
  private(set) var duplicationRate = 0.0
  private(set) var hasDelays = false
  private var entries: [Entry] = []
  private(set) var dropCount = 0
  private(set) var duplicateCount = 0

  mutating func advance() { tick += 1 }

  /// Begins to lose, repeat and delay messages as a plan states.
  mutating func disturb(_ plan: SimulationPlan) {
    dropRate = plan.dropRate
    duplicationRate = plan.duplicationRate
    hasDelays = plan.hasDelays
  }

  /// Discards all messages in transit, and stops losing, repeating and delaying messages.
  mutating func heal() {
    entries = []
    dropRate = 0
    duplicationRate = 0
    hasDelays = false
  }

  mutating func send(_ message: SimulatedMessage) {
    var random = SimulationRandom(seed: message.seed)
    if random.chance(dropRate) {
      dropCount += 1
      return
    }
    let copies = random.chance(duplicationRate) ? 2 : 1
    duplicateCount += copies - 1
    for _ in 0..<copies {
      let delay = hasDelays ? random.choose(0, 1, 2, 5, 15, 40) : 0
      entries.append(Entry(due: tick + delay, order: random.seed(), message: message))
    }
  }

  /// Removes and returns the messages that arrive now.
  mutating func due() -> [SimulatedMessage] {
    let arriving = entries.filter { $0.due <= tick }
      .sorted { ($0.due, $0.order) < ($1.due, $1.order) }
    entries.removeAll { $0.due <= tick }
    return arriving.map(\.message)
  }
}
