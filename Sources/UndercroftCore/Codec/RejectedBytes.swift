import UndercroftPropertyList

/// The reason why a codec rejects bytes.
///
/// Error messages contain the reason, so the reason must not contain any part of the value.
package struct RejectedBytes: Error, Hashable {
  package let reason: String
  /// The recommended action as an imperative, such as
  /// "read the value with the codec that encoded the value".
  package let suggestion: String

  static let flattening =
    "replace the value with a value that is nested less deeply, or remove the value"
  static let replacing =
    "read the value with the codec that encoded the value, or replace the value"
}

extension RejectedBytes {
  /// Creates the reason that an error of a codec contains, or returns `nil` for any other error.
  init?(_ error: (any Error)?) {
    switch error {
    case let bytes as RejectedBytes: self = bytes
    case let error as PropertyListError:
      self.init(reason: error.clause, suggestion: Self.replacing)
    default: return nil
    }
  }
}

extension DecodingError {
  /// Returns the `dataCorrupted` error for bytes that a codec rejects.
  ///
  /// ``CodingFailure`` copies the reason from the underlying error.
  static func rejected(_ bytes: RejectedBytes) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: [], debugDescription: bytes.reason, underlyingError: bytes))
  }
}
