import UndercroftSync

/// Everything that happens in a history, as its seed determines it.
struct SimulationPlan {
  /// A device at the beginning of a history.
  struct Device {
    var schemaVersion: Int
    /// The milliseconds by which the clock of the device is ahead.
    var skew: Int64
  }

  let seed: UInt64
  let profile: SimulationProfile
  var policy: SimulationPolicy
  var shape: SimulationShape
  /// The devices by their numbers.
  var devices: [Int: Device]
  var dropRate = 0.0
  var duplicationRate = 0.0
  var hasDelays = false
  /// Whether two processes synchronise the file of each device, and so must acquire its lease.
  var hasTwoProcesses = false
  /// The number of rows that all devices have before the first step and the first fault, or 0.
  var initialRows = 0
  var steps: [SimulationStep] = []
  /// The rules of the protocol that are switched off.
  var mutations: Set<SyncMutation> = []
  /// Creates the empty store of the server.
  var makeStore: @Sendable () throws -> any SyncServerStore = { InMemorySyncStore() }

  static let maximumDevices = 7
  private static let hour: Int64 = 3_600_000
  private static let year: Int64 = 365 * 24 * hour

  init(seed: UInt64, profile: SimulationProfile? = nil, stepCount: Int) {
    var random = SimulationRandom(seed: seed)
    self.seed = seed
    let drawn = random.choose(
      SimulationProfile.mild, .harsh, .hot, .hot, .clone, .compaction, .cloneAndCompaction,
      .timeline, .all)
    let profile = profile ?? drawn
    self.profile = profile
    policy = random.choose(
      .lastWriterWinsField, .lastWriterWinsField, .lastWriterWinsRecord, .serverWins, .clientWins,
      .ask, .askColumn, .updateWins)
    shape = random.choose(.text, .text, .integer, .blob)
    shape = Self.shapeWithTwoScopes(seed) ?? shape
    devices = [:]
    for number in 0..<(2 + random.below(4)) {
      devices[number] = Device(
        schemaVersion: random.choose(1, 2), skew: Self.skew(profile, &random))
    }
    if profile.hasFaults {
      dropRate = random.choose(0.05, 0.3)
      duplicationRate = 0.2
      hasDelays = true
    }
    initialRows = Self.initialRows(profile, seed: seed)
    hasTwoProcesses = Self.hasTwoProcesses(seed)
    var count = devices.count
    for _ in 0..<stepCount {
      let step = Self.step(profile, among: count, &random)
      if step.action == .clone, count < Self.maximumDevices { count += 1 }
      steps.append(step)
    }
  }

  /// Returns the number of initial rows, which is 0 for half of the seeds.
  ///
  /// A separate random generator chooses this number, so that the other random choices of the plan
  /// are the same for every number.
  private static func initialRows(_ profile: SimulationProfile, seed: UInt64) -> Int {
    var random = SimulationRandom(seed: seed ^ 0x3c3c_3c3c_3c3c_3c3c)
    guard random.chance(0.5) else { return 0 }
    return profile == .hot ? 2 + random.below(2) : 4 + random.below(7)
  }

  /// Returns a shape with two scopes for one in six seeds, and `nil` for the others.
  ///
  /// A separate random generator decides this, so that the other random choices of the plan are the
  /// same with one scope and with two.
  private static func shapeWithTwoScopes(_ seed: UInt64) -> SimulationShape? {
    var random = SimulationRandom(seed: seed ^ 0x6d6d_6d6d_6d6d_6d6d)
    guard random.below(6) == 0 else { return nil }
    return random.choose(.twoScopes, .twoScopes, .oneWay)
  }

  /// Returns `true` for one in five seeds.
  private static func hasTwoProcesses(_ seed: UInt64) -> Bool {
    var random = SimulationRandom(seed: seed ^ 0x3e3e_3e3e_3e3e_3e3e)
    return random.below(5) == 0
  }

  private static func skew(_ profile: SimulationProfile, _ random: inout SimulationRandom) -> Int64
  {
    let skew = random.choose(
      0, 0, random.integer(in: -hour...hour), random.integer(in: -3 * year...3 * year))
    return profile.hasFaults ? skew : 0
  }

  private static func step(
    _ profile: SimulationProfile, among count: Int, _ random: inout SimulationRandom
  ) -> SimulationStep {
    var step = SimulationStep(
      action: action(profile, &random), device: random.below(count), seed: random.seed())
    guard profile.hasFaults else { return step }
    if random.chance(0.08) { step.deviceFuse = 1 + random.below(40) }
    if random.chance(0.04) { step.serverFuse = 1 + random.below(20) }
    return step
  }

  private static func action(
    _ profile: SimulationProfile, _ random: inout SimulationRandom
  ) -> SimulationAction {
    let rare = 1 - profile.rareShare
    switch Double(random.below(10_000)) / 10_000 {
    case ..<0.34: return edit(profile, &random)
    case ..<0.44: return .seal
    case ..<0.60: return .push
    case ..<0.78: return .pull
    case ..<(rare - 0.01): return .execute
    case ..<rare: return .upgrade
    default: return rareAction(profile, &random)
    }
  }

  private static func edit(
    _ profile: SimulationProfile, _ random: inout SimulationRandom
  ) -> SimulationAction {
    switch random.below(100) {
    case ..<25: .insert
    case ..<30: .reinsert
    case ..<(profile == .hot ? 32 : 45): .delete
    case ..<53: .updateMany
    case ..<57: .upsert
    case ..<60: .replace
    case ..<67: .group
    case ..<77: .answer
    default: .update
    }
  }

  private static func rareAction(
    _ profile: SimulationProfile, _ random: inout SimulationRandom
  ) -> SimulationAction {
    if profile.hasClones, random.chance(0.5) {
      return random.choose(.backUp, .backUp, .restore, .restore, .clone)
    }
    if profile.hasCompactions { return .compact }
    if profile.losesTimeline { return random.choose(.backUpServer, .restoreServer) }
    return .execute
  }
}
