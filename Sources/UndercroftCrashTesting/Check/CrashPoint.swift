import UndercroftTesting

/// A point between two recorded operations of a writer at which a
/// crash may happen, with the disk states that the crash may leave.
struct CrashPoint {
  /// The number of operations that the writer had completed when it crashed.
  let number: Int
  let model: CrashModel
  /// The indices of the operations that no flush has made
  /// durable, or no indices if only the process is killed.
  private let pending: [Int]
  /// The disk states that the crash may leave, in a random order that depends on the seed.
  ///
  /// Determining the ``StateOrder`` of all states would take most of the time of the test. The
  /// method ``classified(_:of:)`` therefore determines the order only for a single state.
  let states: [CrashState]
  private var tried = 0

  init(_ number: Int, _ model: CrashModel, _ replay: Replay, seed: UInt64) {
    self.number = number
    self.model = model
    pending = model == .power ? replay.pending(at: number) : []
    var random = SeededGenerator(seed: seed &+ UInt64(number))
    let all =
      model == .power
      ? PowerStates.all(
        at: number, of: replay, pending: pending, seed: seed, isClassified: false)
      : KillStates.all(at: number, of: replay.trace)
    states = all.shuffled(using: &random)
  }

  var isDone: Bool { tried == states.count }

  /// Returns up to `count` states that were not tried yet, and counts them as tried.
  mutating func next(_ count: Int) -> ArraySlice<CrashState> {
    let next = states[tried...].prefix(count)
    tried += next.count
    return next
  }

  /// Returns the model of the disk from which all states of this point are built.
  func base(of replay: Replay) -> DiskModel {
    model == .power
      ? replay.durableDisk(at: number, pending: pending) : replay.disk(after: number)
  }

  /// Returns a model of the files in the given state, built from `base`, the result of
  /// ``base(of:)``.
  func disk(of state: CrashState, of replay: Replay, over base: DiskModel) -> DiskModel {
    model == .power
      ? replay.disk(of: state, durable: base, pending: pending)
      : replay.disk(of: state, over: base)
  }

  /// Returns `state` with its ``StateOrder`` if a power
  /// failure left the state, or `state` unchanged otherwise.
  func classified(_ state: CrashState, of replay: Replay) -> CrashState {
    guard model == .power else { return state }
    var state = state
    state.order = StateClassifier(replay, number, pending).order(of: state)
    return state
  }
}
