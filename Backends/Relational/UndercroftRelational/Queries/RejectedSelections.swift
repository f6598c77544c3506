import UndercroftCore
import UndercroftSQLite

// Overloads that the compiler selects if a closure returns something other than columns and
// expressions. Without them, Swift 6.3 rejects such a closure without saying why.

extension TableRows {
  /// Rejects a closure that returns anything but columns and expressions.
  ///
  /// Without this overload, the error of the compiler would not explain the reason.
  @available(*, unavailable, message: "select only columns and expressions, as in $0.title")
  public func select<Other>(_ values: (Columns<Record>) -> Other) -> Projection<Other> {
    .rejected
  }

  /// Rejects a closure that returns anything but columns and expressions.
  ///
  /// Without this overload, the error of the compiler would not explain the reason.
  @available(*, unavailable, message: "group only by columns and expressions, as in $0.title")
  public func group<Other>(by values: (Columns<Record>) -> Other) -> GroupedQuery<Record> {
    GroupedQuery(all, [], reading: [])
  }
}

extension TableRecord {
  /// Rejects a closure that returns anything but columns and expressions.
  ///
  /// Without this overload, the error of the compiler would not explain the reason.
  @available(*, unavailable, message: "select only columns and expressions, as in $0.title")
  public static func select<Other>(_ values: (Columns<Self>) -> Other) -> Projection<Other> {
    .rejected
  }

  /// Rejects a closure that returns anything but columns and expressions.
  ///
  /// Without this overload, the error of the compiler would not explain the reason.
  @available(*, unavailable, message: "group only by columns and expressions, as in $0.title")
  public static func group<Other>(by values: (Columns<Self>) -> Other) -> GroupedQuery<Self> {
    GroupedQuery(table.all, [], reading: [])
  }
}

extension GroupedQuery {
  /// Rejects a closure that returns anything but columns and expressions.
  ///
  /// Without this overload, the error of the compiler would not explain the reason.
  @available(*, unavailable, message: "select only columns and expressions, as in $0.title")
  public func select<Other>(_ values: (Columns<Record>) -> Other) -> Projection<Other> {
    .rejected
  }
}

extension JoinQuery {
  /// Rejects a closure that returns anything but columns and expressions.
  ///
  /// Without this overload, the error of the compiler would not explain the reason.
  @available(*, unavailable, message: "select only columns and expressions, as in $0.title")
  public func select<Other>(
    _ values: (repeat (each Side).JoinedColumns) -> Other
  ) -> Projection<Other> {
    .rejected
  }
}

extension TwoTableJoin {
  /// Rejects a closure that returns anything but columns and expressions.
  ///
  /// Without this overload, the error of the compiler would not explain the reason.
  @available(*, unavailable, message: "select only columns and expressions, as in $0.title")
  public func select<Other>(
    _ values: (First.JoinedColumns, Second.JoinedColumns) -> Other
  ) -> Projection<Other> {
    .rejected
  }
}

extension ThreeTableJoin {
  /// Rejects a closure that returns anything but columns and expressions.
  ///
  /// Without this overload, the error of the compiler would not explain the reason.
  @available(*, unavailable, message: "select only columns and expressions, as in $0.title")
  public func select<Other>(
    _ values: (First.JoinedColumns, Second.JoinedColumns, Third.JoinedColumns) -> Other
  ) -> Projection<Other> {
    .rejected
  }
}

extension Projection {
  /// A projection that throws an error when it is run.
  fileprivate static var rejected: Self {
    let error = StorageError.emptySelection(from: [])
    return Projection(SelectStatement(SQL(failing: error), from: ""), reading: []) { _ in
      throw error
    }
  }
}

extension StorageError {
  /// The error for a call of `select` whose closure returns no column and no expression.
  ///
  /// If the argument `as` is a function without parameters, the compiler infers that the closure
  /// returns an empty tuple. Swift then discards the value of a single expression in the closure,
  /// such as `$0.title`. The compiler therefore accepts the call.
  ///
  /// - Parameter tables: The names of the tables of the query.
  static func emptySelection(from tables: [String]) -> StorageError {
    let source = tables.isEmpty ? "" : " from \(tables.map { quoted($0) }.joined(separator: ", "))"
    return .table(
      "cannot select values\(source): the closure of select returned no column and no expression",
      suggestion: """
        return columns and expressions from the closure, one for each parameter of the argument "as"
        """)
  }
}
