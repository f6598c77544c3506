import UndercroftTesting

/// One point of a crash with the states that it may leave, of which some may have been tried.
struct CrashPoint {
  /// How many operations the writer had finished.
  let number: Int
  let model: CrashModel
  /// The operations that no flush has made durable.
  private let pending: [Int]
  /// In a random order, which follows from the seed, and not yet classified.
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

  /// Returns the next states that were not tried.
  mutating func next(_ count: Int) -> ArraySlice<CrashState> {
    let next = states[tried...].prefix(count)
    tried += next.count
    return next
  }

  /// Returns the disk that the states of this point change.
  func base(of replay: Replay) -> DiskModel {
    model == .power
      ? replay.durableDisk(at: number, pending: pending) : replay.disk(after: number)
  }

  /// Returns the disk of one state.
  func disk(of state: CrashState, of replay: Replay, over base: DiskModel) -> DiskModel {
    model == .power
      ? replay.disk(of: state, durable: base, pending: pending)
      : replay.disk(of: state, whole: base)
  }

  /// Returns a state with how far a file system has to go to leave it.
  func classified(_ state: CrashState, of replay: Replay) -> CrashState {
    guard model == .power else { return state }
    var state = state
    state.order = StateClassifier(replay, number, pending).order(of: state)
    return state
  }
}
