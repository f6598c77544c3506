/// The SQL expressions from which triggers get times and random bytes.
///
/// A simulator replaces them with functions of its own.
package struct CaptureExpressions: Sendable {
  /// The milliseconds since 1970 by the clock of the system.
  package var milliseconds: String
  /// Returns the expression for a blob of random bytes.
  package var randomBytes: @Sendable (_ count: Int) -> String

  package init(
    milliseconds: String, randomBytes: @escaping @Sendable (_ count: Int) -> String
  ) {
    self.milliseconds = milliseconds
    self.randomBytes = randomBytes
  }

  /// The clock and the random numbers of SQLite, which every program that writes to the file has.
  package static let sqlite = CaptureExpressions(
    milliseconds: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
  ) { count in "randomblob(\(count))" }

  /// The time of a change, read from a row `c` of `sync_clock`.
  var time: String { "coalesce(c.wall_ms, \(milliseconds))" }

  /// A new hybrid timestamp, which exceeds that of a row `c` of `sync_clock`, with the offset of a
  /// row `s` of `sync_scope`.
  var timestamp: String {
    "max(\(Self.after("c.hlc")), (\(time) + s.server_offset_ms) << 16)"
  }

  /// Returns the timestamp after another one; the largest timestamp is followed by itself.
  private static func after(_ timestamp: String) -> String {
    "min(\(timestamp), \(Int64.max - 1)) + 1"
  }

  /// Returns a new hybrid timestamp that also exceeds another one.
  func timestamp(after other: String) -> String { "max(\(timestamp), \(Self.after(other)))" }

  /// A new UUID of version 7 in lower case, read from a row `c` of `sync_clock`.
  var timeOrderedUUID: String {
    func digits(_ bytes: Int) -> String { "lower(hex(\(randomBytes(bytes))))" }
    let prefix = "printf('%012x', \(time) & 0xffffffffffff)"
    return """
      substr(\(prefix), 1, 8) || '-' || substr(\(prefix), 9) || '-7' || substr(\(digits(2)), 2) \
      || '-8' || substr(\(digits(2)), 2) || '-' || \(digits(6))
      """
  }
}
