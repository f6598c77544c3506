import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// An operation in the queue of one record.
struct QueuedOperation {
  let localID: Int64
  let state: OperationState
  /// The computed change in its wire form, or `nil` if the change was
  /// captured but not yet computed.
  let change: OperationChange?
  let base: Int64?
  let sequence: Int64?
  let serverVersion: Int64?
}

extension OperationChange {
  /// The payload as JSON text, which `sync_to_sync.payload` stores.
  var storedPayload: String { WireForm.storedText(payload) }

  /// Creates a change from a stored kind and payload.
  init(kind: String, storedPayload: String?) throws {
    var object = WireObject()
    object[.kind] = .string(kind)
    object[.payload] = try storedPayload.map { try WireForm.stored($0) }
    do throws(WireError) { try self.init(operation: object) } catch {
      throw error.storageError(decoding: "queued operation", isStored: true)
    }
  }
}

extension WireForm {
  /// Returns JSON as the text that a column of SQLite stores.
  static func storedText(_ json: JSONValue) -> String {
    String(decoding: JSONWriter.data(json), as: UTF8.self)
  }

  /// Returns the JSON value of a text that a column of SQLite stores.
  static func stored(_ text: String) throws -> JSONValue {
    do throws(WireError) { return try JSONReader.read(Data(text.utf8)) } catch {
      throw error.storageError(decoding: "synchronisation state", isStored: true)
    }
  }

  /// Returns the values of a row, by the names of their columns, from a stored JSON text.
  static func storedFields(_ text: String) throws -> FieldValues {
    let json = try stored(text)
    do throws(WireError) { return try fields(json) } catch {
      throw error.storageError(decoding: "synchronisation state", isStored: true)
    }
  }
}
