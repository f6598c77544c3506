package import UndercroftCore

/// A violation of the format of messages, with the path to the value that violates the format.
package struct WireError: Error {
  package let code: StorageError.Code
  package let reason: String
  /// The parts of ``path``, innermost part first, such as `["hlc", "[3]", "ops"]`.
  private var parts: [String] = []

  init(_ reason: String, code: StorageError.Code = .decodingFailed) {
    self.reason = reason
    self.code = code
  }

  /// Returns this error with another part at the beginning of the path.
  ///
  /// - Parameter part: the name or the index of the value in the object or array that contains it.
  func inside(_ part: String) -> WireError {
    var error = self
    error.parts.append(part)
    return error
  }

  /// The path from the message to the value, such as `ops[3].hlc`.
  private var path: String {
    parts.reversed().reduce(into: "") { path, part in
      path += part.hasPrefix("[") || path.isEmpty ? part : "." + part
    }
  }

  /// Returns this violation as a `StorageError`, which names the message and the path.
  ///
  /// - Parameters:
  ///   - message: the name of the message, such as "packet".
  ///   - isStored: whether the value was read from the database and not received in a message.
  func storageError(decoding message: String, isStored: Bool = false) -> StorageError {
    let place = parts.isEmpty ? "" : "\(quoted(Self.shortened(path))): "
    return StorageError(
      code, "cannot decode the \(message): \(place)\(reason)",
      suggestion: isStored ? storedSuggestion : suggestion)
  }

  private var storedSuggestion: String {
    code == .notSupported ? "update this application" : "restore the database from a backup"
  }

  private var suggestion: String {
    switch code {
    case .notSupported: "update this application, or the program that sent the message"
    case .tooLarge:
      "correct the program that sent the message, so that the message does not exceed this limit"
    default:
      """
      compare the message with Docs/Formats/SyncWire.md, and correct the program that sent the \
      message
      """
    }
  }

  /// Returns the text, or its first 50 Unicode scalars and an ellipsis if it has more than 200
  /// UTF-8 bytes.
  ///
  /// A peer can send a text that is too long for an error message.
  static func shortened(_ text: String) -> String {
    text.utf8.count <= 200 ? text : String(text.unicodeScalars.prefix(50)) + "…"
  }
}
