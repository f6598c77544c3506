/// A version of SQLite, such as 3.40.1.
public struct SQLiteVersion: Sendable, Hashable {
  /// The first number, such as 3 in 3.40.1.
  public let major: Int
  /// The second number, such as 40 in 3.40.1.
  public let minor: Int
  /// The third number, such as 1 in 3.40.1.
  public let patch: Int

  /// Creates a version from its three numbers.
  public init(_ major: Int, _ minor: Int = 0, _ patch: Int = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Creates a version from SQLite's single number, such as 3040001.
  init(number: Int) {
    self.init(number / 1_000_000, number / 1_000 % 1_000, number % 1_000)
  }
}

extension SQLiteVersion: Comparable {
  public static func < (lhs: SQLiteVersion, rhs: SQLiteVersion) -> Bool {
    (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
  }
}

extension SQLiteVersion: CustomStringConvertible {
  public var description: String { "\(major).\(minor).\(patch)" }
}
