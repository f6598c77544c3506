import CSQLite
public import UndercroftCore

/// An order of texts that SQL can name: `ORDER BY title COLLATE shelf_order`.
///
/// Indexes and `UNIQUE` rely on it, so it must say the same about two texts for ever and on every computer.
public struct SQLCollation: Sendable {
  /// The name by which SQL calls it, without regard to case.
  public let name: String
  let isBefore: @Sendable (String, String) -> Bool

  /// Makes an order; two texts of which neither is before the other are equal.
  ///
  /// Text that is not UTF-8 is not handed to `isBefore`: it comes after all that is, in the order of its bytes.
  ///
  /// It may use the database, but not within itself without end: a statement that goes too deep is an error of code
  /// ``StorageError/Code/misuse``, and so are those that call it.
  ///
  /// - Parameter isBefore: a strict weak order, as `sorted(by:)` wants it.
  public init(_ name: String, isBefore: @escaping @Sendable (String, String) -> Bool) {
    self.name = name
    self.isBefore = isBefore
  }
}

extension Connection {
  /// Adds a collation to this connection, in place of one of the same name. (`sqlite3_create_collation_v2`)
  ///
  /// Called in ``DatabaseOptions/setUp``, so that every connection has it: without it a table whose schema names it cannot be sorted.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a name that is empty or holds NUL.
  public func add(_ collation: SQLCollation) throws(StorageError) {
    guard !collation.name.isEmpty, !collation.name.utf8.contains(0) else {
      throw .sqliteMisuse("cannot add a collation: its name is empty or holds a NUL character")
    }
    let context = Unmanaged.passRetained(AddedCollation(collation, state.thrown))
    let code = sqlite3_create_collation_v2(
      raw, collation.name, SQLITE_UTF8, context.toOpaque(),
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
    // Here, unlike with functions, SQLite does not take what it refuses.
    if code != SQLITE_OK { context.release() }
    try check(code, adding: "the collation \(quoted(collation.name))")
  }
}

/// A collation as its connection keeps it.
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
      // It may use the database, as functions may.
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
