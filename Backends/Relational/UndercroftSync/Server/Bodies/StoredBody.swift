import UndercroftCore
import UndercroftFoundation

/// The JSON encoding of the bodies of rows, operations and conflicts, which are opaque to a store.
///
/// The encoding of values is the same as in messages. A row has `fields`, the author of the last
/// change (`replica` and `hlc`), `writes` and `additions`. `writes` contains the last write of each
/// column that is not a counter, with the `columns` of each write. `additions` contains for each
/// counter the `last` addition, and as `other` the last addition by any other replica. An operation
/// has its row and the members of its result.
enum StoredBody {
  static func data(_ json: JSONValue) -> Data { JSONWriter.data(json) }

  /// Decodes a stored body as JSON, and returns the result of `read` for the JSON.
  ///
  /// - Parameter object: the description of the stored object in the error.
  /// - Throws: ``StorageError/Code/decodingFailed`` if the store has changed the bytes, or a later
  ///   version of this library has written them.
  static func read<Value>(
    _ body: Data, of object: @autoclosure () -> String,
    _ read: (JSONValue) throws(WireError) -> Value
  ) throws(StorageError) -> Value {
    do throws(WireError) { return try read(try JSONReader.read(body)) } catch {
      throw error.storageError(decoding: object(), isStored: true)
    }
  }
}
