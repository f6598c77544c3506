/// The SQL expressions from which triggers get times and random bytes.
///
/// A simulator replaces these expressions with its own functions.
package struct CaptureExpressions: Sendable {
  /// The expression for the time of the system clock, in milliseconds since 1970.
  package var milliseconds: String
  /// Returns the expression for a blob of `count` random bytes.
  package var randomBytes: @Sendable (_ count: Int) -> String

  package init(
    milliseconds: String, randomBytes: @escaping @Sendable (_ count: Int) -> String
  ) {
    self.milliseconds = milliseconds
    self.randomBytes = randomBytes
  }

  /// The expressions for the clock and the random numbers of SQLite, which every program that
  /// writes to the file has.
  package static let sqlite = CaptureExpressions(
    milliseconds: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
  ) { count in "randomblob(\(count))" }

  /// The expression for the time of a change in milliseconds since 1970, which
  /// refers to a row `c` of `sync_clock`.
  var time: String { "coalesce(c.wall_ms, \(milliseconds))" }

  /// The expression for a new hybrid timestamp.
  ///
  /// The timestamp exceeds the timestamp of a row `c` of `sync_clock`. Its time includes the offset
  /// of the server's clock, which a row `s` of `sync_scope` stores.
  var timestamp: String {
    "max(\(Self.after("c.hlc")), (\(time) + s.server_offset_ms) << 16)"
  }

  /// Returns the expression for the successor of a timestamp; the largest
  /// timestamp is its own successor.
  private static func after(_ timestamp: String) -> String {
    "min(\(timestamp), \(Int64.max - 1)) + 1"
  }

  /// Returns the expression for a new hybrid timestamp that also exceeds the timestamp `other`.
  func timestamp(after other: String) -> String { "max(\(timestamp), \(Self.after(other)))" }

  /// The expression for a new UUID of version 7 in lower case, which refers
  /// to a row `c` of `sync_clock`.
  var timeOrderedUUID: String {
    func digits(_ bytes: Int) -> String { "lower(hex(\(randomBytes(bytes))))" }
    let prefix = "printf('%012x', \(time) & 0xffffffffffff)"
    return """
      substr(\(prefix), 1, 8) || '-' || substr(\(prefix), 9) || '-7' || substr(\(digits(2)), 2) \
      || '-8' || substr(\(digits(2)), 2) || '-' || \(digits(6))
      """
  }
}
