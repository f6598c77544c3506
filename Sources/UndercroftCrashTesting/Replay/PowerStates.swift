import UndercroftTesting

/// The disk states that a power failure at one point may leave.
///
/// An operation is pending if no flush has made it durable. For up to ten pending operations, the
/// states contain every combination of lost operations. If more than ten operations are pending,
/// the surviving operations are: every prefix of the pending operations, all operations except one,
/// one operation alone, and seeded random choices. In addition, writes are torn at sectors and
/// pages, and one file at a time loses some of the pages that were written to it.
package struct PowerStates {
  private let replay: Replay
  private let point: Int
  private let pending: [Int]
  private var random: SeededGenerator
  private let classifier: StateClassifier?
  private var states: [CrashState] = []

  private static let randomChoices = 200
  private static let maximumCombined = 10
  private static let sectorSize = 512

  /// Returns the states that a power failure after the first `point` operations may leave.
  ///
  /// - Parameters:
  ///   - pending: the indices of the operations that no flush has made durable at this point.
  ///   - seed: the seed of the random states; the same seed repeats the same states.
  ///   - isClassified: whether to determine the ``StateOrder``
  ///     of each state, which takes most of the time.
  package static func all(
    at point: Int, of replay: Replay, pending: [Int], seed: UInt64, isClassified: Bool = true
  ) -> [CrashState] {
    var builder = PowerStates(replay, point, pending, seed, isClassified: isClassified)
    builder.loseOperations()
    builder.tearWrites()
    builder.dropPages()
    return builder.states
  }

  private init(
    _ replay: Replay, _ point: Int, _ pending: [Int], _ seed: UInt64, isClassified: Bool
  ) {
    self.replay = replay
    self.point = point
    self.pending = pending
    classifier = isClassified ? StateClassifier(replay, point, pending) : nil
    random = SeededGenerator(seed: seed ^ UInt64(point) &* 0x9e37_79b9)
  }

  private mutating func add(
    lost: Set<Int>, torn: (operation: Int, how: CrashState.Tear)? = nil,
    pages: (node: Int, missing: Set<Int>)? = nil
  ) {
    var state = CrashState(.power, point: point)
    state.lost = lost
    state.torn = torn
    state.pages = pages
    if let classifier { state.order = classifier.order(of: state) }
    states.append(state)
  }

  private mutating func loseOperations() {
    let count = pending.count
    if count <= Self.maximumCombined {
      for mask in 0..<(1 << count) {
        add(lost: Set(pending.indices.filter { mask & 1 << $0 == 0 }.map { pending[$0] }))
      }
      return
    }
    let all = Set(pending)
    for survivorCount in 0...count { add(lost: Set(pending[survivorCount...])) }
    for operation in pending {
      add(lost: [operation])
      add(lost: all.subtracting([operation]))
    }
    for _ in 0..<Self.randomChoices {
      let share = Double.random(in: 0...1, using: &random)
      // Iterate over an array: the order of a set differs from run to run.
      add(lost: Set(pending.filter { _ in Double.random(in: 0..<1, using: &random) < share }))
    }
  }

  /// Adds states with a torn write among the last 24 pending operations.
  ///
  /// Each write is torn while all later operations are lost. The
  /// last write of each file is also torn without other losses.
  private mutating func tearWrites() {
    var seen: Set<Int> = []
    for (index, operation) in pending.enumerated().reversed().prefix(24) {
      guard case .write(let node, let offset, let bytes) = replay.trace.operations[operation],
        bytes.count > 1
      else { continue }
      let rest = Set(pending[(index + 1)...])
      let isLast = seen.insert(node).inserted
      for how in tears(offset, bytes.count) {
        add(lost: rest, torn: (operation, how))
        if isLast, !rest.isEmpty { add(lost: [], torn: (operation, how)) }
      }
    }
  }

  private mutating func tears(_ offset: Int, _ count: Int) -> [CrashState.Tear] {
    let first = Self.sectorSize - offset % Self.sectorSize
    let sectors = Array(stride(from: first, to: count, by: Self.sectorSize))
    var cuts = Set(sectors.prefix(2) + sectors.suffix(2))
    for _ in 0..<min(4, sectors.count) {
      if let cut = sectors.randomElement(using: &random) { cuts.insert(cut) }
    }
    let pages = sectors.filter { (offset + $0) % Replay.pageSize == 0 }
    cuts.formUnion(pages.prefix(8))
    var tears: [CrashState.Tear] = [.zeros(from: 0)]
    for cut in cuts.sorted() { tears += [.cut(cut), .zeros(from: cut)] }
    let bounds = [0] + sectors + [count]
    let ranges = zip(bounds, bounds.dropFirst()).map { $0..<$1 }.filter { !$0.isEmpty }
    if ranges.count > 1 {
      var missing = Set([ranges[0], ranges[ranges.count / 2]])
      for _ in 0..<2 {
        if let range = ranges.randomElement(using: &random) { missing.insert(range) }
      }
      tears += missing.sorted { $0.lowerBound < $1.lowerBound }.map { .missing($0) }
    }
    return tears
  }

  /// Adds states in which one file lacks some of the pages that pending writes have changed,
  /// independently of the order of these writes.
  private mutating func dropPages() {
    var touched: [Int: Set<Int>] = [:]
    for operation in pending {
      guard case .write(let node, let offset, let bytes) = replay.trace.operations[operation] else {
        continue
      }
      let last = (offset + bytes.count - 1) / Replay.pageSize
      touched[node, default: []].formUnion(offset / Replay.pageSize...last)
    }
    for (node, pages) in touched.sorted(by: { $0.key < $1.key }) where pages.count > 1 {
      let sorted = pages.sorted()
      var choices: [Set<Int>] = []
      for page in sorted.prefix(4) + sorted.suffix(4) {
        choices += [[page], pages.subtracting([page])]
      }
      for _ in 0..<8 {
        choices.append(Set(sorted.filter { _ in Bool.random(using: &random) }))
      }
      for missing in choices where !missing.isEmpty { add(lost: [], pages: (node, missing)) }
    }
  }
}
