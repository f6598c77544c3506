import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// An operation on one record in the queue of a replica, as `sync_to_sync` describes it.
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
  ///
  /// - Parameter operation: the description of the queued operation in the error that is thrown if
  ///   the kind or the payload is invalid.
  init(
    kind: String, storedPayload: String?, of operation: @autoclosure () -> String
  ) throws {
    var object = WireObject()
    object[.kind] = .string(kind)
    if let storedPayload {
      object[.payload] = try WireForm.stored(storedPayload, of: operation())
    }
    do throws(WireError) { try self.init(operation: object) } catch {
      throw error.storageError(decoding: operation(), isStored: true)
    }
  }
}

extension WireForm {
  /// Returns JSON as the text that a column of SQLite stores.
  static func storedText(_ json: JSONValue) -> String {
    String(decoding: JSONWriter.data(json), as: UTF8.self)
  }

  /// Returns the JSON value of a text that a column of SQLite stores.
  ///
  /// - Parameter object: the description of the stored object in the error that is thrown if the
  ///   text is not valid JSON.
  static func stored(_ text: String, of object: @autoclosure () -> String) throws -> JSONValue {
    do throws(WireError) { return try JSONReader.read(Data(text.utf8)) } catch {
      throw error.storageError(decoding: object(), isStored: true)
    }
  }

  /// Returns the values of a row, by the names of their columns, from a stored JSON text.
  ///
  /// - Parameter object: the description of the stored row in the error that is thrown if the text
  ///   does not contain the values of a row.
  static func storedFields(
    _ text: String, of object: @autoclosure () -> String
  ) throws -> FieldValues {
    let json = try stored(text, of: object())
    do throws(WireError) { return try fields(json) } catch {
      throw error.storageError(decoding: object(), isStored: true)
    }
  }
}
