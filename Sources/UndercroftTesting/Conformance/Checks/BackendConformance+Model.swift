import UndercroftCore

extension BackendConformance {
  static let model: [Check] = [
    Check("a thousand seeded random operations agree with a dictionary") { trial in
      let isPersistent = try trial.declares(.persistent)
      trial.close()
      try ModelCheck(seed: 2_000, operations: 1_000).run(
        reopening: isPersistent, against: trial.harness)
    }
  ]
}
