import CSQLite
public import UndercroftCore

/// An order of strings that SQL uses by name, as in `ORDER BY title COLLATE shelf_order`.
///
/// Indexes and `UNIQUE` constraints rely on the collation. A collation must therefore always order
/// the same two strings in the same way, on every computer and in every version of the application.
public struct SQLCollation: Sendable {
  /// The name of the collation in SQL.
  ///
  /// SQLite ignores the case of the name.
  public let name: String
  let isBefore: @Sendable (String, String) -> Bool

  /// Creates a collation.
  ///
  /// Two strings are equal if neither is before the other.
  ///
  /// Text that is not valid UTF-8 is not passed to `isBefore`. Such text sorts after all valid
  /// text, by its bytes.
  ///
  /// `isBefore` is allowed to use the database. If collations and functions call each other more
  /// than 32 levels deep, the innermost statement and all statements around it throw
  /// ``StorageError/Code/misuse``.
  ///
  /// - Parameters:
  ///   - name: the name of the collation in SQL.
  ///   - isBefore: a strict weak order, as `sorted(by:)` requires.
  public init(_ name: String, isBefore: @escaping @Sendable (String, String) -> Bool) {
    self.name = name
    self.isBefore = isBefore
  }
}

extension Connection {
  /// Adds a collation to this connection, and replaces an earlier collation of the same name.
  /// (`sqlite3_create_collation_v2`)
  ///
  /// Call this function in ``DatabaseOptions/setUp``, so that every connection has the collation.
  /// Without the collation, SQLite cannot sort a table whose schema names the collation.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the name is empty or contains NUL.
  public func add(_ collation: SQLCollation) throws(StorageError) {
    guard !collation.name.isEmpty, !collation.name.utf8.contains(0) else {
      throw .sqliteMisuse(
        """
        cannot add the collation \(quoted(collation.name)): the name is empty or contains a NUL \
        character
        """,
        suggestion: "choose a name that is not empty and contains no NUL character")
    }
    let state = try state
    let context = Unmanaged.passRetained(AddedCollation(collation, state.thrown))
    let code = sqlite3_create_collation_v2(
      state.raw, collation.name, SQLITE_UTF8, context.toOpaque(),
      { context, leftCount, left, rightCount, right in
        guard let context else { return 0 }
        let added = Unmanaged<AddedCollation>.fromOpaque(context).takeUnretainedValue()
        return added.compare(
          UnsafeRawBufferPointer(start: left, count: left == nil ? 0 : Int(leftCount)),
          UnsafeRawBufferPointer(start: right, count: right == nil ? 0 : Int(rightCount)))
      },
      { pointer in
        if let pointer { Unmanaged<AddedCollation>.fromOpaque(pointer).release() }
      })
    // After a failure the caller still owns the context.
    // `sqlite3_create_function_v2` would release it.
    if code != SQLITE_OK { context.release() }
    try check(code, adding: "the collation \(quoted(collation.name))")
  }
}

/// A collation that was added to a connection, with the ``ThrownError`` of the connection, which
/// counts nested calls of collations and functions.
private final class AddedCollation {
  private let collation: SQLCollation
  private let thrown: ThrownError

  init(_ collation: SQLCollation, _ thrown: ThrownError) {
    self.collation = collation
    self.thrown = thrown
  }

  func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    switch (
      String(validating: left, as: UTF8.self), String(validating: right, as: UTF8.self)
    ) {
    case (let left?, let right?):
      // The collation may use the database, as functions may.
      thrown.nesting {
        if collation.isBefore(left, right) { -1 } else { collation.isBefore(right, left) ? 1 : 0 }
      }
    case (_?, nil): -1
    case (nil, _?): 1
    case (nil, nil):
      if left.lexicographicallyPrecedes(right) {
        -1
      } else {
        right.lexicographicallyPrecedes(left) ? 1 : 0
      }
    }
  }
}
