extension SQLiteError {
  /// A result code of SQLite, primary or extended.
  ///
  /// As a pattern, a primary code also matches its extended codes:
  ///
  /// ```swift
  /// do {
  ///   try database.write { db in try db.execute("INSERT INTO book(title) VALUES (\(title))") }
  /// } catch SQLiteError.Code.constraintUnique {
  ///   // A book of this title exists.
  /// } catch SQLiteError.Code.constraint {
  ///   // Another constraint was violated.
  /// }
  /// ```
  ///
  /// Two codes are equal if they have the same number: `constraint` and `constraintUnique` differ.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number, such as 19 for `SQLITE_CONSTRAINT` or 2067 for `SQLITE_CONSTRAINT_UNIQUE`.
    public let rawValue: Int32

    /// Creates a code from its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Creates the extended code of `primary` whose second byte is `number`.
    init(_ primary: Code, _ number: Int32) { rawValue = primary.rawValue | number << 8 }

    /// The primary code, which is the lowest byte.
    public var primary: Code { Code(rawValue: rawValue & 0xff) }

    /// Returns whether `code` is equal to `pattern`, or `pattern` is the primary code of `code`.
    public static func ~= (pattern: Code, code: Code) -> Bool {
      pattern == code || pattern == code.primary
    }

    /// Returns whether `pattern` matches the code of the ``SQLiteError`` that caused `error`.
    public static func ~= (pattern: Code, error: any Error) -> Bool {
      SQLiteError(causeOf: error).map { pattern ~= $0.code } ?? false
    }
  }
}

extension SQLiteError.Code: CustomStringConvertible {
  public var description: String { "\(rawValue)" }
}
