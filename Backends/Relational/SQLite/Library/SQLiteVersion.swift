/// A version of SQLite, such as 3.40.1.
public struct SQLiteVersion: Sendable, Hashable {
  /// The first number: 3.
  public let major: Int
  /// The second number.
  public let minor: Int
  /// The third number.
  public let patch: Int

  /// Makes a version from its numbers.
  public init(_ major: Int, _ minor: Int = 0, _ patch: Int = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Takes apart what SQLite says in one number, such as 3040001.
  init(number: Int) {
    self.init(number / 1_000_000, number / 1_000 % 1_000, number % 1_000)
  }
}

extension SQLiteVersion: Comparable {
  public static func < (one: SQLiteVersion, other: SQLiteVersion) -> Bool {
    (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
  }
}

extension SQLiteVersion: CustomStringConvertible {
  public var description: String { "\(major).\(minor).\(patch)" }
}
