import UndercroftCore
import UndercroftFoundation

/// The form of the bodies that a store contains and does not read: JSON, as in messages.
/// (Docs/Formats/SyncServerStore.md)
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
