package import UndercroftCore
package import UndercroftFoundation

/// A message between a replica and a server.
package protocol WireMessage: Sendable, Hashable {
  /// The name of the message in errors, such as "packet".
  static var messageName: String { get }

  /// The members of the message, without the version of the protocol.
  var json: JSONValue { get }

  /// Creates the message from its members.
  init(json: JSONValue) throws(WireError)
}

/// The version of the protocol that this library supports.
package let syncProtocolVersion: Int64 = 1

extension WireMessage {
  /// Returns the message as JSON. (Docs/Formats/SyncWire.md)
  ///
  /// - Throws: ``StorageError/Code/tooLarge`` for a message of more than
  ///   ``SyncLimits/messageBytes``, which no peer accepts.
  package func encoded() throws(StorageError) -> Data {
    var json = json
    if case .object(var members) = json {
      members[ExactString(WireName.protocolVersion.rawValue)] = .integer(syncProtocolVersion)
      json = .object(members)
    }
    let data = JSONWriter.data(json)
    guard data.count <= SyncLimits.messageBytes else {
      throw StorageError(
        .tooLarge,
        """
        cannot encode the \(Self.messageName): the message has \(data.count) bytes, but the \
        maximum is \(SyncLimits.messageBytes) bytes
        """,
        suggestion: """
          store smaller values and identifiers in the synchronised rows, or, if \
          SyncEngine.writeGroup has changed the rows, change fewer rows in each such call
          """)
    }
    return data
  }

  /// Creates the message from its JSON form, which may be truncated or hostile.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the data is not a valid message,
  ///   ``StorageError/Code/notSupported`` for another version of the protocol or an unknown case of
  ///   an enum, and ``StorageError/Code/tooLarge`` if the message exceeds a limit.
  package init(decoding data: Data) throws(StorageError) {
    do throws(WireError) {
      guard data.count <= SyncLimits.messageBytes else {
        throw WireError(
          """
          the message has \(data.count) bytes, but the maximum is \(SyncLimits.messageBytes) bytes
          """, code: .tooLarge)
      }
      let json = try JSONReader.read(data)
      let version = try WireObject(json).read(.protocolVersion, WireForm.integer)
      guard version == syncProtocolVersion else {
        throw WireError(
          """
          the message uses version \(version) of the synchronisation protocol, but this version of \
          the library supports only version \(syncProtocolVersion)
          """, code: .notSupported)
      }
      self = try Self(json: json)
    } catch {
      throw error.storageError(decoding: Self.messageName)
    }
  }
}
