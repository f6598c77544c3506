/// The reason why a codec rejects bytes before Foundation decodes them.
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

extension DecodingError {
  /// Returns the `dataCorrupted` error for bytes that a codec rejects.
  ///
  /// ``CodingFailure`` copies the reason from the underlying error.
  static func rejected(_ bytes: RejectedBytes) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: [], debugDescription: bytes.reason, underlyingError: bytes))
  }
}
