import CSQLite
package import UndercroftCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The current row of a query, valid only inside the closure that receives it.
///
/// Columns are read by position, the first being 0, or by name, ignoring the case of ASCII letters.
/// Reading a value as another type throws, because values are not converted. The only exception is
/// an integer that a `Double` represents exactly, which can also be read as a `Double`.
public struct Row: ~Copyable {
  package let statement: OpaquePointer

  package init(statement: OpaquePointer) { self.statement = statement }

  /// The number of columns in the row. (`sqlite3_data_count`)
  public var count: Int { Int(sqlite3_data_count(statement)) }

  /// The value of the column at `position`, the first being 0.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the row has no such column.
  ///   ``StorageError/Code/decodingFailed`` for a value of another type.
  public subscript<Value: SQLReadable>(position: Int) -> Value {
    get throws(StorageError) { try Value.read(from: try column(position)) }
  }

  /// The value of the column called `name`.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if no column or more than one column has this name.
  ///   ``StorageError/Code/decodingFailed`` for a value of another type.
  public subscript<Value: SQLReadable>(name: String) -> Value {
    get throws(StorageError) { try Value.read(from: try column(name)) }
  }

  // The function is not public, because a caller could use the column after its row.

  package func column(_ position: Int) throws(StorageError) -> SQLColumn {
    guard position >= 0, position < count else {
      throw .sqliteMisuse(
        """
        cannot read column \(position), counted from 0: the row has \(count) \
        column\(count == 1 ? "" : "s"), in the statement \(StorageError.printable(sql))
        """,
        suggestion: count == 0
          ? "run a query that returns columns"
          : "use \(count == 1 ? "the position 0" : "a position from 0 to \(count - 1)"), or add a "
            + "column to the query")
    }
    return SQLColumn(statement: statement, position: Int32(position))
  }

  private func column(_ name: String) throws(StorageError) -> SQLColumn {
    var found: Int32?
    for position in 0..<Int32(count) {
      // The length is compared first, because this is faster, and because a name that contains NUL
      // must not match another name that ends there.
      guard let other = sqlite3_column_name(statement, position),
        strlen(other) == name.utf8.count, sqlite3_stricmp(other, name) == 0
      else { continue }
      if found != nil {
        throw .sqliteMisuse(
          """
          cannot read the column \(quoted(name)): several columns have this name, in the statement \
          \(StorageError.printable(sql))
          """,
          suggestion: "read the column by position, or give the columns different names with AS")
      }
      found = position
    }
    guard let found else {
      let names = (0..<Int32(count)).map { position in
        sqlite3_column_name(statement, position).map { quoted(String(cString: $0)) } ?? "?"
      }
      throw .sqliteMisuse(
        """
        cannot read the column \(quoted(name)): the row has no such column, in the statement \
        \(StorageError.printable(sql))
        """,
        suggestion: names.isEmpty
          ? "run a query that returns columns"
          : "choose one of the columns of the row: \(names.joined(separator: ", "))")
    }
    return SQLColumn(statement: statement, position: found)
  }
}
