import CSQLite
import UndercroftCore

/// The arguments of one call of an SQL function, valid only inside the closure that receives them.
///
/// Arguments are read like the columns of a ``Row``: by position from 0, and by the same rules for
/// the types of values.
public struct SQLArguments: ~Copyable {
  let values: UnsafeMutablePointer<OpaquePointer?>?

  /// The number of arguments of the call.
  public let count: Int

  init(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32) {
    self.values = values
    self.count = values == nil ? 0 : Int(count)
  }

  /// Returns the argument at `position` as a Swift value.
  ///
  /// The first argument has position 0.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the call has no such argument.
  ///   ``StorageError/Code/decodingFailed`` if the value is of another type.
  public subscript<Value: SQLReadable>(position: Int) -> Value {
    get throws(StorageError) {
      guard position >= 0, position < count, let value = values?[position] else {
        throw .sqliteMisuse(
          """
          cannot read argument \(position), counted from 0: the call has \(count) \
          argument\(count == 1 ? "" : "s")
          """,
          suggestion: count == 0
            ? "pass an argument to the function in the SQL"
            : "use \(count == 1 ? "the position 0" : "a position from 0 to \(count - 1)"), or pass more "
              + "arguments in the SQL")
      }
      return try Value.read(from: SQLColumn(argument: value, position: position))
    }
  }
}
