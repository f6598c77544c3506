/// The duration of an operation of the toolkit, and of the same work by the raw C library and by a
/// peer library.
struct Measurement: Encodable {
  let name: String
  let unit: String
  let peerName: String?
  /// The values of the toolkit, one for each run.
  ///
  /// In each run, the toolkit, the raw library and the peer library were measured one after the
  /// other.
  let ours: [Double]
  let raw: [Double]?
  let peer: [Double]?
  /// The largest acceptable ratio of ``ours`` to ``raw``, or the largest acceptable value if there
  /// is no ``raw``; `nil` if there is no goal.
  let goal: Double?

  enum CodingKeys: String, CodingKey {
    case name, ours, raw, peer, unit, runs, goal
    case peerName = "peer_name"
    case ratioToRaw = "ratio_to_raw"
    case ratioToPeer = "ratio_to_peer"
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(ours.median, forKey: .ours)
    try values.encode(raw?.median, forKey: .raw)
    try values.encode(peer?.median, forKey: .peer)
    try values.encode(peerName, forKey: .peerName)
    try values.encode(unit, forKey: .unit)
    try values.encode(raw.map { ours.median / $0.median }, forKey: .ratioToRaw)
    try values.encode(peer.map { ours.median / $0.median }, forKey: .ratioToPeer)
    try values.encode(ours.count, forKey: .runs)
    try values.encodeIfPresent(goal, forKey: .goal)
  }

  init(
    _ name: String, unit: String, peerName: String?, ours: [Double], raw: [Double]?,
    peer: [Double]?, goal: Double? = nil
  ) {
    self.name = name
    self.unit = unit
    self.peerName = peer == nil ? nil : peerName
    self.ours = ours
    self.raw = raw
    self.peer = peer
    self.goal = goal
  }

  /// Whether the median meets ``goal``, or `nil` if there is no goal.
  var meetsGoal: Bool? {
    goal.map { ours.median / (raw?.median ?? 1) <= $0 }
  }

  /// Returns the ratio of ``ours`` to another library's values, for each run.
  func ratios(to other: [Double]?) -> [Double]? {
    other.map { zip(ours, $0).map { $0 / $1 } }
  }
}

extension [Double] {
  /// The median; for an even number of values, the mean of the two middle values.
  var median: Double {
    let sorted = sorted()
    let middle = count / 2
    return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
  /// The value that a number of percent of the values do not exceed. (nearest rank)
  func percentile(_ percent: Int) -> Double {
    sorted()[Swift.max(0, (count * percent + 99) / 100 - 1)]
  }
}
