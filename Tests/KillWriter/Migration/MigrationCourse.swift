/// The measurements of a migration that is not killed.
struct MigrationCourse {
  /// The number of moments that the migration reports.
  let moments: Int
  /// The number of the moment at which the migration reports a failure, or `nil` if it does not
  /// fail.
  let failure: Int?
  /// The duration in microseconds.
  let duration: Int
}

/// The moment at which a worker is killed.
struct Death {
  let moment: Int
  var delay = 0

  var arguments: [String] { ["--at", "\(moment)", "--after", "\(delay)"] }
}
