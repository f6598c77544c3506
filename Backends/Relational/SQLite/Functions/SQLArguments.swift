import CSQLite
import UndercroftCore

/// The arguments of one call of a function; they cannot be kept beyond the closure that is handed them.
///
/// They are read like the columns of a row: by position from 0, and never converted.
public struct SQLArguments: ~Copyable {
  let values: UnsafeMutablePointer<OpaquePointer?>?

  /// How many the call has.
  public let count: Int

  init(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32) {
    self.values = values
    self.count = values == nil ? 0 : Int(count)
  }

  /// The argument at `position`.
  ///
  /// - Throws: ``StorageError/Code/misuse`` beyond the last argument, ``StorageError/Code/decodingFailed`` for
  ///   a value of another type.
  public subscript<Value: SQLReadable>(position: Int) -> Value {
    get throws(StorageError) {
      guard position >= 0, position < count, let value = values?[position] else {
        throw .sqliteMisuse("cannot read argument \(position): the call has \(count)")
      }
      return try Value.read(from: SQLColumn(argument: value, position: position))
    }
  }
}
