import UndercroftCore
import UndercroftFoundation

/// The form of the bodies that a store contains and does not read: JSON, as in messages.
///
/// A row has `fields`, the author of the last change (`replica` and `hlc`), `writes` (the last
/// write of each column that is not a counter, with the `columns` of each write), and `additions`
/// (the `last` addition to each counter, and the last one by an `other` replica). An operation has
/// its row and the members of its result.
enum StoredBody {
  static func data(_ json: JSONValue) -> Data { JSONWriter.data(json) }

  /// Returns what `read` returns for a stored body.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the store returned other bytes than were
  ///   stored, or the bytes of a later version.
  static func read<Value>(
    _ body: Data, of object: @autoclosure () -> String,
    _ read: (JSONValue) throws(WireError) -> Value
  ) throws(StorageError) -> Value {
    do throws(WireError) { return try read(try JSONReader.read(body)) } catch {
      throw error.storageError(decoding: object())
    }
  }
}
