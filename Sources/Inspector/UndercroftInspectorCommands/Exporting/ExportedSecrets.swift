import UndercroftCore

/// The values of an export that look like secrets: their number, and the first places of them.
struct ExportedSecrets {
  /// The number of places that the note names.
  private static let maximumPlaces = 5

  private var count = 0
  private var places: [String] = []
  private var placeCount = 0

  init() {}

  /// Counts values of one place.
  ///
  /// - Parameters:
  ///   - count: the number of values.
  ///   - kind: the kind of the store.
  ///   - subject: the name of the value, or the names of the table and the column.
  mutating func add(_ count: Int, in kind: String, _ subject: String) {
    self.count += count
    placeCount += 1
    if places.count < Self.maximumPlaces { places.append("\(kind) \(quoted(subject))") }
  }

  mutating func add(_ other: ExportedSecrets) {
    count += other.count
    placeCount += other.placeCount
    places += other.places.prefix(Self.maximumPlaces - places.count)
  }

  /// Returns a sentence about the values, or `nil` if there are none.
  ///
  /// - Parameter areRedacted: whether the export contains placeholders instead of the values.
  func note(areRedacted: Bool) -> String? {
    guard count > 0 else { return nil }
    let values =
      count == 1 ? "1 value that may be a secret was" : "\(count) values that may be secrets were"
    let rest = placeCount - places.count
    let subjects = places.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return areRedacted
      ? """
      \(values) replaced by \(count == 1 ? "a placeholder" : "placeholders"): \(subjects); some \
      secrets are not recognised, so read the export before you share it
      """
      : "\(values) exported: \(subjects); read the export before you share it, or pass --redact"
  }
}
