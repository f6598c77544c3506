import UndercroftInspection

extension OutputFormat {
  /// Whether programs read the output as JSON.
  var isJSON: Bool { self == .json || self == .ndjson }

  /// Whether people read the output, so that sizes have units.
  var isForPeople: Bool { self == .auto || self == .table || self == .markdown }
}
