/// What an undisturbed migration is like.
struct MigrationCourse {
  /// How many things it tells.
  let moments: Int
  /// Which of them is that it has failed.
  let failure: Int?
  /// In microseconds.
  let duration: Int
}

/// When a worker is to die.
struct Death {
  let moment: Int
  var delay = 0

  var arguments: [String] { ["--at", "\(moment)", "--after", "\(delay)"] }
}
